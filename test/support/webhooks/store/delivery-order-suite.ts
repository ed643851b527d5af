import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import { at, closeFresh, openFresh, type StoreHarness } from "../../storage/suite.ts";
import { aFailure, aLease, newDestination, recordEvents } from "../deliveries.ts";

/** The guarantees of every store for the order in which destinations are served. */
export const describeDeliveryOrder = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`order of deliveries: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    /**
     * Ordered destinations whose first event waits for its next attempt, and whose second event waits for the
     * first.
     */
    const blockOrdered = async (ids: readonly string[]): Promise<void> => {
      for (const id of ids) await newDestination(store, tenantId, { id, isOrdered: true });
      await recordEvents(store, tenantId, "blocked");
      const { deliveries } = await store.leaseDeliveries(aLease());
      await store.finishDeliveries({
        worker: "one",
        at: at(30),
        attempts: deliveries.map((one) => aFailure(one, at(36_000_000))),
        retries: [],
        destinations: [],
      });
    };

    it("gives no slot to ordered destinations whose events all wait for an earlier one", async () => {
      await blockOrdered(Array.from({ length: 8 }, (_, n) => `a ${n}`));
      const healthy = await newDestination(store, tenantId, { id: "b" });
      await recordEvents(store, tenantId, "blocked");
      const { deliveries } = await store.leaseDeliveries(aLease({ now: at(100), limit: 8 }));
      expect(deliveries.map(({ destinationId }) => destinationId)).toEqual([healthy]);
    });

    it("returns the last destination that had slots, also where it had no delivery", async () => {
      await newDestination(store, tenantId, { id: "a" });
      await newDestination(store, tenantId, { id: "b" });
      await recordEvents(store, tenantId, "one");
      expect((await store.leaseDeliveries(aLease({ limit: 1 }))).last).toBe("a");
      expect((await store.leaseDeliveries(aLease({ limit: 1, after: "a" }))).last).toBe("b");
      expect((await store.leaseDeliveries(aLease({ limit: 4 }))).last).toBe("b");
      expect((await store.leaseDeliveries(aLease({ limit: 4 }))).last).toBeUndefined();
    });
  });
};
