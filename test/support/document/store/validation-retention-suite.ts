import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type { Finish } from "#judging/document/store/validation";
import {
  aTransaction,
  at,
  closeFresh,
  countRows,
  newTenantIn,
  noStep,
  openFresh,
  type StoreHarness,
  someBytes,
} from "../../storage/suite.ts";
import { aLease } from "../a-lease.ts";

/** The guarantees of every store for validations past their retention. */
export const describeValidationRetention = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`retention of validations: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    const start = async (blobIds: readonly string[] = [], tenant = tenantId): Promise<string> => {
      const id = randomUUID();
      const given = { id, tenantId: tenant, environment: "test", version: 2, createdAt: at(0) } as const;
      const rows = blobIds.map((blob) => ({
        id: blob,
        tenantId: tenant,
        kind: "front",
        bytes: 1,
        createdAt: at(0),
      }));
      await store.createValidation(
        { ...given, sealedInput: someBytes(), blobIds },
        rows,
        aTransaction(tenant),
        noStep,
      );
      return id;
    };
    const decide = async (
      id: string,
      ms: number,
      decision: NonNullable<Finish["decision"]> = "Approved",
      tenant = tenantId,
    ): Promise<void> => {
      await store.leaseValidations(aLease("w", at(0), { leaseMs: 1000, limit: 1000 }));
      const held = { tenantId: tenant, id, revision: 0, worker: "w" } as const;
      expect(await store.finishValidation({ ...held, status: "DONE", at: at(ms), decision }, noStep)).toBe(
        "finished",
      );
    };
    const isThere = async (id: string): Promise<boolean> =>
      (await store.findValidation(tenantId, id)) !== undefined;

    it("deletes a validation that was decided before a time, with the rows of its images", async () => {
      const [old, young] = [await start(["blob-1", "blob-2"]), await start(["blob-3"])];
      await decide(old, 10);
      await decide(young, 11);
      expect(await store.purgeValidations(tenantId, at(11))).toBe(1);
      expect(await store.purgeValidations(tenantId, at(11))).toBe(0);
      expect([await isThere(old), await isThere(young)]).toStrictEqual([false, true]);
      expect(await store.knownBlobIds(tenantId, ["blob-1", "blob-2", "blob-3"])).toStrictEqual(["blob-3"]);
      expect(await countRows(harness, "validation_blobs")).toBe(1);
    });

    it("leaves an undecided one, one in the review queue, and one that waits for better images", async () => {
      const [pending, review, waiting] = [await start(), await start(), await start()];
      await decide(review, 10, "Review");
      await decide(waiting, 10, "Resubmission");
      expect(await store.purgeValidations(tenantId, at(99))).toBe(0);
      for (const id of [pending, review, waiting]) expect(await isThere(id)).toBe(true);
      const ending = { tenantId, id: waiting, revision: 1, decision: "Abandoned", at: at(20) } as const;
      expect(await store.endValidation(ending, noStep)).toBe(true);
      expect(await store.purgeValidations(tenantId, at(20))).toBe(0);
      expect(await store.purgeValidations(tenantId, at(21))).toBe(1);
    });

    it("deletes none of another tenant, and at most 200 at once", async () => {
      const other = await newTenantIn(store);
      await decide(await start([], other), 1, "Approved", other);
      const ids = await Promise.all(Array.from({ length: 201 }, () => start()));
      for (const [n, id] of ids.entries()) await decide(id, n);
      expect(await store.purgeValidations(tenantId, at(999))).toBe(200);
      expect(await isThere(ids[200]!)).toBe(true);
      expect(await store.purgeValidations(tenantId, at(999))).toBe(1);
      expect(await countRows(harness, "validations")).toBe(1);
    });
  });
};
