import { randomBytes, randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chainStart, hashEvidence } from "./evidence.ts";
import type { ApiKey, KeyRow, Lease, NewValidation, Step, Store } from "./store.ts";
import {
  aTransaction,
  at,
  closeFresh,
  countRows,
  newTenantIn,
  noStep,
  openFresh,
  type StoreHarness,
} from "./testing/suite.ts";

const aStep = (name: string): Step => ({
  events: [{ id: `${name}-event`, type: "id_validated", at: at(1), body: { name, n: 1 } }],
  evidence: [
    { id: `${name}-evidence`, kind: "validation", at: at(2), body: { z: [1, null, "ñ\u0000"], a: 0.5 } },
  ],
});

const aKey = (tenantId: string, change: Partial<ApiKey> = {}): ApiKey => ({
  id: randomUUID(),
  tenantId,
  hash: randomBytes(32).toString("hex"),
  name: "first",
  world: "test",
  scopes: ["face", "document"],
  createdAt: at(0),
  ...change,
});

const aValidation = (tenantId: string, change: Partial<NewValidation> = {}): NewValidation => ({
  id: randomUUID(),
  tenantId,
  world: "test",
  version: 2,
  createdAt: at(0),
  sealedInput: randomBytes(64),
  blobIds: [],
  ...change,
});

const aDataKey = (tenantId: string, change: Partial<KeyRow> = {}): KeyRow => ({
  id: randomUUID(),
  tenantId,
  purpose: "images",
  masterId: "m1",
  wrapped: new Uint8Array([1, 2, 3]),
  createdAt: at(0),
  ...change,
});

const lease = (worker: string, change: Partial<Lease> = {}): Lease => ({
  worker,
  leaseMs: 30_000,
  limit: 10,
  now: at(1000),
  ...change,
});

