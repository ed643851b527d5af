import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import { chainStart, hashBody, hashLink } from "#record/transactions/evidence";
import { refusalTexts, type TokenUseRefusal } from "#record/transactions/judge-token-use";
import type { Step } from "#record/transactions/record";
import {
  anOperationStep,
  aStep,
  aTransaction,
  at,
  closeFresh,
  countRows,
  newTenantIn,
  noStep,
  openFresh,
  type StoreHarness,
} from "../../storage/suite.ts";
import { anAnchor } from "./retention-suite.ts";

/** The guarantees of every store for answered calls and for the step that commits with them. */
export const describeTransactions = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(name, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;

    const newTenant = (): Promise<string> => newTenantIn(store);
    const count = (table: string): Promise<number> => countRows(harness, table);

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    describe("transactions", () => {
      it("returns exactly the recorded call, to its own tenant alone", async () => {
        const record = aTransaction(tenantId);
        await store.recordTransaction(record, [], noStep);
        expect(await store.findTransaction(tenantId, record.id)).toStrictEqual(record);
        expect(await store.findTransaction(await newTenant(), record.id)).toBeUndefined();
        expect(await store.findTransaction(tenantId, randomUUID())).toBeUndefined();
      });

      it("lists a tenant's calls from a given time on, page by page, each once", async () => {
        const records = Array.from({ length: 501 }, () => aTransaction(tenantId));
        const old = { ...aTransaction(tenantId), at: at(-60) };
        for (const record of [old, ...records]) await store.recordTransaction(record, [], noStep);
        await store.recordTransaction(aTransaction(await newTenant()), [], noStep);
        const since = records[0]!.at;
        const first = await store.listTransactions(tenantId, since);
        const second = await store.listTransactions(tenantId, since, first.at(-1));
        expect([first.length, second.length]).toStrictEqual([500, 1]);
        const byId = records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        expect([...first, ...second]).toStrictEqual(byId);
        expect(await store.listTransactions(tenantId, since, second[0])).toStrictEqual([]);
      });

      it("refuses a replayed token and writes nothing of the call", async () => {
        const use = { hash: "ab".repeat(32), expiresAt: at(100) };
        await store.recordTransaction(aTransaction(tenantId), [use], aStep("one"));
        const replay = aTransaction(tenantId);
        const fresh = { hash: "01".repeat(32), expiresAt: at(100) };
        await expect(store.recordTransaction(replay, [fresh, use], aStep("two"))).rejects.toMatchObject({
          name: "Failure",
          code: "token_replayed",
          facts: { reason: refusalTexts["one-call"] },
        });
        expect(await store.findTransaction(tenantId, replay.id)).toBeUndefined();
        expect([await count("token_uses"), await count("events"), await count("evidence")]).toStrictEqual([
          1, 2, 1,
        ]);
      });

      it("lets another tenant use a token with the same bytes", async () => {
        const use = { hash: "ab".repeat(32), expiresAt: at(100) };
        await store.recordTransaction(aTransaction(tenantId), [use], noStep);
        const other = await newTenant();
        await expect(store.recordTransaction(aTransaction(other), [use], noStep)).resolves.toBeUndefined();
      });

      it("accepts one of many simultaneous calls with the same tokens", async () => {
        const second = await harness.open();
        const [a, b] = ["aa", "bb"].map((hash) => ({ hash, expiresAt: at(100) }));
        const orders = [
          [a!, b!],
          [b!, a!],
        ] as const;
        const calls = Array.from({ length: 20 }, (_, n) =>
          (n % 2 === 0 ? store : second).recordTransaction(
            aTransaction(tenantId),
            orders[n % 2 === 0 ? 0 : 1],
            noStep,
          ),
        );
        const results = await Promise.allSettled(calls);
        await second.close();
        expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
        expect(await count("transactions")).toBe(1);
      });

      describe("a shared token", () => {
        const shared = (call: string, operation?: string, ms = 0) => ({
          hash: "ab".repeat(32),
          expiresAt: at(1000),
          shared: {
            call,
            environment: "test" as const,
            at: at(ms),
            openUntil: at(600),
            ...(operation !== undefined && { operation }),
          },
        });
        const record = (use: ReturnType<typeof shared>, by = store) =>
          by.recordTransaction(aTransaction(tenantId), [use], noStep);
        const replayed = (reason: TokenUseRefusal) => ({
          code: "token_replayed",
          facts: { reason: refusalTexts[reason] },
        });

        it("serves each kind of call of one operation once, and no other operation", async () => {
          await record(shared("liveness", "a"));
          await record(shared("identity", "a"));
          await expect(record(shared("identity", "a"))).rejects.toMatchObject(replayed("same-kind"));
          const other = record(shared("authenticateUser", "b"));
          await expect(other).rejects.toMatchObject(replayed("other-operation"));
          const unnamed = record(shared("authenticateUser"));
          await expect(unnamed).rejects.toMatchObject(replayed("no-operation"));
          await record(shared("authenticateUser", "a"));
          expect([await count("transactions"), await count("token_uses")]).toStrictEqual([3, 1]);
        });

        it("serves one environment", async () => {
          await record(shared("liveness"));
          const use = shared("identity");
          const inLive = { ...use, shared: { ...use.shared, environment: "live" as const } };
          const call = aTransaction(tenantId, { environment: "live" });
          await expect(store.recordTransaction(call, [inLive], noStep)).rejects.toMatchObject(
            replayed("other-environment"),
          );
          await record(use);
        });

        it("serves calls without an operation until its time is over", async () => {
          await record(shared("liveness"));
          await expect(record(shared("identity", undefined, 601))).rejects.toMatchObject(
            replayed("too-late"),
          );
          await record(shared("identity", undefined, 600));
        });

        it("is refused after a use that shares it with no other call, as in an earlier release", async () => {
          const alone = { hash: "ab".repeat(32), expiresAt: at(1000) };
          await store.recordTransaction(aTransaction(tenantId), [alone], noStep);
          await expect(record(shared("identity", "a"))).rejects.toMatchObject(replayed("one-call"));
        });

        it("serves one of many simultaneous calls of each kind, in two processes", async () => {
          const second = await harness.open();
          const kinds = ["liveness", "identity", "authenticateUser"];
          const calls = Array.from({ length: 24 }, (_, n) =>
            record(shared(kinds[n % 3]!, "a"), n % 2 === 0 ? store : second),
          );
          const results = await Promise.allSettled(calls);
          await second.close();
          expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
          expect(await count("transactions")).toBe(3);
          const [row] = await harness.query("select calls from token_uses");
          expect(String(row?.["calls"]).split(",").toSorted()).toStrictEqual(kinds.toSorted());
        });
      });

      it("removes expired token uses and keeps the others", async () => {
        const uses = [1, 2, 3].map((n) => ({ hash: `h${n}`, expiresAt: at(n) }));
        await store.recordTransaction(aTransaction(tenantId), uses, noStep);
        expect(await store.purgeTokenUses(at(3))).toBe(2);
        expect(await store.purgeTokenUses(at(3))).toBe(0);
        expect(await harness.query("select hash from token_uses")).toStrictEqual([{ hash: "h3" }]);
      });
    });

    describe("the step", () => {
      it("writes events and a hash chain of evidence per tenant", async () => {
        const other = await newTenant();
        await store.recordTransaction(aTransaction(tenantId), [], aStep("one"));
        await store.recordTransaction(aTransaction(other), [], aStep("one"));
        await store.recordTransaction(aTransaction(tenantId), [], aStep("two"));
        const chain = await store.listLinks(tenantId, 0);
        let prevHash = chainStart;
        for (const [index, step] of ["one", "two"].entries()) {
          const { id, kind, at: time } = aStep(step).evidence[0]!;
          const { body, bodyHash = "", ...link } = chain[index]!;
          expect(body).toStrictEqual({
            at: time.getTime(),
            salt: expect.stringMatching(/^[0-9a-f]{32}$/),
            text: '{"a":0.5,"z":[1,null,"ñ\\u0000"]}',
          });
          expect(bodyHash).toBe(hashBody(body!.salt, body!.text));
          const place = { tenantId, seq: index + 1, id, kind, at: time.getTime(), prevHash };
          const hash = hashLink({ ...place, bodyHash });
          expect(link).toStrictEqual({ ...place, hash });
          prevHash = hash;
        }
        expect(chain[0]?.body?.salt).not.toBe(chain[1]?.body?.salt);
        expect(await store.listLinks(tenantId, 1)).toStrictEqual(chain.slice(1));
        expect(await store.listLinks(tenantId, 0, 1)).toStrictEqual(chain.slice(0, 1));
        expect(await store.listChainHeads()).toContainEqual({
          tenantId,
          seq: 2,
          at: at(2).getTime(),
          hash: prevHash,
        });
        expect(await count("events")).toBe(6);
      });

      it("commits with its state change or not at all", async () => {
        await store.recordTransaction(aTransaction(tenantId), [], aStep("one"));
        const record = aTransaction(tenantId);
        // The event id exists already: the step fails last, after the state was written.
        const clash: Step = {
          operation: anOperationStep("two", { events: aStep("one").operation!.events }),
          evidence: aStep("two").evidence,
        };
        await expect(store.recordTransaction(record, [], clash)).rejects.toThrow();
        expect(await store.findTransaction(tenantId, record.id)).toBeUndefined();
        expect([await count("transactions"), await count("events"), await count("evidence")]).toStrictEqual([
          1, 2, 1,
        ]);
      });

      it("refuses evidence that JSON cannot carry, and nothing of the call remains", async () => {
        const evidence = [{ id: "e", kind: "k", at: at(0), body: { score: Number.NaN } }];
        await expect(store.recordTransaction(aTransaction(tenantId), [], { evidence })).rejects.toThrow(
          "not finite",
        );
        expect(await count("transactions")).toBe(0);
      });

      it("keeps one gapless chain when two processes write at once", async () => {
        const second = await harness.open();
        await Promise.all(
          Array.from({ length: 40 }, (_, n) =>
            (n % 2 === 0 ? store : second).recordTransaction(aTransaction(tenantId), [], aStep(`step ${n}`)),
          ),
        );
        await second.close();
        const chain = await harness.query("select seq, prev_hash, hash from evidence order by seq");
        expect(chain.map(({ seq }) => Number(seq))).toStrictEqual(
          Array.from({ length: 40 }, (_, n) => n + 1),
        );
        expect(chain.slice(1).map((row) => row["prev_hash"])).toStrictEqual(
          chain.slice(0, -1).map((row) => row["hash"]),
        );
      });

      it.each([
        ["update evidence set kind = 'x'", "append-only"],
        ["delete from evidence", "append-only"],
        ["update evidence_anchors set seq = 2", "append-only"],
        ["delete from evidence_anchors", "append-only"],
        ["update evidence_bodies set body = '{}'", "do not change"],
      ])("refuses: %s", async (statement, reason) => {
        await store.recordTransaction(aTransaction(tenantId), [], aStep("one"));
        await store.insertAnchor(anAnchor(tenantId));
        await expect(harness.query(statement)).rejects.toThrow(reason);
        expect([
          await count("evidence"),
          await count("evidence_bodies"),
          await count("evidence_anchors"),
        ]).toStrictEqual([1, 1, 1]);
      });
    });
  });
};
