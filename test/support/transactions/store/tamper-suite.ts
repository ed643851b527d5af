import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import { hashBody, hashLink } from "#record/transactions/evidence";
import { type KnownHead, makeChainVerifier } from "#record/transactions/verify-chain";
import { aTransaction, at, closeFresh, openFresh, type StoreHarness } from "../../storage/suite.ts";

const hex = (byte: string): string => byte.repeat(32);
/** For an attacker with the rights of the owner of the tables. One of the databases knows each statement. */
const lifting = [
  "drop trigger evidence_no_update",
  "drop trigger evidence_no_delete",
  "drop trigger evidence_bodies_no_update",
  "alter table evidence disable trigger user",
  "alter table evidence_bodies disable trigger user",
];

/** The verifier over a real store whose tables were changed: promise 18 of the evidence. */
export const describeTampering = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`tampered evidence: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;
    let heads: readonly KnownHead[];

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
      for (let n = 0; n < 5; n++) {
        const evidence = [{ id: `entry ${n}`, kind: "k", at: at(n), body: { n } }];
        await store.recordTransaction(aTransaction(tenantId), [], { evidence });
      }
      heads = (await store.listChainHeads()).map((head) => ({ ...head, source: "a head" }));
      for (const statement of lifting) await harness.query(statement).catch(() => undefined);
    });
    afterEach(() => closeFresh({ harness, store }, { isTampered: true }));

    const places = async (): Promise<readonly (readonly [number, string])[]> => {
      const verifier = makeChainVerifier(heads);
      (await store.listLinks(tenantId, 0)).forEach(verifier.take);
      return verifier.end().faults.map(({ seq, field }) => [seq, field]);
    };
    const deleteAfter = async (seq: number): Promise<void> => {
      await harness.query(`delete from evidence_bodies where seq > ${seq}`);
      await harness.query(`delete from evidence where seq > ${seq}`);
    };

    it("finds nothing in an untouched chain", async () => {
      expect(await places()).toStrictEqual([]);
    });

    it.each([
      ["evidence", "id = 'x'", "id or kind"],
      ["evidence", "kind = 'x'", "id or kind"],
      ["evidence", "at = at + 1", "time"],
      ["evidence", "at = 99999999999999999", "time"],
      ["evidence", `body_hash = '${hex("ab")}'`, "body hash"],
      ["evidence", "body_hash = null", "body hash"],
      ["evidence", `prev_hash = '${hex("ab")}'`, "previous hash"],
      ["evidence", `hash = '${hex("ab")}'`, "hash"],
      ["evidence_bodies", "body = '{}'", "body"],
      ["evidence_bodies", "salt = '00'", "body"],
      ["evidence_bodies", "at = at + 1", "body"],
    ])("names the entry after: update %s set %s", async (table, change, field) => {
      await harness.query(`update ${table} set ${change} where seq = 3`);
      expect(await places()).toStrictEqual([[3, field]]);
    });

    it.each([1, 2, 3, 4, 5])("names the end after the last %i entries were deleted", async (n) => {
      await deleteAfter(5 - n);
      expect(await places()).toStrictEqual([[5 - n, "head"]]);
    });

    it("names an entry that was deleted, and a body", async () => {
      await harness.query("delete from evidence_bodies where seq in (2, 4)");
      await harness.query("delete from evidence where seq = 2");
      expect(await places()).toStrictEqual([
        [2, "seq"],
        [4, "body"],
      ]);
    });

    it("names entries that were exchanged", async () => {
      const [two, four] = (await store.listLinks(tenantId, 0)).filter(({ seq }) => seq === 2 || seq === 4);
      const put = (seq: number, { id, bodyHash, hash, prevHash }: NonNullable<typeof two>) =>
        harness.query(
          `update evidence set id = '${id} again', body_hash = '${bodyHash}', hash = '${hash}', prev_hash = '${prevHash}' where seq = ${seq}`,
        );
      await put(2, four!);
      await put(4, two!);
      const found = new Set((await places()).map(([seq]) => seq));
      expect([found.has(2), found.has(4), found.has(5)]).toStrictEqual([true, true, false]);
    });

    it("names the last entry of a chain that was replaced as a whole by a sound one", async () => {
      await deleteAfter(0);
      // Without its sealed end the chain looks like a new one.
      await harness.query("delete from evidence_heads");
      for (let n = 0; n < 5; n++) {
        const evidence = [{ id: randomUUID(), kind: "forged", at: at(n), body: { n } }];
        await store.recordTransaction(aTransaction(tenantId), [], { evidence });
      }
      expect(await places()).toStrictEqual([[5, "head"]]);
    });

    it("names an entry whose editor computed its hashes anew", async () => {
      const link = (await store.listLinks(tenantId, 2, 1))[0]!;
      const text = '{"n":9}';
      const bodyHash = hashBody(link.body!.salt, text);
      await harness.query(`update evidence_bodies set body = '${text}' where seq = 3`);
      const hash = hashLink({ ...link, bodyHash });
      await harness.query(`update evidence set body_hash = '${bodyHash}', hash = '${hash}' where seq = 3`);
      expect(await places()).toStrictEqual([[3, "entry"]]);
    });
  });
};
