import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import type { NewTransfer, Transfer, TransferChange, TransferLease } from "#features/clearing/store/transfer";
import type { Step } from "#record/transactions/record";
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

const request: TransferLease = {
  worker: "worker",
  limit: 10,
  leaseMs: 30_000,
  now: at(10),
  isAlone: false,
  running: [],
  endsLeases: true,
  deathsAllowed: 2,
  deathsMax: 3,
};

/** Adds the data key of the tenant, and returns a transfer that can be created. */
export const aTransferIn = async (store: Store, tenantId: string): Promise<NewTransfer> => {
  const dataKeyId = `key-${tenantId}`;
  await store.insertKey({
    id: dataKeyId,
    tenantId,
    purpose: "transfers",
    createdAt: at(0),
    masterId: "master",
    wrapped: someBytes(),
  });
  return {
    tenantId,
    environment: "test",
    id: randomUUID(),
    transactionId: randomUUID(),
    createdAt: at(0),
    sealed: someBytes(),
    dataKeyId,
  };
};

/** The guarantees of every store for transfers through the clearing entity. */
export const describeTransfers = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describe(`transfers: ${name}`, () => {
    let harness: StoreHarness;
    let store: Store;
    let tenantId: string;
    let first: NewTransfer;

    beforeEach(async () => {
      ({ harness, store, tenantId } = await openFresh(makeHarness));
      first = await aTransferIn(store, tenantId);
    });
    afterEach(() => closeFresh({ harness, store }));

    const owner = () => ({ tenantId, environment: "test" }) as const;
    const aTransfer = (change: Partial<NewTransfer> = {}): NewTransfer => ({
      ...first,
      id: randomUUID(),
      transactionId: randomUUID(),
      ...change,
    });
    const proof = (): Step => ({ evidence: aStep(randomUUID()).evidence });
    const entries = () => countRows(harness, "evidence");
    const created = async (change: Partial<NewTransfer> = {}): Promise<Transfer> => {
      const transfer = aTransfer(change);
      expect(await store.createTransfer(transfer, noStep)).toBeUndefined();
      const found = await store.findTransfer(transfer, transfer.id);
      if (found === undefined) throw new Error("The transfer was not written");
      return found;
    };
    const changeOf = (
      { id, revision, dataKeyId, sealed, ...of }: Transfer,
      state: TransferChange["state"],
      change: Partial<TransferChange> = {},
    ): TransferChange => ({
      tenantId: of.tenantId,
      id,
      revision,
      dataKeyId,
      sealed,
      state,
      at: at(20),
      ...change,
    });
    const held = ({ id }: Pick<Transfer, "id">, worker = "worker") => ({ tenantId, id, worker });

    it("are created once for each transaction, with their evidence, until they are abandoned", async () => {
      expect(await store.createTransfer(first, proof())).toBeUndefined();
      const other = aTransfer({ transactionId: first.transactionId });
      expect(await store.createTransfer(other, proof())).toBe(first.id);
      expect([await entries(), await countRows(harness, "clearing_transfers")]).toEqual([1, 1]);
      const stored = await store.findTransferOf(owner(), first.transactionId);
      expect(stored?.id).toBe(first.id);
      if (stored === undefined) return;
      expect(await store.decideTransfer(changeOf(stored, "abandoned"), proof())).toBe(true);
      expect(await store.findTransferOf(owner(), first.transactionId)).toBeUndefined();
      expect(await store.createTransfer(other, proof())).toBeUndefined();
      expect(await entries()).toBe(3);
    });

    it("are created once also by many processes at the same moment", async () => {
      const process = await harness.open();
      const wishes = Array.from({ length: 8 }, () => aTransfer({ transactionId: first.transactionId }));
      const answers = await Promise.all(
        wishes.map((wish, place) => (place % 2 === 0 ? store : process).createTransfer(wish, proof())),
      );
      await process.close();
      expect(answers.filter((answer) => answer === undefined)).toHaveLength(1);
      expect(new Set(answers).size).toBe(2);
      expect([await entries(), await countRows(harness, "clearing_transfers")]).toEqual([1, 1]);
    });

    it("may exist once in each environment and tenant, and others see none of them", async () => {
      const { transactionId } = first;
      await created({ id: first.id, transactionId });
      await created({ transactionId, environment: "live" });
      const other = await newTenantIn(store);
      await store.createTransfer({ ...(await aTransferIn(store, other)), transactionId }, noStep);
      expect(await countRows(harness, "clearing_transfers")).toBe(3);
      for (const of of [{ ...owner(), tenantId: other }, { ...owner(), environment: "live" } as const]) {
        expect(await store.findTransfer(of, first.id)).toBeUndefined();
        expect((await store.findTransferOf(of, transactionId))?.id).not.toBe(first.id);
        expect((await store.listTransfers(of, 10)).map(({ id }) => id)).not.toContain(first.id);
      }
    });

    it("are listed in pages, the newest first", async () => {
      const ids: string[] = [];
      for (const ms of [1, 2, 2, 3]) ids.push((await created({ createdAt: at(ms) })).id);
      const all = await store.listTransfers(owner(), 10);
      expect(all.map(({ createdAt }) => createdAt)).toEqual([at(3), at(2), at(2), at(1)]);
      const page = await store.listTransfers(owner(), 2);
      const rest = await store.listTransfers(owner(), 10, page[1]);
      expect([...page, ...rest]).toEqual(all);
      expect(all.map(({ id }) => id).sort()).toEqual(ids.sort());
    });

    it("move under their lease alone, each move with its evidence, and settle with its end", async () => {
      const transfer = await created();
      const asked = changeOf(transfer, "ticket-requested", { sealed: someBytes() });
      expect(await store.moveTransfer(held(transfer), asked, proof())).toBe(false);
      expect((await store.leaseTransfers(request)).jobs).toEqual([{ ...transfer, attempts: 1 }]);
      expect(await store.moveTransfer(held(transfer, "other"), asked, proof())).toBe(false);
      expect(await store.moveTransfer(held(transfer), asked, proof())).toBe(true);
      expect(await store.moveTransfer(held(transfer), asked, proof())).toBe(false);
      const moved = await store.findTransfer(owner(), transfer.id);
      expect(moved).toEqual({
        ...transfer,
        state: "ticket-requested",
        revision: 1,
        changedAt: at(20),
        sealed: asked.sealed,
        attempts: 1,
      });
      if (moved === undefined) return;
      const end = changeOf(moved, "unclear", { reason: "no-answer", at: at(30) });
      expect(await store.moveTransfer(held(transfer), end, proof())).toBe(true);
      expect(await store.findTransfer(owner(), transfer.id)).toMatchObject({
        state: "unclear",
        reason: "no-answer",
      });
      expect(await store.renewTransfer(held(transfer), at(99_999))).toBe(false);
      expect((await store.leaseTransfers({ ...request, now: at(999_999) })).jobs).toEqual([]);
      expect(await entries()).toBe(2);
    });

    it("keep the start of a wait until a move states another", async () => {
      const transfer = await created();
      await store.leaseTransfers(request);
      await store.moveTransfer(held(transfer), changeOf(transfer, "ticket-requested"), noStep);
      const again = changeOf({ ...transfer, revision: 1 }, "created", { waitsSince: at(40) });
      expect((await store.findTransfer(owner(), transfer.id))?.waitsSince).toEqual(at(0));
      await store.moveTransfer(held(transfer), again, noStep);
      expect((await store.findTransfer(owner(), transfer.id))?.waitsSince).toEqual(at(40));
    });

    it("end their lease by a decision, and are due again at once", async () => {
      const transfer = await created();
      await store.leaseTransfers(request);
      const resumed = changeOf(transfer, "created");
      expect(await store.decideTransfer(resumed, proof())).toBe(true);
      expect(await store.decideTransfer(resumed, proof())).toBe(false);
      expect(await store.renewTransfer(held(transfer), at(99_999))).toBe(false);
      const { jobs } = await store.leaseTransfers({ ...request, worker: "next" });
      expect(jobs.map(({ id, attempts }) => [id, attempts])).toEqual([[transfer.id, 1]]);
      expect(await entries()).toBe(1);
    });

    it("are not written under a destroyed key", async () => {
      const transfer = await created();
      await store.leaseTransfers(request);
      await store.destroyKey(first.dataKeyId, at(5), noStep);
      await expect(store.createTransfer(aTransfer(), proof())).rejects.toThrow();
      const change = changeOf(transfer, "ticket-requested");
      await expect(store.moveTransfer(held(transfer), change, proof())).rejects.toThrow();
      await expect(store.decideTransfer(change, proof())).rejects.toThrow();
      expect(await entries()).toBe(0);
    });

    it("go with an erasure whatever their state, and with their retention once settled", async () => {
      const open = await created();
      const settled = await created();
      const later = await created({ createdAt: at(50) });
      const other = await newTenantIn(store);
      const kept = await aTransferIn(store, other);
      await store.createTransfer(kept, noStep);
      await store.decideTransfer(changeOf(settled, "refused", { at: at(20) }), noStep);
      expect(await store.purgeTransfers(tenantId, at(20))).toBe(0);
      expect(await store.purgeTransfers(tenantId, at(21))).toBe(1);
      expect(await store.findTransfer(owner(), open.id)).toBeDefined();
      expect(await store.eraseTransfers(tenantId, at(50))).toBe(1);
      expect((await store.listTransfers(owner(), 10)).map(({ id }) => id)).toEqual([later.id]);
      expect(await store.findTransfer({ ...owner(), tenantId: other }, kept.id)).toBeDefined();
    });
  });
};
