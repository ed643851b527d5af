import { randomBytes, randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type { BlockedFace } from "#features/users/store/face-list";
import type { NewUser } from "#features/users/store/user";
import type { Step } from "#record/transactions/record";
import {
  aTransaction,
  at,
  closeFresh,
  newTenantIn,
  openFresh,
  type StoreHarness,
  someBytes,
} from "../../storage/suite.ts";

const aStep = (kind: string, body = {}): Step => ({
  evidence: [{ id: randomUUID(), kind, at: at(2), body }],
});

/** The guarantees of every store for the lists of one-to-many search, for each database. */
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
      environment: "test" as const,
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
    const aUser = (): NewUser => ({
      ...sealed(),
      pseudonym: randomBytes(32).toString("hex"),
      enrolledAt: at(1),
    });
    const enrol = (user: NewUser, searchedAt?: number): Promise<boolean> =>
      store.enrolUser(user, aTransaction(tenantId), [], aStep("person_enrolled"), searchedAt);
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
      const users = Array.from({ length: 5 }, aUser);
      await Promise.all(users.map((user) => enrol(user)));
      const ids = users.map(({ id }) => id).sort();
      const first = await store.listFaces("people", tenantId, "", 3);
      const rest = await store.listFaces("people", tenantId, first[2]!.id, 3);
      expect([...first, ...rest].map(({ id }) => id)).toStrictEqual(ids);
      const { enrolledAt: _, ...kept } = users.find(({ id }) => id === ids[0])!;
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

    it("blocks no face after a reading of the list that another blocked face has overtaken", async () => {
      const faceToBlock = () => ({ ...sealed(), sealedNote: someBytes(), at: at(9) });
      const blockAfter = (seq: number, by = store): Promise<boolean> => {
        const face = faceToBlock();
        return by.blockFaces(tenantId, [face], aStep("face_blocked", { face: face.id }), seq);
      };
      const second = await harness.open();
      const won = await Promise.all(
        Array.from({ length: 8 }, (_, n) => blockAfter(0, n % 2 === 0 ? store : second)),
      );
      await second.close();
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await store.listBlocked(tenantId, "")).toHaveLength(1);
      // An enrolment is no change of the block list.
      await enrol(aUser());
      expect([await blockAfter(0), await blockAfter(1), await blockAfter(2)]).toEqual([false, true, false]);
    });

    it("returns the last evidence position of every tenant", async () => {
      const quiet = await newTenant();
      await block();
      await block();
      expect([await headOf(tenantId), await headOf(quiet)]).toStrictEqual([2, 0]);
    });

    it("refuses an enrolment whose search did not cover every present face", async () => {
      expect(await enrol(aUser(), 0)).toBe(true);
      expect(await enrol(aUser(), 0)).toBe(false);
      await block();
      expect(await enrol(aUser(), 1)).toBe(false);
      await store.recordTransaction(aTransaction(tenantId), [], aStep("person_enabled"));
      expect(await enrol(aUser(), 2)).toBe(true);
      expect(await store.listFaces("people", tenantId, "", 9)).toHaveLength(2);
    });

    it("enrols one of many candidates that searched at the same moment", async () => {
      const second = await harness.open();
      const won = await Promise.all(
        Array.from({ length: 8 }, (_, n) => {
          const by = n % 2 === 0 ? store : second;
          return by.enrolUser(aUser(), aTransaction(tenantId), [], aStep("person_enrolled"), 0);
        }),
      );
      await second.close();
      expect(won.filter(Boolean)).toHaveLength(1);
    });

    it("blocks no face under a destroyed data key, and purges the faces that it sealed", async () => {
      await block();
      expect(await store.purgeBlocked()).toBe(0);
      await store.destroyKey(dataKeyId, at(5), aStep("data_key_destroyed"));
      await expect(block()).rejects.toMatchObject({ code: "store_unavailable" });
      expect(await store.purgeBlocked()).toBe(1);
      expect(await store.listBlocked(tenantId, "")).toStrictEqual([]);
    });
  });
};
