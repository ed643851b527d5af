import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import {
  anOperationStep,
  aTransaction,
  at,
  closeFresh,
  newTenantIn,
  openFresh,
  type StoreHarness,
} from "../../storage/suite.ts";

/** The guarantees of every store for reads of expiries. */
export const describeExpiries = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`expiries: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    const end = async (state: "EXPIRED" | "DENIED", seconds: number, owner = tenantId) => {
      const id = randomUUID();
      const step = anOperationStep(randomUUID(), { operationId: id });
      await store.recordTransaction(aTransaction(owner), [], { evidence: [], operation: step });
      const { opening: _, ...ending } = anOperationStep(randomUUID(), {
        operationId: id,
        at: at(seconds),
        ending: { state, reason: "NO_FURTHER_CALL" },
      });
      await store.recordTransaction(aTransaction(owner), [], { evidence: [], operation: ending });
      return ending.transactionId;
    };

    it("are those of the tenant and the time, in one order, each once, and no other end", async () => {
      await Promise.all([end("DENIED", 5), end("EXPIRED", 4), end("EXPIRED", 6)]);
      await end("EXPIRED", 5, await newTenantIn(store));
      const ids = await Promise.all(Array.from({ length: 501 }, () => end("EXPIRED", 5)));
      const range = { since: at(5), until: at(6) };
      const first = await store.listExpiries(tenantId, range);
      const second = await store.listExpiries(tenantId, range, first.at(-1));
      expect([first.length, second.length]).toStrictEqual([500, 1]);
      expect([...first, ...second]).toStrictEqual(
        ids.toSorted().map((id) => ({ id, environment: "test", at: at(5), reason: "NO_FURTHER_CALL" })),
      );
      expect(await store.listExpiries(tenantId, range, second[0])).toStrictEqual([]);
    });
  });
};
