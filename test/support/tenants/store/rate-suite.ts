import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import { closeFresh, countRows, newTenantIn, openFresh, type StoreHarness } from "../../storage/suite.ts";

/** A bucket of ten calls that regains one in an hour: no test takes that long. */
const callUs = 3_600_000_000;
const ofTen = { spareUs: 0, fullUs: 10 * callUs };

/** The guarantees of every store for the rate limits of API keys, for each database. */
export const describeRates = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`rates: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let bucket: { readonly tenantId: string; readonly keyId: string };

    const take = async (by: Store, calls = 1): Promise<number> => {
      const spansUs = Array.from({ length: calls }, () => callUs);
      return (await by.askRate(bucket, { ...ofTen, spansUs })).granted.filter(Boolean).length;
    };

    beforeEach(async () => {
      const fresh = await openFresh(makeHarness);
      ({ harness, store } = fresh);
      bucket = { tenantId: fresh.tenantId, keyId: randomUUID() };
    });
    afterEach(() => closeFresh({ harness, store }));

    it("gives a bucket once, to processes that ask at the same moment", async () => {
      const second = await harness.open();
      const asks = Array.from({ length: 24 }, (_, n) => take(n % 2 === 0 ? store : second));
      const taken = (await Promise.all(asks)).reduce((sum, n) => sum + n, 0);
      await second.close();
      expect(taken).toBe(10);
      expect(await countRows(harness, "rate_buckets")).toBe(1);
    });

    it("answers what fits, and when the bucket is full again", async () => {
      const first = await store.askRate(bucket, { ...ofTen, spansUs: [callUs], spareUs: 2 * callUs });
      expect(first).toMatchObject({ granted: [true], spareUs: 2 * callUs });
      expect(first.missingUs).toBe(3 * callUs);
      expect(await take(store, 9)).toBe(7);
      const { granted, missingUs } = await store.askRate(bucket, { ...ofTen, spansUs: [callUs] });
      expect(granted).toEqual([false]);
      expect(missingUs / callUs).toBeGreaterThan(9.9);
      expect(missingUs / callUs).toBeLessThanOrEqual(10);
    });

    it("refills by the clock of the store", async () => {
      const fast = { spansUs: [50_000], spareUs: 0, fullUs: 50_000 };
      expect((await store.askRate(bucket, fast)).granted).toEqual([true]);
      await expect
        .poll(async () => (await store.askRate(bucket, fast)).granted, { timeout: 10_000 })
        .toEqual([true]);
    });

    it("has a bucket for each key and tenant", async () => {
      expect(await take(store, 10)).toBe(10);
      bucket = { ...bucket, keyId: randomUUID() };
      expect(await take(store, 10)).toBe(10);
      bucket = { ...bucket, tenantId: await newTenantIn(store) };
      expect(await take(store, 10)).toBe(10);
      expect(await take(store)).toBe(0);
    });
  });
};
