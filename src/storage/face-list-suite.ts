import { randomBytes, randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BlockedFace } from "./face-list.ts";
import type { NewPerson } from "./person.ts";
import type { Step, Store } from "./store.ts";
import {
  aTransaction,
  at,
  closeFresh,
  newTenantIn,
  openFresh,
  type StoreHarness,
  someBytes,
} from "./testing/suite.ts";

const aStep = (kind: string, body = {}): Step => ({
  events: [],
  evidence: [{ id: randomUUID(), kind, at: at(2), body }],
});

/** What every store promises of the lists that are searched one-to-many, whichever database keeps them. */
export const describeFaceLists = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`face lists: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;
    let dataKeyId: string;

    const newTenant = (): Promise<string> => newTenantIn(store);
    const sealed = () => ({
      tenantId,
      id: randomUUID(),
      world: "test" as const,
      keyId: randomUUID(),
      dataKeyId,
      recogniser: "r1",
      wrappedKey: someBytes(),
      sealedTransform: someBytes(),
      sealedTemplate: someBytes(),
    });
    const block = async (): Promise<BlockedFace> => {
      const face = { ...sealed(), sealedNote: someBytes(), at: at(9) };
      await store.blockFaces(tenantId, [face], aStep("face_blocked", { face: face.id }));
      return face;
    };
    const aPerson = (): NewPerson => ({
      ...sealed(),
      pseudonym: randomBytes(32).toString("hex"),
      enrolledAt: at(1),
    });
    const enrol = (person: NewPerson, searchedAt?: number): Promise<boolean> =>
      store.enrolPerson(person, aTransaction(tenantId), [], aStep("person_enrolled"), searchedAt);
    const headOf = async (tenant: string): Promise<number | undefined> =>
      (await store.listEvidenceHeads()).find((head) => head.tenantId === tenant)?.seq;

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
      dataKeyId = randomUUID();
      const wrapped = { masterId: "m", wrapped: someBytes(), createdAt: at(0) };
      await store.insertKey({ id: dataKeyId, tenantId, purpose: "templates", ...wrapped });
    });
    afterEach(() => closeFresh({ harness, store }));

    it("pages through the faces of a list and tenant, each once", async () => {
      const people = Array.from({ length: 5 }, aPerson);
      await Promise.all(people.map((person) => enrol(person)));
      const ids = people.map(({ id }) => id).sort();
      const first = await store.listFaces("people", tenantId, "", 3);
      const rest = await store.listFaces("people", tenantId, first[2]!.id, 3);
      expect([...first, ...rest].map(({ id }) => id)).toStrictEqual(ids);
      const { enrolledAt: _, ...kept } = people.find(({ id }) => id === ids[0])!;
      expect(first[0]).toStrictEqual({ ...kept, at: at(1) });
      expect(await store.listFaces("people", await newTenant(), "", 3)).toStrictEqual([]);
      expect(await store.listFaces("blocked", tenantId, "", 3)).toStrictEqual([]);
      const [found, ...others] = await store.findFaces("people", tenantId, [ids[1]!, randomUUID()]);
      expect([found?.id, others]).toStrictEqual([ids[1], []]);
    });

    it("keeps a blocked face until it is unblocked, with its evidence", async () => {
      const face = await block();
      expect(await store.listBlocked(tenantId, "")).toStrictEqual([face]);
      expect(await store.listFaces("blocked", tenantId, "", 10)).toStrictEqual([face]);
      expect(await store.findFaces("blocked", tenantId, [face.id])).toStrictEqual([face]);
      expect(await store.unblockFace(await newTenant(), face.id, aStep("x"))).toBe(false);
      expect(await store.unblockFace(tenantId, face.id, aStep("face_unblocked"))).toBe(true);
      expect(await store.unblockFace(tenantId, face.id, aStep("x"))).toBe(false);
      expect(await store.listBlocked(tenantId, "")).toStrictEqual([]);
      const evidence = await store.listEvidence(tenantId, 0);
      expect(evidence.map(({ seq, kind }) => [seq, kind])).toStrictEqual([
        [1, "face_blocked"],
        [2, "face_unblocked"],
      ]);
      expect(evidence[0]?.body).toStrictEqual({ face: face.id });
      expect(await store.listEvidence(tenantId, 1)).toHaveLength(1);
    });

    it("blocks several faces together or none", async () => {
      const [one, two] = [sealed(), sealed()].map((all) => {
        const { tenantId: _, ...face } = all;
        return { ...face, sealedNote: someBytes(), at: at(9) };
      });
      const both = store.blockFaces(tenantId, [one!, { ...two!, id: one!.id }], aStep("face_blocked"));
      await expect(both).rejects.toThrow();
      expect(await store.listBlocked(tenantId, "")).toStrictEqual([]);
      expect(await headOf(tenantId)).toBe(0);
      await store.blockFaces(tenantId, [one!, two!], aStep("face_blocked"));
      expect(await store.listBlocked(tenantId, "")).toHaveLength(2);
    });

    it("says how far the evidence of every tenant goes", async () => {
      const quiet = await newTenant();
      await block();
      await block();
      expect([await headOf(tenantId), await headOf(quiet)]).toStrictEqual([2, 0]);
    });

    it("enrols nobody whom a search did not compare with everyone that is there now", async () => {
      expect(await enrol(aPerson(), 0)).toBe(true);
      expect(await enrol(aPerson(), 0)).toBe(false);
      await block();
      expect(await enrol(aPerson(), 1)).toBe(false);
      await store.recordTransaction(aTransaction(tenantId), [], aStep("person_enabled"));
      expect(await enrol(aPerson(), 2)).toBe(true);
      expect(await store.listFaces("people", tenantId, "", 9)).toHaveLength(2);
    });

    it("of many who searched at the same moment enrols one", async () => {
      const second = await harness.open();
      const won = await Promise.all(
        Array.from({ length: 8 }, (_, n) => {
          const by = n % 2 === 0 ? store : second;
          return by.enrolPerson(aPerson(), aTransaction(tenantId), [], aStep("person_enrolled"), 0);
        }),
      );
      await second.close();
      expect(won.filter(Boolean)).toHaveLength(1);
    });

    it("blocks nobody under a data key that was destroyed, and forgets whom it sealed", async () => {
      await block();
      expect(await store.purgeBlocked()).toBe(0);
      await store.destroyKey(dataKeyId, at(5), aStep("data_key_destroyed"));
      await expect(block()).rejects.toMatchObject({ code: "store_unavailable" });
      expect(await store.purgeBlocked()).toBe(1);
      expect(await store.listBlocked(tenantId, "")).toStrictEqual([]);
    });
  });
};
