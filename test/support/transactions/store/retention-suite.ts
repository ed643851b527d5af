import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type { EvidenceEntry } from "#record/transactions/record";
import type { Anchor } from "#record/transactions/store/evidence-store";
import {
  aTransaction,
  at,
  closeFresh,
  newTenantIn,
  noStep,
  openFresh,
  type StoreHarness,
  someBytes,
} from "../../storage/suite.ts";

const entry = (kind: string, ms: number): EvidenceEntry => ({
  id: randomUUID(),
  kind,
  at: at(ms),
  body: { kind },
});

/** A copy without these members. */
const without = <Whole extends object>(whole: Whole, names: readonly (keyof Whole)[]): Partial<Whole> => {
  const copy: Partial<Whole> = { ...whole };
  for (const name of names) delete copy[name];
  return copy;
};

/** A time-stamp of the head at this position, as far as a store can see. */
export const anAnchor = (tenantId: string, seq = 1): Anchor => ({
  tenantId,
  seq,
  hash: "ab".repeat(32),
  at: at(seq).getTime(),
  authority: "tsa.example",
  token: someBytes(),
});

/** The guarantees of every store for what is removed, and for anchors. */
export const describeRetention = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`retention: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    const write = async (evidence: readonly EvidenceEntry[], tenant = tenantId): Promise<void> =>
      await store.recordTransaction(aTransaction(tenant), [], { evidence });
    const bodiesOf = async (tenant = tenantId) =>
      (await store.listLinks(tenant, 0)).map(({ kind, body }) => [kind, body?.text]);
    const receipt = () => ({ id: randomUUID(), at: at(100) });

    it("deletes a tenant's calls from before a time, each once, and no other", async () => {
      const other = await newTenantIn(store);
      for (const [tenant, ms] of [
        [tenantId, 1],
        [tenantId, 2],
        [tenantId, 3],
        [other, 1],
      ] as const) {
        await store.recordTransaction(aTransaction(tenant, { at: at(ms) }), [], noStep);
      }
      expect(await store.purgeTransactions(tenantId, at(3))).toBe(2);
      expect(await store.purgeTransactions(tenantId, at(3))).toBe(0);
      expect((await store.listTransactions(tenantId, at(0))).map((call) => call.at)).toStrictEqual([at(3)]);
      expect(await store.listTransactions(other, at(0))).toHaveLength(1);
    });

    it("deletes at most 500 calls at once, the oldest first", async () => {
      const calls = Array.from({ length: 501 }, (_, n) => aTransaction(tenantId, { at: at(n) }));
      await Promise.all(calls.map((call) => store.recordTransaction(call, [], noStep)));
      expect(await store.purgeTransactions(tenantId, at(1000))).toBe(500);
      expect((await store.listTransactions(tenantId, at(0))).map((call) => call.at)).toStrictEqual([at(500)]);
    });

    describe("measurements of an earlier release", () => {
      const plain = '{"eyeDistancePx":61.5}';
      const makePlain = async (tenant = tenantId): Promise<string> => {
        const call = aTransaction(tenant);
        await store.recordTransaction(call, [], noStep);
        await harness.query(
          `update transactions set measurements = '${plain}', sealed_measurements = null where id = '${call.id}'`,
        );
        return call.id;
      };

      it("are found until they are sealed, and are then gone", async () => {
        const id = await makePlain();
        await store.recordTransaction(aTransaction(tenantId), [], noStep);
        expect(await store.findTransaction(tenantId, id)).toMatchObject({
          plainMeasurements: { eyeDistancePx: 61.5 },
          sealedMeasurements: new Uint8Array(),
        });
        expect(await store.listPlainMeasurements(tenantId)).toStrictEqual([
          { tenantId, environment: "test", id, measurements: { eyeDistancePx: 61.5 } },
        ]);
        const sealedMeasurements = someBytes();
        await store.sealMeasurements([{ tenantId, id, sealedMeasurements }]);
        expect(await store.listPlainMeasurements(tenantId)).toStrictEqual([]);
        const found = await store.findTransaction(tenantId, id);
        expect(found).toMatchObject({ sealedMeasurements });
        expect(found).not.toHaveProperty("plainMeasurements");
        const rows = await harness.query("select measurements from transactions");
        expect(JSON.stringify(rows)).not.toContain("eyeDistance");
      });

      it("are sealed once: the second of two processes changes nothing", async () => {
        const id = await makePlain();
        const [first, second] = [someBytes(), someBytes()];
        await store.sealMeasurements([{ tenantId, id, sealedMeasurements: first }]);
        await store.sealMeasurements([{ tenantId, id, sealedMeasurements: second }]);
        expect(await store.findTransaction(tenantId, id)).toMatchObject({ sealedMeasurements: first });
      });

      it("are removed by an erasure, and not sealed afterwards; other tenants keep theirs", async () => {
        const other = await newTenantIn(store);
        const [id, spared] = [await makePlain(), await makePlain(other)];
        expect(await store.forgetPlainMeasurements(tenantId)).toBe(1);
        expect(await store.forgetPlainMeasurements(tenantId)).toBe(0);
        await store.sealMeasurements([{ tenantId, id, sealedMeasurements: someBytes() }]);
        expect(await store.findTransaction(tenantId, id)).toMatchObject({
          sealedMeasurements: new Uint8Array(),
        });
        expect((await store.listPlainMeasurements(other)).map((row) => row.id)).toStrictEqual([spared]);
      });
    });

    describe("bodies of evidence", () => {
      it("are removed from before a time, with a receipt of their positions; receipts stay", async () => {
        const other = await newTenantIn(store);
        await write([
          entry("person_enrolled", 1),
          entry("data_key_destroyed", 2),
          entry("document_decided", 3),
        ]);
        await write([entry("person_enrolled", 4)]);
        await write([entry("person_enrolled", 1)], other);
        const links = await store.listLinks(tenantId, 0);
        expect(await store.removeBodies(tenantId, at(4), receipt())).toBe(2);
        expect(await bodiesOf()).toStrictEqual([
          ["person_enrolled", undefined],
          ["data_key_destroyed", '{"kind":"data_key_destroyed"}'],
          ["document_decided", undefined],
          ["person_enrolled", '{"kind":"person_enrolled"}'],
          ["evidence_bodies_removed", '{"count":2,"from":1,"through":3}'],
        ]);
        const kept = (await store.listLinks(tenantId, 0)).slice(0, 4).map((link) => without(link, ["body"]));
        expect(kept).toStrictEqual(links.map((link) => without(link, ["body"])));
        expect(await bodiesOf(other)).toHaveLength(1);
      });

      it("are recorded without a change of state, in the chain of their tenant alone", async () => {
        const other = await newTenantIn(store);
        await write([entry("a", 1)]);
        await store.recordEvidence(tenantId, [entry("asked", 2), entry("asked", 3)]);
        await store.recordEvidence(tenantId, []);
        expect(await bodiesOf()).toStrictEqual([
          ["a", '{"kind":"a"}'],
          ["asked", '{"kind":"asked"}'],
          ["asked", '{"kind":"asked"}'],
        ]);
        expect(await bodiesOf(other)).toEqual([]);
      });

      it("are removed at most 1000 at once; with none to remove nothing is written", async () => {
        await write(Array.from({ length: 1001 }, (_, n) => entry("k", n)));
        expect(await store.removeBodies(tenantId, at(0), receipt())).toBe(0);
        expect(await store.removeBodies(tenantId, at(2000), receipt())).toBe(1000);
        expect(await store.removeBodies(tenantId, at(2000), receipt())).toBe(1);
        expect(await store.removeBodies(tenantId, at(2000), receipt())).toBe(0);
        const texts = (await store.listLinks(tenantId, 1000)).map(({ seq, body }) => [seq, body?.text]);
        expect(texts).toStrictEqual([
          [1001, undefined],
          [1002, '{"count":1000,"from":1,"through":1000}'],
          [1003, '{"count":1,"from":1001,"through":1001}'],
        ]);
      });

      it("are removed once when two processes remove them at the same time", async () => {
        await write([entry("a", 1), entry("b", 2)]);
        const second = await harness.open();
        const removed = await Promise.all(
          [store, second].map((by) => by.removeBodies(tenantId, at(9), receipt())),
        );
        await second.close();
        expect(removed.toSorted((a, b) => a - b)).toStrictEqual([0, 2]);
        expect(await bodiesOf()).toHaveLength(3);
      });

      it("read as null in the feed of changes once they are removed", async () => {
        await write([entry("face_blocked", 1)]);
        await store.removeBodies(tenantId, at(9), receipt());
        expect((await store.listEvidence(tenantId, 0)).map(({ body }) => body)).toStrictEqual([
          null,
          { count: 1, from: 1, through: 1 },
        ]);
      });
    });

    describe("anchors", () => {
      it("are kept once for each head, listed in order, and the newest of each tenant is known", async () => {
        const other = await newTenantIn(store);
        const [one, two, three] = [anAnchor(tenantId, 2), anAnchor(tenantId, 5), anAnchor(other, 9)];
        for (const each of [two, one, three]) expect(await store.insertAnchor(each)).toBe(true);
        expect(await store.insertAnchor({ ...one, token: someBytes() })).toBe(false);
        expect(await store.listAnchors(tenantId, 0)).toStrictEqual([one, two]);
        expect(await store.listAnchors(tenantId, 2)).toStrictEqual([two]);
        const newest = (await store.listNewestAnchors()).toSorted((a, b) => a.seq - b.seq);
        expect(newest).toStrictEqual([two, three].map((head) => without(head, ["authority", "token"])));
      });
    });
  });
};
