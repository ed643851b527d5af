import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type { RegistryOwner, RegistryPersonRow } from "#features/registry/store/registry-person";
import {
  aStep,
  at,
  closeFresh,
  countRows,
  newTenantIn,
  noStep,
  openFresh,
  type StoreHarness,
  someBytes,
} from "../../storage/suite.ts";

/** The guarantees of every store for the local civil registry. */
export const describeRegistryPersons = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`persons of the local registry: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let owner: RegistryOwner;

    beforeEach(async () => {
      const opened = await openFresh(makeHarness);
      ({ harness, store } = opened);
      owner = { tenantId: opened.tenantId, environment: "test", country: "ECU" };
      await addKey(owner.tenantId);
    });
    afterEach(() => closeFresh({ harness, store }));

    const addKey = async (tenantId: string): Promise<void> => {
      const key = { id: `key-${tenantId}`, tenantId, purpose: "registry", createdAt: at(0) };
      await store.insertKey({ ...key, masterId: "master", wrapped: someBytes() });
    };
    const aPerson = (
      hash: string,
      change: Partial<RegistryPersonRow> = {},
      tenantId = owner.tenantId,
    ): RegistryPersonRow => ({
      hash,
      content: `content of ${hash}`,
      dataKeyId: `key-${tenantId}`,
      sealed: someBytes(),
      ...change,
    });

    it("are found by hash in their tenant, environment and country alone, with their photos", async () => {
      const [one, other] = [aPerson("a", { sealedPhoto: someBytes() }), aPerson("b")];
      await store.putRegistryPersons(owner, [other, one], at(0));
      expect(await store.findRegistryPerson(owner, "a")).toStrictEqual({
        sealed: one.sealed,
        sealedPhoto: one.sealedPhoto,
      });
      expect(await store.findRegistryPerson(owner, "b")).toStrictEqual({ sealed: other.sealed });
      const tenantId = await newTenantIn(store);
      for (const of of [
        { ...owner, tenantId },
        { ...owner, environment: "live" as const },
        { ...owner, country: "PER" as const },
      ]) {
        expect(await store.findRegistryPerson(of, "a")).toBeUndefined();
        expect(await store.holdsRegistryPersons(of)).toBe(false);
        expect(await store.listRegistryContents(of, ["a", "b"])).toStrictEqual([]);
        expect(await store.removeRegistryPerson(of, "a", noStep)).toBe(false);
        expect(await store.removeRegistryPersons(of)).toBe(0);
      }
      expect(await store.holdsRegistryPersons(owner)).toBe(true);
      const contents = await store.listRegistryContents(owner, ["a", "c"]);
      expect(contents).toStrictEqual([{ hash: "a", content: "content of a" }]);
    });

    it("are replaced whole: a person without photo leaves none of the former", async () => {
      await store.putRegistryPersons(owner, [aPerson("a", { sealedPhoto: someBytes() })], at(0));
      const later = aPerson("a", { content: "other" });
      await store.putRegistryPersons(owner, [later], at(1));
      expect(await store.findRegistryPerson(owner, "a")).toStrictEqual({ sealed: later.sealed });
      expect(await countRows(harness, "registry_persons")).toBe(1);
      expect(await countRows(harness, "registry_photos")).toBe(0);
      const again = aPerson("a", { sealedPhoto: someBytes() });
      await store.putRegistryPersons(owner, [again], at(2));
      expect((await store.findRegistryPerson(owner, "a"))?.sealedPhoto).toStrictEqual(again.sealedPhoto);
    });

    it("are written by two imports at once without a wait for each other", async () => {
      const second = await harness.open();
      const hashes = Array.from({ length: 200 }, (_, n) => `hash-${n}`);
      const put = (one: Store, order: readonly string[]) =>
        one.putRegistryPersons(
          owner,
          order.map((hash) => aPerson(hash, { sealedPhoto: someBytes() })),
          at(0),
        );
      for (let round = 0; round < 5; round++) {
        await Promise.all([put(store, hashes), put(second, hashes.toReversed())]);
      }
      await second.close();
      expect(await countRows(harness, "registry_persons")).toBe(200);
      expect(await countRows(harness, "registry_photos")).toBe(200);
    });

    it("are not written under a destroyed key", async () => {
      await store.destroyKey(`key-${owner.tenantId}`, at(1), noStep);
      await expect(store.putRegistryPersons(owner, [aPerson("a")], at(2))).rejects.toMatchObject({
        code: "store_unavailable",
      });
      expect(await countRows(harness, "registry_persons")).toBe(0);
    });

    it("are counted by environment and country", async () => {
      await store.putRegistryPersons(
        owner,
        [aPerson("a", { sealedPhoto: someBytes() }), aPerson("b")],
        at(0),
      );
      await store.putRegistryPersons({ ...owner, country: "PER" }, [aPerson("a")], at(0));
      await store.putRegistryPersons({ ...owner, environment: "live" }, [aPerson("a")], at(0));
      expect(await store.countRegistryPersons(owner.tenantId)).toStrictEqual([
        { environment: "live", country: "ECU", persons: 1, photos: 0 },
        { environment: "test", country: "ECU", persons: 2, photos: 1 },
        { environment: "test", country: "PER", persons: 1, photos: 0 },
      ]);
      expect(await store.countRegistryPersons(await newTenantIn(store))).toStrictEqual([]);
    });

    it("are removed one by one with the evidence, and all of a registry", async () => {
      const photo = { sealedPhoto: someBytes() };
      await store.putRegistryPersons(owner, [aPerson("a", photo), aPerson("b", photo), aPerson("c")], at(0));
      await store.putRegistryPersons({ ...owner, country: "PER" }, [aPerson("a", photo)], at(0));
      expect(await store.removeRegistryPerson(owner, "a", aStep("removed"))).toBe(true);
      expect(await store.removeRegistryPerson(owner, "a", aStep("again"))).toBe(false);
      expect(await countRows(harness, "evidence")).toBe(1);
      expect(await store.removeRegistryPersons(owner)).toBe(2);
      expect(await store.removeRegistryPersons(owner)).toBe(0);
      expect(await countRows(harness, "registry_photos")).toBe(1);
    });

    it("of an erased tenant go with their photos, and later ones and those of others stay", async () => {
      const photo = { sealedPhoto: someBytes() };
      const tenantId = await newTenantIn(store);
      await addKey(tenantId);
      await store.putRegistryPersons(owner, [aPerson("a", photo), aPerson("b")], at(0));
      await store.putRegistryPersons(
        { ...owner, environment: "live", country: "PER" },
        [aPerson("a", photo)],
        at(0),
      );
      await store.putRegistryPersons(owner, [aPerson("c", photo)], at(10));
      await store.putRegistryPersons({ ...owner, tenantId }, [aPerson("a", photo, tenantId)], at(0));
      expect(await store.purgeRegistryPersons(owner.tenantId, at(0))).toBe(0);
      expect(await store.purgeRegistryPersons(owner.tenantId, at(10))).toBe(3);
      expect(await store.purgeRegistryPersons(owner.tenantId, at(10))).toBe(0);
      expect(await countRows(harness, "registry_persons")).toBe(2);
      expect(await countRows(harness, "registry_photos")).toBe(2);
    });
  });
};
