import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import {
  aTransaction,
  at,
  closeFresh,
  newTenantIn,
  noStep,
  openFresh,
  type StoreHarness,
} from "../../storage/suite.ts";

/** The guarantees of every store for reads of results alone. */
export const describeResults = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`results: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    it("are those of the tenant and the time, in one order, page by page, without measurements", async () => {
      const records = Array.from({ length: 501 }, () => aTransaction(tenantId));
      const times = [at(4), at(6)];
      const around = times.map((time) => aTransaction(tenantId, { at: time }));
      const other = aTransaction(await newTenantIn(store));
      for (const record of [...records, ...around, other]) await store.recordTransaction(record, [], noStep);

      const range = { since: at(5), until: at(6) };
      const first = await store.listResults(tenantId, range);
      const second = await store.listResults(tenantId, range, first.at(-1));
      expect([first.length, second.length]).toStrictEqual([500, 1]);
      const expected = records
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, environment, endpoint, at: time, result, policyVersion }) => ({
          id,
          environment,
          endpoint,
          at: time,
          result,
          policyVersion,
        }));
      expect([...first, ...second]).toStrictEqual(expected);
      expect(await store.listResults(tenantId, range, second[0])).toStrictEqual([]);
      expect(await store.countResults(tenantId, range)).toBe(501);
      expect(await store.countResults(tenantId, { since: at(7), until: at(9) })).toBe(0);
    });
  });
};
