import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type { KeyRow } from "#trust/key-ring/key-store";
import {
  aStep,
  aTransaction,
  at,
  closeFresh,
  countRows,
  newTenantIn,
  noStep,
  openFresh,
  type StoreHarness,
} from "./suite.ts";

const aDataKey = (tenantId: string, change: Partial<KeyRow> = {}): KeyRow => ({
  id: randomUUID(),
  tenantId,
  purpose: "images",
  masterId: "m1",
  wrapped: new Uint8Array([1, 2, 3]),
  createdAt: at(0),
  ...change,
});

/** The guarantees of every store, for each database. */
export const describeStore = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
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

    describe("data keys", () => {
      it("keeps one active key per tenant and purpose, in any order of arrival", async () => {
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

      it("are written by the first of several processes that create them at once", async () => {
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

      it("change only if they still equal the value that was read", async () => {
        await store.replaceSecret("keys", undefined, seal(1));
        expect(await store.replaceSecret("keys", seal(2), seal(3))).toBe(false);
        expect(await store.replaceSecret("others", seal(1), seal(3))).toBe(false);
        const changes = await Promise.all([4, 5].map((n) => store.replaceSecret("keys", seal(1), seal(n))));
        expect(changes.filter(Boolean)).toHaveLength(1);
        expect(await store.findSecret("keys")).toStrictEqual(seal(changes[0] === true ? 4 : 5));
      });
    });

    describe("life", () => {
      it("answers ping, refuses commands after close, and keeps the data for the next opening", async () => {
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

      it("completes the commands sent before close", async () => {
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
