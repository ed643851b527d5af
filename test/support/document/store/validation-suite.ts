import { randomBytes, randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type { Lease, NewValidation } from "#judging/document/store/validation";
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
} from "../../storage/suite.ts";
import { aLease } from "../a-lease.ts";

const aValidation = (tenantId: string, change: Partial<NewValidation> = {}): NewValidation => ({
  id: randomUUID(),
  tenantId,
  environment: "test",
  version: 2,
  createdAt: at(0),
  sealedInput: randomBytes(64),
  blobIds: [],
  ...change,
});

const lease = (worker: string, change: Partial<Lease> = {}): Lease => aLease(worker, at(1000), change);

/** The guarantees of every store for document validations, their leases and their images. */
export const describeValidations = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(name, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;

    const newTenant = (): Promise<string> => newTenantIn(store);
    const count = (table: string): Promise<number> => countRows(harness, table);

    const leased = async (request: Lease) => (await store.leaseValidations(request)).jobs;
    const start = async (change: Partial<NewValidation> = {}): Promise<NewValidation> => {
      const validation = aValidation(tenantId, change);
      await store.createValidation(validation, [], aTransaction(tenantId), noStep);
      return validation;
    };
    const heldBy = (worker: string, id: string, of = tenantId) => ({ tenantId: of, id, revision: 0, worker });
    const finishing = (id: string, worker: string, change: Partial<{ status: "DONE" | "FAILED" }> = {}) => ({
      ...heldBy(worker, id),
      status: "DONE" as const,
      at: at(70_000),
      sealedRecord: new Uint8Array([9, 8, 7]),
      transaction: aTransaction(tenantId),
      ...change,
    });

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
    });
    afterEach(() => closeFresh({ harness, store }));

    describe("validations", () => {
      it("creates the validation, its blobs, its transaction and its step in one commit", async () => {
        const blob = { id: randomUUID(), tenantId, kind: "document-front", bytes: 12, createdAt: at(1) };
        const validation = aValidation(tenantId, { blobIds: [blob.id] });
        const transaction = aTransaction(tenantId);
        await store.createValidation(validation, [blob], transaction, aStep("start"));
        const { blobIds: _, ...stored } = validation;
        expect(await store.findValidation(tenantId, validation.id)).toStrictEqual({
          ...stored,
          sealedInput: new Uint8Array(validation.sealedInput),
          status: "PENDING",
          attempts: 0,
          attempt: 1,
          revision: 0,
          waitsSince: at(0),
        });
        expect(await store.knownBlobIds(tenantId, [blob.id])).toStrictEqual([blob.id]);
        expect(await store.findTransaction(tenantId, transaction.id)).toStrictEqual(transaction);
        expect([await count("events"), await count("evidence")]).toStrictEqual([2, 1]);
      });

      it("writes nothing when it names a blob that does not exist", async () => {
        const validation = aValidation(tenantId, { blobIds: [randomUUID()] });
        await expect(
          store.createValidation(validation, [], aTransaction(tenantId), aStep("x")),
        ).rejects.toThrow();
        expect([
          await count("validations"),
          await count("transactions"),
          await count("events"),
        ]).toStrictEqual([0, 0, 0]);
      });

      it("hides validations and blobs from other tenants", async () => {
        const blob = { id: randomUUID(), tenantId, kind: "front", bytes: 1, createdAt: at(1) };
        const validation = aValidation(tenantId, { blobIds: [blob.id] });
        await store.createValidation(validation, [blob], aTransaction(tenantId), noStep);
        const other = await newTenant();
        expect(await store.findValidation(other, validation.id)).toBeUndefined();
        expect(await store.knownBlobIds(other, [blob.id])).toStrictEqual([]);
        await store.leaseValidations(lease("w"));
        expect(await store.renewLease(heldBy("w", validation.id, other), at(9999))).toBe(false);
      });

      it("leases the oldest first, up to the limit, and counts the attempt", async () => {
        const late = await start({ createdAt: at(20) });
        const early = await start({ createdAt: at(10) });
        const latest = await start({ createdAt: at(30) });
        const first = await leased(lease("a", { limit: 2 }));
        expect(first.map(({ id, attempts }) => [id, attempts])).toStrictEqual([
          [early.id, 1],
          [late.id, 1],
        ]);
        expect((await leased(lease("b"))).map(({ id }) => id)).toStrictEqual([latest.id]);
        expect(await leased(lease("c"))).toStrictEqual([]);
      });

      it("makes a row due again when its lease ends, not before, and not while it is renewed", async () => {
        const { id } = await start();
        await store.leaseValidations(lease("a"));
        expect(await leased(lease("b", { now: at(30_999) }))).toStrictEqual([]);
        expect(await store.renewLease(heldBy("a", id), at(60_000))).toBe(true);
        expect(await leased(lease("b", { now: at(31_000) }))).toStrictEqual([]);
        const alone = { now: at(60_000), isAlone: true };
        expect(await leased(lease("b", alone))).toMatchObject([{ id, attempts: 1 }]);
        expect(await store.renewLease(heldBy("a", id), at(90_000))).toBe(false);
      });

      it("retries a row for its holder alone, without counting the attempt", async () => {
        const { id } = await start();
        await store.leaseValidations(lease("a"));
        expect(await store.retryValidation(heldBy("b", id), at(5_000), false)).toBe(false);
        expect(await store.retryValidation(heldBy("a", id), at(5_000), false)).toBe(true);
        expect(await store.renewLease(heldBy("a", id), at(90_000))).toBe(false);
        expect(await leased(lease("b", { now: at(4_999) }))).toStrictEqual([]);
        expect(await leased(lease("b", { now: at(5_000) }))).toMatchObject([{ id, attempts: 1 }]);
      });

      it("keeps a provider's session for its holder alone, until the row is decided", async () => {
        const { id } = await start();
        const sealedSession = randomBytes(24);
        await store.leaseValidations(lease("a"));
        expect(await store.keepSession(heldBy("b", id), sealedSession)).toBe(false);
        expect(await store.keepSession(heldBy("a", id), sealedSession)).toBe(true);
        await store.retryValidation(heldBy("a", id), at(5_000), false);
        const [taken] = await leased(lease("b", { now: at(5_000) }));
        expect(taken?.sealedSession).toEqual(new Uint8Array(sealedSession));
        await store.finishValidation(finishing(id, "b"), noStep);
        expect(await store.findValidation(tenantId, id)).not.toHaveProperty("sealedSession");
      });

      it.each(["DONE", "FAILED"] as const)(
        "decides %s once, with its record, transaction and step",
        async (status) => {
          const { id } = await start();
          await store.leaseValidations(lease("a"));
          const finish = finishing(id, "a", { status });
          expect(await store.finishValidation(finish, aStep("end"))).toBe("finished");
          expect(await store.findValidation(tenantId, id)).toMatchObject({
            status,
            decidedAt: at(70_000),
            sealedRecord: new Uint8Array([9, 8, 7]),
            attempts: 1,
          });
          expect(await store.findTransaction(tenantId, finish.transaction.id)).toStrictEqual(
            finish.transaction,
          );
          expect([await count("events"), await count("evidence")]).toStrictEqual([2, 1]);
          expect(await store.finishValidation(finishing(id, "a"), aStep("again"))).toBe("lost");
          expect(await leased(lease("b", { now: at(999_999) }))).toStrictEqual([]);
          expect([await count("events"), await count("evidence")]).toStrictEqual([2, 1]);
        },
      );

      it("refuses the result of a worker whose lease another worker took over, and writes nothing of it", async () => {
        const { id } = await start();
        await store.leaseValidations(lease("a"));
        await leased(lease("b", { now: at(31_000), isAlone: true }));
        expect(await store.finishValidation(finishing(id, "a"), aStep("late"))).toBe("lost");
        expect(await store.findValidation(tenantId, id)).toMatchObject({ status: "PENDING", attempts: 1 });
        expect([await count("transactions"), await count("events")]).toStrictEqual([1, 0]);
        expect(await store.finishValidation(finishing(id, "b"), noStep)).toBe("finished");
      });

      it("leases no row to two processes at the same time", async () => {
        const stores = [store, await harness.open(), await harness.open()];
        const ids = await Promise.all(Array.from({ length: 60 }, async () => (await start()).id));
        const rounds = await Promise.all(
          Array.from({ length: 24 }, (_, n) => stores[n % 3]!.leaseValidations(lease(`w${n}`, { limit: 4 }))),
        );
        const taken = rounds.flatMap(({ jobs }) => jobs.map(({ id }) => id));
        // Skipped rows may leave a round short; the remaining rows belong to the next round.
        const rest = (await leased(lease("last", { limit: 100 }))).map(({ id }) => id);
        await Promise.all(stores.slice(1).map((other) => other.close()));
        expect(rounds.every(({ jobs }) => jobs.length <= 4)).toBe(true);
        expect([...taken, ...rest].sort()).toStrictEqual(ids.sort());
      });
    });

    describe("blobs", () => {
      it("returns the ids that a row names", async () => {
        const blobs = [1, 2].map((n) => ({
          id: randomUUID(),
          tenantId,
          kind: "front",
          bytes: n,
          createdAt: at(n),
        }));
        const ids = blobs.map(({ id }) => id);
        await store.createValidation(
          aValidation(tenantId, { blobIds: ids }),
          blobs,
          aTransaction(tenantId),
          noStep,
        );
        expect([...(await store.knownBlobIds(tenantId, [...ids, randomUUID()]))].sort()).toStrictEqual(
          ids.sort(),
        );
        expect(await store.knownBlobIds(tenantId, [])).toStrictEqual([]);
      });
    });

    describe("old blobs", () => {
      const startWithBlob = async (age: Date, tenant = tenantId) => {
        const blob = { id: randomUUID(), tenantId: tenant, kind: "front", bytes: 1, createdAt: age };
        const validation = aValidation(tenant, { blobIds: [blob.id], createdAt: age });
        await store.createValidation(validation, [blob], aTransaction(tenant), noStep);
        return { blob: blob.id, validation: validation.id };
      };

      it("are removed once their validation is decided, and the validation is kept", async () => {
        const other = await newTenant();
        const [old, foreign] = [await startWithBlob(at(10)), await startWithBlob(at(20), other)];
        const young = await startWithBlob(at(40));
        await store.leaseValidations(lease("w"));
        await store.finishValidation(finishing(old.validation, "w"), noStep);
        await store.finishValidation({ ...finishing(foreign.validation, "w"), tenantId: other }, noStep);
        await store.finishValidation(finishing(young.validation, "w"), noStep);
        const open = await startWithBlob(at(5));
        expect(await store.forgetBlobs(at(40))).toBe(2);
        expect(await store.forgetBlobs(at(40))).toBe(0);
        expect(await store.knownBlobIds(other, [foreign.blob])).toStrictEqual([]);
        const known = await store.knownBlobIds(tenantId, [old.blob, young.blob, open.blob]);
        expect([...known].sort()).toStrictEqual([young.blob, open.blob].sort());
        expect(await store.findValidation(tenantId, old.validation)).toMatchObject({ status: "DONE" });
      });

      it("are removed by several processes at once, each once", async () => {
        const second = await harness.open();
        const started = [];
        for (let n = 0; n < 20; n++) started.push(await startWithBlob(at(n)));
        await store.leaseValidations(lease("w", { limit: 20 }));
        for (const { validation } of started)
          await store.finishValidation(finishing(validation, "w"), noStep);
        const counts = await Promise.all(
          [store, second, store, second].map((one) => one.forgetBlobs(at(99))),
        );
        await second.close();
        expect(counts.reduce((sum, removed) => sum + removed, 0)).toBe(20);
        expect(await count("blobs")).toBe(0);
      });
    });
  });
};