/** What every store promises, whichever database keeps it. */
export const describeStore = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(name, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;

    const newTenant = (): Promise<string> => newTenantIn(store);
    const start = async (change: Partial<NewValidation> = {}): Promise<NewValidation> => {
      const validation = aValidation(tenantId, change);
      await store.createValidation(validation, [], aTransaction(tenantId), noStep);
      return validation;
    };
    const count = (table: string): Promise<number> => countRows(harness, table);

    const heldBy = (worker: string, id: string, of = tenantId) => ({ tenantId: of, id, revision: 0, worker });
    const finishing = (id: string, worker: string, change: Partial<{ status: "DONE" | "FAILED" }> = {}) => ({
      ...heldBy(worker, id),
      status: "DONE" as const,
      at: at(70_000),
      sealedRecord: new Uint8Array([9, 8, 7]),
      transaction: aTransaction(tenantId),
      ...change,
    });

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    describe("tenants and API keys", () => {
      it("gives a name to one tenant, also when two processes make it at once", async () => {
        const second = await harness.open();
        const make = (one: Store) => one.createTenant({ id: randomUUID(), name: "Bank", createdAt: at(1) });
        const made = await Promise.all([store, second, store, second].map(make));
        await second.close();
        expect(new Set(made.map(({ id }) => id)).size).toBe(1);
        expect((await store.listTenants()).filter(({ name: called }) => called === "Bank")).toEqual([
          made[0],
        ]);
      });

      it("lists tenants as they were created", async () => {
        const second = randomUUID();
        await store.createTenant({ id: second, name: "B", createdAt: at(1) });
        expect(await store.listTenants()).toStrictEqual([
          { id: tenantId, name: `Caja Ñandú ${tenantId}`, createdAt: at(0) },
          { id: second, name: "B", createdAt: at(1) },
        ]);
      });

      it("refuses a second tenant of the same id and a key of an unknown tenant", async () => {
        await expect(store.createTenant({ id: tenantId, name: "x", createdAt: at(0) })).rejects.toThrow();
        await expect(store.createApiKey(aKey(randomUUID()))).rejects.toThrow();
      });

      it("finds a key by its hash with every date to the millisecond", async () => {
        const full = aKey(tenantId, { expiresAt: at(1), revokedAt: at(2), lastUsedAt: new Date(-1) });
        const bare = aKey(tenantId, { world: "live", scopes: [], createdAt: at(9) });
        await store.createApiKey(full);
        await store.createApiKey(bare);
        expect(await store.findApiKey(full.hash)).toStrictEqual(full);
        expect(await store.findApiKey(bare.hash)).toStrictEqual(bare);
        expect(await store.findApiKey("00")).toBeUndefined();
        expect(await store.listApiKeys(tenantId)).toStrictEqual([full, bare]);
        expect(await store.listApiKeys(await newTenant())).toStrictEqual([]);
      });

      it("revokes a key once, and only for its own tenant", async () => {
        const key = aKey(tenantId);
        await store.createApiKey(key);
        expect(await store.revokeApiKey(await newTenant(), key.id, at(3))).toBe(false);
        expect(await store.revokeApiKey(tenantId, key.id, at(3))).toBe(true);
        expect(await store.revokeApiKey(tenantId, key.id, at(4))).toBe(false);
        expect(await store.findApiKey(key.hash)).toStrictEqual({ ...key, revokedAt: at(3) });
      });

      it("moves the last use forward only", async () => {
        const [one, two] = [aKey(tenantId), aKey(tenantId)];
        await store.createApiKey(one);
        await store.createApiKey(two);
        await store.touchApiKeys([
          { keyId: one.id, at: at(20) },
          { keyId: two.id, at: at(10) },
          { keyId: randomUUID(), at: at(10) },
        ]);
        await store.touchApiKeys([{ keyId: one.id, at: at(15) }]);
        expect((await store.findApiKey(one.hash))?.lastUsedAt).toStrictEqual(at(20));
        expect((await store.findApiKey(two.hash))?.lastUsedAt).toStrictEqual(at(10));
      });
    });

    describe("transactions", () => {
      it("gives back exactly what was recorded, to its own tenant alone", async () => {
        const record = aTransaction(tenantId);
        await store.recordTransaction(record, [], noStep);
        expect(await store.findTransaction(tenantId, record.id)).toStrictEqual(record);
        expect(await store.findTransaction(await newTenant(), record.id)).toBeUndefined();
        expect(await store.findTransaction(tenantId, randomUUID())).toBeUndefined();
      });

      it("lists a tenant's calls from a moment on, page by page, each once", async () => {
        const records = Array.from({ length: 501 }, () => aTransaction(tenantId));
        const old = { ...aTransaction(tenantId), at: at(-60) };
        for (const record of [old, ...records]) await store.recordTransaction(record, [], noStep);
        await store.recordTransaction(aTransaction(await newTenant()), [], noStep);
        const since = records[0]!.at;
        const first = await store.listTransactions(tenantId, since);
        const second = await store.listTransactions(tenantId, since, first.at(-1)!.id);
        expect([first.length, second.length]).toStrictEqual([500, 1]);
        const byId = records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        expect([...first, ...second]).toStrictEqual(byId);
        expect(await store.listTransactions(tenantId, since, second[0]!.id)).toStrictEqual([]);
      });

      it("refuses a replayed token and writes nothing of the call", async () => {
        const use = { hash: "ab".repeat(32), expiresAt: at(100) };
        await store.recordTransaction(aTransaction(tenantId), [use], aStep("one"));
        const replay = aTransaction(tenantId);
        const fresh = { hash: "01".repeat(32), expiresAt: at(100) };
        await expect(store.recordTransaction(replay, [fresh, use], aStep("two"))).rejects.toMatchObject({
          name: "Failure",
          code: "token_replayed",
          facts: {},
        });
        expect(await store.findTransaction(tenantId, replay.id)).toBeUndefined();
        expect([await count("token_uses"), await count("outbox"), await count("evidence")]).toStrictEqual([
          1, 1, 1,
        ]);
      });

      it("lets another tenant use a token of the same bytes", async () => {
        const use = { hash: "ab".repeat(32), expiresAt: at(100) };
        await store.recordTransaction(aTransaction(tenantId), [use], noStep);
        const other = await newTenant();
        await expect(store.recordTransaction(aTransaction(other), [use], noStep)).resolves.toBeUndefined();
      });

      it("accepts one of many calls that bring the same tokens at the same moment", async () => {
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

      it("forgets expired token uses and keeps the others", async () => {
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
        const chain = await harness.query(
          `select seq, id, prev_hash, hash, body from evidence where tenant_id = '${tenantId}' order by seq`,
        );
        let prevHash = chainStart;
        const expected = ["one", "two"].map((step, index) => {
          const entry = aStep(step).evidence[0]!;
          const link = { tenantId, seq: index + 1, entry, prevHash };
          const hash = hashEvidence(link);
          const row = {
            seq: index + 1,
            id: entry.id,
            prev_hash: prevHash,
            hash,
            body: '{"a":0.5,"z":[1,null,"ñ\\u0000"]}',
          };
          prevHash = hash;
          return row;
        });
        expect(chain.map((row) => ({ ...row, seq: Number(row["seq"]) }))).toStrictEqual(expected);
        expect(await count("outbox")).toBe(3);
      });

      it("commits with its state change or not at all", async () => {
        await store.recordTransaction(aTransaction(tenantId), [], aStep("one"));
        const record = aTransaction(tenantId);
        // The event id is taken: the step fails last, after the state was written.
        const clash: Step = { events: aStep("one").events, evidence: aStep("two").evidence };
        await expect(store.recordTransaction(record, [], clash)).rejects.toThrow();
        expect(await store.findTransaction(tenantId, record.id)).toBeUndefined();
        expect([await count("transactions"), await count("outbox"), await count("evidence")]).toStrictEqual([
          1, 1, 1,
        ]);
      });

      it("refuses evidence that JSON cannot carry, and nothing of the call remains", async () => {
        const evidence = [{ id: "e", kind: "k", at: at(0), body: { score: Number.NaN } }];
        await expect(
          store.recordTransaction(aTransaction(tenantId), [], { events: [], evidence }),
        ).rejects.toThrow("not finite");
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

      it.each(["update evidence set kind = 'x'", "delete from evidence"])(
        "refuses: %s",
        async (statement) => {
          await store.recordTransaction(aTransaction(tenantId), [], aStep("one"));
          await expect(harness.query(statement)).rejects.toThrow("append-only");
          expect(await count("evidence")).toBe(1);
        },
      );
    });

    describe("validations", () => {
      it("creates the validation, its blobs, its transaction and its step in one commit", async () => {
        const blob = { id: randomUUID(), tenantId, kind: "document-front", bytes: 12, createdAt: at(1) };
        const validation = aValidation(tenantId, { blobIds: [blob.id] });
        const transaction = aTransaction(tenantId);
        await store.createValidation(validation, [blob], transaction, aStep("start"));
        const { blobIds: _, ...stored } = validation;
        expect(await store.findValidation(tenantId, validation.id)).toStrictEqual({
          ...stored,
          sealedInput: new Uint8Array(validation.sealedInput),
          status: "PENDING",
          attempts: 0,
          attempt: 1,
          revision: 0,
          waitsSince: at(0),
        });
        expect(await store.knownBlobIds(tenantId, [blob.id])).toStrictEqual([blob.id]);
        expect(await store.findTransaction(tenantId, transaction.id)).toStrictEqual(transaction);
        expect([await count("outbox"), await count("evidence")]).toStrictEqual([1, 1]);
      });

      it("writes nothing when it names a blob that does not exist", async () => {
        const validation = aValidation(tenantId, { blobIds: [randomUUID()] });
        await expect(
          store.createValidation(validation, [], aTransaction(tenantId), aStep("x")),
        ).rejects.toThrow();
        expect([
          await count("validations"),
          await count("transactions"),
          await count("outbox"),
        ]).toStrictEqual([0, 0, 0]);
      });

      it("hides validations and blobs from other tenants", async () => {
        const blob = { id: randomUUID(), tenantId, kind: "front", bytes: 1, createdAt: at(1) };
        const validation = aValidation(tenantId, { blobIds: [blob.id] });
        await store.createValidation(validation, [blob], aTransaction(tenantId), noStep);
        const other = await newTenant();
        expect(await store.findValidation(other, validation.id)).toBeUndefined();
        expect(await store.knownBlobIds(other, [blob.id])).toStrictEqual([]);
        await store.leaseValidations(lease("w"));
        expect(await store.renewLease(heldBy("w", validation.id, other), at(9999))).toBe(false);
      });

      it("leases the oldest first, up to the limit, and counts the attempt", async () => {
        const late = await start({ createdAt: at(20) });
        const early = await start({ createdAt: at(10) });
        const latest = await start({ createdAt: at(30) });
        const first = await store.leaseValidations(lease("a", { limit: 2 }));
        expect(first.map(({ id, attempts }) => [id, attempts])).toStrictEqual([
          [early.id, 1],
          [late.id, 1],
        ]);
        expect((await store.leaseValidations(lease("b"))).map(({ id }) => id)).toStrictEqual([latest.id]);
        expect(await store.leaseValidations(lease("c"))).toStrictEqual([]);
      });

      it("makes a row due again when its lease ends, not before, and not while it is renewed", async () => {
        const { id } = await start();
        await store.leaseValidations(lease("a"));
        expect(await store.leaseValidations(lease("b", { now: at(30_999) }))).toStrictEqual([]);
        expect(await store.renewLease(heldBy("a", id), at(60_000))).toBe(true);
        expect(await store.leaseValidations(lease("b", { now: at(31_000) }))).toStrictEqual([]);
        expect((await store.leaseValidations(lease("b", { now: at(60_000) })))[0]).toMatchObject({
          id,
          attempts: 2,
        });
        expect(await store.renewLease(heldBy("a", id), at(90_000))).toBe(false);
      });

      it("postpones a row for its holder alone, without counting the attempt", async () => {
        const { id } = await start();
        await store.leaseValidations(lease("a"));
        expect(await store.postponeValidation(heldBy("b", id), at(5_000))).toBe(false);
        expect(await store.postponeValidation(heldBy("a", id), at(5_000))).toBe(true);
        expect(await store.renewLease(heldBy("a", id), at(90_000))).toBe(false);
        expect(await store.leaseValidations(lease("b", { now: at(4_999) }))).toStrictEqual([]);
        expect(await store.leaseValidations(lease("b", { now: at(5_000) }))).toMatchObject([
          { id, attempts: 1 },
        ]);
      });

      it("keeps a provider's session for its holder alone, until the row is decided", async () => {
        const { id } = await start();
        const sealedSession = randomBytes(24);
        await store.leaseValidations(lease("a"));
        expect(await store.keepSession(heldBy("b", id), sealedSession)).toBe(false);
        expect(await store.keepSession(heldBy("a", id), sealedSession)).toBe(true);
        await store.postponeValidation(heldBy("a", id), at(5_000));
        const [taken] = await store.leaseValidations(lease("b", { now: at(5_000) }));
        expect(taken?.sealedSession).toEqual(new Uint8Array(sealedSession));
        await store.finishValidation(finishing(id, "b"), noStep);
        expect(await store.findValidation(tenantId, id)).not.toHaveProperty("sealedSession");
      });

      it.each(["DONE", "FAILED"] as const)(
        "decides %s once, with its record, transaction and step",
        async (status) => {
          const { id } = await start();
          await store.leaseValidations(lease("a"));
          const finish = finishing(id, "a", { status });
          expect(await store.finishValidation(finish, aStep("end"))).toBe("finished");
          expect(await store.findValidation(tenantId, id)).toMatchObject({
            status,
            decidedAt: at(70_000),
            sealedRecord: new Uint8Array([9, 8, 7]),
            attempts: 1,
          });
          expect(await store.findTransaction(tenantId, finish.transaction.id)).toStrictEqual(
            finish.transaction,
          );
          expect([await count("outbox"), await count("evidence")]).toStrictEqual([1, 1]);
          expect(await store.finishValidation(finishing(id, "a"), aStep("again"))).toBe("lost");
          expect(await store.leaseValidations(lease("b", { now: at(999_999) }))).toStrictEqual([]);
          expect([await count("outbox"), await count("evidence")]).toStrictEqual([1, 1]);
        },
      );

      it("refuses the end of a worker whose lease another took over, and writes nothing of it", async () => {
        const { id } = await start();
        await store.leaseValidations(lease("a"));
        await store.leaseValidations(lease("b", { now: at(31_000) }));
        expect(await store.finishValidation(finishing(id, "a"), aStep("late"))).toBe("lost");
        expect(await store.findValidation(tenantId, id)).toMatchObject({ status: "PENDING", attempts: 2 });
        expect([await count("transactions"), await count("outbox")]).toStrictEqual([1, 0]);
        expect(await store.finishValidation(finishing(id, "b"), noStep)).toBe("finished");
      });

      it("gives no row to two of the processes that lease at the same time", async () => {
        const stores = [store, await harness.open(), await harness.open()];
        const ids = await Promise.all(Array.from({ length: 60 }, async () => (await start()).id));
        const rounds = await Promise.all(
          Array.from({ length: 24 }, (_, n) => stores[n % 3]!.leaseValidations(lease(`w${n}`, { limit: 4 }))),
        );
        const leased = rounds.flat().map(({ id }) => id);
        // Skipped rows may leave a round short; what remains is due to the next.
        const rest = (await store.leaseValidations(lease("last", { limit: 100 }))).map(({ id }) => id);
        await Promise.all(stores.slice(1).map((other) => other.close()));
        expect(rounds.every((round) => round.length <= 4)).toBe(true);
        expect([...leased, ...rest].sort()).toStrictEqual(ids.sort());
      });
    });

    describe("data keys", () => {
      it("keeps one active key per tenant and purpose, whoever comes first", async () => {
        const second = await harness.open();
        const candidates = Array.from({ length: 8 }, () => aDataKey(tenantId));
        const won = await Promise.all(
          candidates.map((key, n) => (n % 2 === 0 ? store : second).insertKey(key)),
        );
        await second.close();
        expect(won.filter(Boolean)).toHaveLength(1);
        expect(await store.findKeys(tenantId)).toStrictEqual([candidates[won.indexOf(true)]]);
        expect(await store.insertKey(aDataKey(tenantId, { purpose: "secrets" }))).toBe(true);
        expect(await store.insertKey(aDataKey(await newTenant()))).toBe(true);
        expect(await store.listKeys()).toHaveLength(3);
      });

      it("rewraps a live key and leaves a destroyed one destroyed", async () => {
        const key = aDataKey(tenantId);
        await store.insertKey(key);
        await store.rewrapKey(key.id, "m2", new Uint8Array([4]));
        expect(await store.findKeys(tenantId)).toStrictEqual([
          { ...key, masterId: "m2", wrapped: new Uint8Array([4]) },
        ]);
        expect(await store.destroyKey(key.id, at(7), aStep("erase"))).toBe(true);
        await store.rewrapKey(key.id, "m3", new Uint8Array([5]));
        expect(await store.findKeys(tenantId)).toStrictEqual([
          { ...key, masterId: "m2", wrapped: null, destroyedAt: at(7) },
        ]);
        expect(await store.destroyKey(key.id, at(8), aStep("again"))).toBe(false);
        expect(await store.destroyKey(randomUUID(), at(8), aStep("none"))).toBe(false);
        expect(await count("evidence")).toBe(1);
        expect(await store.insertKey(aDataKey(tenantId))).toBe(true);
      });
    });

    describe("secrets", () => {
      const seal = (byte: number) => new Uint8Array([byte, 0, 255]);

      it("are written by the first of the processes that make them at once", async () => {
        const second = await harness.open();
        expect(await store.findSecret("keys")).toBeUndefined();
        const written = await Promise.all(
          Array.from({ length: 8 }, (_, n) =>
            (n % 2 === 0 ? store : second).replaceSecret("keys", undefined, seal(n)),
          ),
        );
        await second.close();
        expect(written.filter(Boolean)).toHaveLength(1);
        expect(await store.findSecret("keys")).toStrictEqual(seal(written.indexOf(true)));
        expect(await store.findSecret("others")).toBeUndefined();
      });

      it("change only where they still are what was seen", async () => {
        await store.replaceSecret("keys", undefined, seal(1));
        expect(await store.replaceSecret("keys", seal(2), seal(3))).toBe(false);
        expect(await store.replaceSecret("others", seal(1), seal(3))).toBe(false);
        const changes = await Promise.all([4, 5].map((n) => store.replaceSecret("keys", seal(1), seal(n))));
        expect(changes.filter(Boolean)).toHaveLength(1);
        expect(await store.findSecret("keys")).toStrictEqual(seal(changes[0] === true ? 4 : 5));
      });
    });

    describe("blobs", () => {
      it("says which ids a row names", async () => {
        const blobs = [1, 2].map((n) => ({
          id: randomUUID(),
          tenantId,
          kind: "front",
          bytes: n,
          createdAt: at(n),
        }));
        const ids = blobs.map(({ id }) => id);
        await store.createValidation(
          aValidation(tenantId, { blobIds: ids }),
          blobs,
          aTransaction(tenantId),
          noStep,
        );
        expect([...(await store.knownBlobIds(tenantId, [...ids, randomUUID()]))].sort()).toStrictEqual(
          ids.sort(),
        );
        expect(await store.knownBlobIds(tenantId, [])).toStrictEqual([]);
      });
    });

    describe("old blobs", () => {
      const startWithBlob = async (age: Date, tenant = tenantId) => {
        const blob = { id: randomUUID(), tenantId: tenant, kind: "front", bytes: 1, createdAt: age };
        const validation = aValidation(tenant, { blobIds: [blob.id], createdAt: age });
        await store.createValidation(validation, [blob], aTransaction(tenant), noStep);
        return { blob: blob.id, validation: validation.id };
      };

      it("are forgotten once their validation is decided, and the validation is kept", async () => {
        const other = await newTenant();
        const [old, foreign] = [await startWithBlob(at(10)), await startWithBlob(at(20), other)];
        const young = await startWithBlob(at(40));
        await store.leaseValidations(lease("w"));
        await store.finishValidation(finishing(old.validation, "w"), noStep);
        await store.finishValidation({ ...finishing(foreign.validation, "w"), tenantId: other }, noStep);
        await store.finishValidation(finishing(young.validation, "w"), noStep);
        const open = await startWithBlob(at(5));
        expect(await store.forgetBlobs(at(40))).toBe(2);
        expect(await store.forgetBlobs(at(40))).toBe(0);
        expect(await store.knownBlobIds(other, [foreign.blob])).toStrictEqual([]);
        const known = await store.knownBlobIds(tenantId, [old.blob, young.blob, open.blob]);
        expect([...known].sort()).toStrictEqual([young.blob, open.blob].sort());
        expect(await store.findValidation(tenantId, old.validation)).toMatchObject({ status: "DONE" });
      });

      it("are forgotten by several processes at once, each once", async () => {
        const second = await harness.open();
        const started = [];
        for (let n = 0; n < 20; n++) started.push(await startWithBlob(at(n)));
        await store.leaseValidations(lease("w", { limit: 20 }));
        for (const { validation } of started)
          await store.finishValidation(finishing(validation, "w"), noStep);
        const counts = await Promise.all(
          [store, second, store, second].map((one) => one.forgetBlobs(at(99))),
        );
        await second.close();
        expect(counts.reduce((sum, forgotten) => sum + forgotten, 0)).toBe(20);
        expect(await count("blobs")).toBe(0);
      });
    });

    describe("life", () => {
      it("answers ping, refuses commands after close, and keeps what was written for the next opening", async () => {
        await expect(store.ping()).resolves.toBeUndefined();
        const second = await harness.open();
        await second.createTenant({ id: "later", name: "later", createdAt: at(5) });
        await second.close();
        await expect(second.listTenants()).rejects.toThrow();
        await expect(second.ping()).rejects.toThrow();
        expect(await store.listTenants()).toHaveLength(2);
      });

      it("refuses a database of a newer program", async () => {
        await harness.query("insert into migrations (version, name, applied_at) values (9999, 'future', 0)");
        await expect(harness.open()).rejects.toThrow("9999");
      });

      it("works off what was asked before close", async () => {
        const second = await harness.open();
        const writes = Promise.all(
          Array.from({ length: 50 }, () => second.recordTransaction(aTransaction(tenantId), [], noStep)),
        );
        const [closed] = await Promise.all([second.close(), writes]);
        expect(closed).toBeUndefined();
        expect(await count("transactions")).toBe(50);
      });
    });
  });
};
