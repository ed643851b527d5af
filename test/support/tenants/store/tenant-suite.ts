import { randomBytes, randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type { ApiKey } from "#trust/tenants/store/tenant";
import { at, closeFresh, newTenantIn, openFresh, type StoreHarness } from "../../storage/suite.ts";

const aKey = (tenantId: string, change: Partial<ApiKey> = {}): ApiKey => ({
  id: randomUUID(),
  tenantId,
  hash: randomBytes(32).toString("hex"),
  name: "first",
  environment: "test",
  scopes: ["face", "document"],
  createdAt: at(0),
  ...change,
});

/** The guarantees of every store for tenants and API keys, for each database. */
export const describeTenants = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(name, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;

    const newTenant = (): Promise<string> => newTenantIn(store);

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    describe("tenants and API keys", () => {
      it("gives a name to one tenant, even when two processes create it at once", async () => {
        const second = await harness.open();
        const make = (one: Store) => one.createTenant({ id: randomUUID(), name: "Bank", createdAt: at(1) });
        const made = await Promise.all([store, second, store, second].map(make));
        await second.close();
        expect(new Set(made.map(({ id }) => id)).size).toBe(1);
        expect((await store.listTenants()).filter(({ name: called }) => called === "Bank")).toEqual([
          made[0],
        ]);
      });

      it("lists tenants in the order of their creation", async () => {
        const second = randomUUID();
        await store.createTenant({ id: second, name: "B", createdAt: at(1) });
        expect(await store.listTenants()).toStrictEqual([
          { id: tenantId, name: `Caja Ñandú ${tenantId}`, createdAt: at(0) },
          { id: second, name: "B", createdAt: at(1) },
        ]);
      });

      it("keeps the default country of each tenant, until it is removed", async () => {
        const other = await newTenant();
        expect(await store.findDefaultCountry(tenantId)).toBeUndefined();
        expect(await store.setDefaultCountry(tenantId, "CHL")).toBe(true);
        expect(await store.findDefaultCountry(tenantId)).toBe("CHL");
        expect(await store.findDefaultCountry(other)).toBeUndefined();
        expect((await store.listTenants()).map(({ defaultCountry }) => defaultCountry)).toContain("CHL");
        expect(await store.setDefaultCountry(tenantId, undefined)).toBe(true);
        expect(await store.findDefaultCountry(tenantId)).toBeUndefined();
        expect(await store.setDefaultCountry(randomUUID(), "CHL")).toBe(false);
      });

      it("refuses a second tenant of the same id and a key of an unknown tenant", async () => {
        await expect(store.createTenant({ id: tenantId, name: "x", createdAt: at(0) })).rejects.toThrow();
        await expect(store.createApiKey(aKey(randomUUID()))).rejects.toThrow();
      });

      it("finds a key by its hash with every date to the millisecond", async () => {
        const full = aKey(tenantId, { expiresAt: at(1), revokedAt: at(2), lastUsedAt: new Date(-1) });
        const bare = aKey(tenantId, { environment: "live", scopes: [], createdAt: at(9) });
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

      it("lets an active key of the tenant end, and never later than it does already", async () => {
        const key = aKey(tenantId);
        await store.createApiKey(key);
        const endOf = async () => (await store.findApiKey(key.hash))?.expiresAt;
        expect(await store.endApiKey(await newTenant(), key.id, at(3))).toBe(false);
        expect(await endOf()).toBeUndefined();
        expect(await store.endApiKey(tenantId, key.id, at(3))).toBe(true);
        expect(await store.endApiKey(tenantId, key.id, at(4))).toBe(true);
        expect(await endOf()).toStrictEqual(at(3));
        expect(await store.endApiKey(tenantId, key.id, at(2))).toBe(true);
        expect(await endOf()).toStrictEqual(at(2));
        await store.revokeApiKey(tenantId, key.id, at(5));
        expect(await store.endApiKey(tenantId, key.id, at(1))).toBe(false);
      });

      it("passes the limit of keys by none of many calls at once, from two processes, and writes nothing for a refused one", async () => {
        const second = await harness.open();
        const step = () => ({ evidence: [{ id: randomUUID(), kind: "made", at: at(1), body: {} }] });
        const limit = { countMax: 3, since: at(-1) };
        const keys = Array.from({ length: 12 }, () => aKey(tenantId));
        const made = await Promise.allSettled(
          keys.map((key, n) => (n % 2 === 0 ? store : second).createApiKey(key, step(), limit)),
        );
        await second.close();
        const refused = made.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
        expect(refused).toHaveLength(9);
        for (const reason of refused) {
          expect(reason).toMatchObject({ code: "key_limit", facts: { countMax: 3 } });
        }
        expect(await store.listApiKeys(tenantId)).toHaveLength(3);
        expect(await store.listLinks(tenantId, 0)).toHaveLength(3);
      });

      it.each<[string, Partial<ApiKey>, boolean]>([
        ["one without an end", {}, true],
        ["one that ends later", { expiresAt: at(11) }, true],
        ["one that ends now", { expiresAt: at(10) }, false],
        ["a revoked one", { revokedAt: at(1) }, false],
        ["a revoked one of the time before which none counts", { createdAt: at(5), revokedAt: at(6) }, false],
        ["a revoked one that was made after it", { createdAt: at(6), revokedAt: at(6) }, true],
        ["one of the other environment", { environment: "live" }, false],
      ])("counts a key towards the limit, or not: %s", async (_, change, counts) => {
        await store.createApiKey(aKey(tenantId, change));
        await store.createApiKey(aKey(await newTenant()));
        const making = store.createApiKey(aKey(tenantId, { createdAt: at(10) }), undefined, {
          countMax: 1,
          since: at(5),
        });
        if (counts) await expect(making).rejects.toMatchObject({ code: "key_limit" });
        else await making;
      });

      it("commits a change of a key with its step, and writes no step without a change", async () => {
        const step = (kind: string) => ({ evidence: [{ id: randomUUID(), kind, at: at(1), body: {} }] });
        const kinds = async () => (await store.listLinks(tenantId, 0)).map(({ kind }) => kind);
        const key = aKey(tenantId);
        await store.createApiKey(key, step("made"));
        await expect(store.createApiKey(key, step("made again"))).rejects.toThrow();
        await store.endApiKey(tenantId, key.id, at(3), step("ended"));
        await store.revokeApiKey(tenantId, key.id, at(3), step("revoked"));
        for (const id of [key.id, randomUUID()]) {
          expect(await store.endApiKey(tenantId, id, at(4), step("ended again"))).toBe(false);
          expect(await store.revokeApiKey(tenantId, id, at(4), step("revoked again"))).toBe(false);
        }
        expect(await kinds()).toEqual(["made", "ended", "revoked"]);
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
  });
};
