import { requireDataKey } from "#machine/storage/data-key-lock";
import { comesAfter } from "#machine/storage/list-place";
import type { JobTables } from "#record/jobs/store/job-lease";
import type { Step } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import type { KeyTables } from "#trust/key-ring/key-store";
import { isOpen } from "../transfers/transfer-state.ts";
import type { ClearingOwner } from "./clearing-token.ts";
import type { HeldTransfer, NewTransfer, Transfer, TransferChange, TransferPlace } from "./transfer.ts";
import { makeTransferLeaseCommands, type TransferLeaseCommands } from "./transfer-lease.ts";
import { type TransferTables, transferOf } from "./transfer-row.ts";

/** Commands for transfers through the clearing entity; implemented by {@link makeTransferCommands}. */
export type TransferCommands = TransferLeaseCommands & {
  /**
   * Writes the transfer and its step in one commit. Returns the id of the transfer that the transaction has already, and writes
   * nothing then. Fails with store_unavailable when the tenant's data key was destroyed meanwhile.
   */
  readonly createTransfer: (transfer: NewTransfer, step: Step) => Promise<string | undefined>;
  readonly findTransfer: (of: ClearingOwner, id: string) => Promise<Transfer | undefined>;
  /** The transfer of this transaction that was not abandoned. */
  readonly findTransferOf: (of: ClearingOwner, transactionId: string) => Promise<Transfer | undefined>;
  /** Up to `limit` transfers, the newest first, after the last one of the page before. */
  readonly listTransfers: (
    of: ClearingOwner,
    limit: number,
    after?: TransferPlace,
  ) => Promise<readonly Transfer[]>;
  /**
   * A step of the job: changes the state of a leased transfer, with the step. A settled state ends the lease. False, and nothing
   * written, where the worker holds it no more.
   */
  readonly moveTransfer: (held: HeldTransfer, change: TransferChange, step: Step) => Promise<boolean>;
  /**
   * A decision of the operator: changes the state and ends a lease; an open transfer is due at once. False, and nothing written,
   * where the transfer changed meanwhile.
   */
  readonly decideTransfer: (change: TransferChange, step: Step) => Promise<boolean>;
  /** Removes up to 100 transfers of the tenant that changed last before `before`, open ones too. Returns how many. */
  readonly eraseTransfers: (tenantId: string, before: Date) => Promise<number>;
  /** The same of settled transfers alone. */
  readonly purgeTransfers: (tenantId: string, before: Date) => Promise<number>;
};

type TransferSession = StepSession<TransferTables & JobTables & KeyTables>;

/** Longest list that one command deletes, so that other commands wait only milliseconds for it. */
const removedMax = 100;

/** Transfers through the clearing entity: each change with its step in one commit. */
export const makeTransferCommands = (session: TransferSession): TransferCommands => ({
  ...makeTransferLeaseCommands(session),

  createTransfer: (transfer, step) => create(session, transfer, step),

  findTransfer: async ({ tenantId, environment }, id) => {
    // Primary key, one row.
    const row = await session.db
      .selectFrom("clearingTransfers")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .where("id", "=", id)
      .where("environment", "=", environment)
      .executeTakeFirst();
    return row && transferOf(row);
  },

  findTransferOf: (of, transactionId) => findOf(session, of, transactionId),

  listTransfers: (of, limit, after) => list(session, of, limit, after),

  moveTransfer: (held, change, step) => move(session, held, change, step),

  decideTransfer: (change, step) => decide(session, change, step),

  eraseTransfers: (tenantId, before) => remove(session, tenantId, before, false),

  purgeTransfers: (tenantId, before) => remove(session, tenantId, before, true),
});

const create = async (
  session: TransferSession,
  { createdAt, ...transfer }: NewTransfer,
  step: Step,
): Promise<string | undefined> => {
  const { tenantId, dataKeyId } = transfer;
  await requireDataKey(session, { tenantId, dataKeyId });
  const time = createdAt.getTime();
  // Unique index clearing_transfers_once: of two creations at once one inserts.
  const { numInsertedOrUpdatedRows } = await session.db
    .insertInto("clearingTransfers")
    .values({
      ...transfer,
      currentOf: transfer.transactionId,
      state: "created",
      revision: 0,
      createdAt: time,
      changedAt: time,
      waitsSince: time,
      attempts: 0,
    })
    .onConflict((conflict) => conflict.columns(["tenantId", "environment", "currentOf"]).doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows !== 1n) {
    return (await findOf(session, transfer, transfer.transactionId))?.id ?? transfer.id;
  }
  await writeStep(session, tenantId, step);
  return undefined;
};

const findOf = async (
  { db }: TransferSession,
  { tenantId, environment }: ClearingOwner,
  transactionId: string,
): Promise<Transfer | undefined> => {
  // Index clearing_transfers_once, one row.
  const row = await db
    .selectFrom("clearingTransfers")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("environment", "=", environment)
    .where("currentOf", "=", transactionId)
    .executeTakeFirst();
  return row && transferOf(row);
};

const list = async (
  { db }: TransferSession,
  { tenantId, environment }: ClearingOwner,
  limit: number,
  after: TransferPlace | undefined,
): Promise<readonly Transfer[]> => {
  // Index clearing_transfers_listed, backwards, from the end of the page before.
  const rows = await db
    .selectFrom("clearingTransfers")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("environment", "=", environment)
    .$call((query) => (after === undefined ? query : query.where(comesAfter(after))))
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(transferOf);
};

/** The columns of a change. A settled transfer has no lease. */
const columnsOf = ({ state, at, sealed, dataKeyId, reason, waitsSince, revision }: TransferChange) => ({
  state,
  sealed,
  dataKeyId,
  revision: revision + 1,
  reason: reason ?? null,
  changedAt: at.getTime(),
  settledAt: isOpen(state) ? null : at.getTime(),
  ...(state === "abandoned" && { currentOf: null }),
  ...(waitsSince && { waitsSince: waitsSince.getTime() }),
});

const released = { leasedBy: null, leasedUntil: null, attempts: 0, loneDeaths: null } as const;

const move = async (
  session: TransferSession,
  { tenantId, id, worker }: HeldTransfer,
  change: TransferChange,
  step: Step,
): Promise<boolean> => {
  await requireDataKey(session, { tenantId, dataKeyId: change.dataKeyId });
  // Primary key, one row: a worker that lost its lease cannot overwrite.
  const { numUpdatedRows } = await session.db
    .updateTable("clearingTransfers")
    .set({ ...columnsOf(change), ...(!isOpen(change.state) && released) })
    .where("tenantId", "=", tenantId)
    .where("id", "=", id)
    .where("leasedBy", "=", worker)
    .where("revision", "=", change.revision)
    .where("settledAt", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await writeStep(session, tenantId, step);
  return true;
};

const decide = async (session: TransferSession, change: TransferChange, step: Step): Promise<boolean> => {
  const { tenantId, id, dataKeyId, revision } = change;
  await requireDataKey(session, { tenantId, dataKeyId });
  // Primary key, one row.
  const { numUpdatedRows } = await session.db
    .updateTable("clearingTransfers")
    .set({ ...columnsOf(change), ...released })
    .where("tenantId", "=", tenantId)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await writeStep(session, tenantId, step);
  return true;
};

const remove = async (
  { db }: TransferSession,
  tenantId: string,
  before: Date,
  isSettledOnly: boolean,
): Promise<number> => {
  // Index clearing_transfers_age finds the oldest; the primary key deletes them.
  const { numDeletedRows } = await db
    .deleteFrom("clearingTransfers")
    .where("tenantId", "=", tenantId)
    .where("id", "in", (row) =>
      row
        .selectFrom("clearingTransfers")
        .select("id")
        .where("tenantId", "=", tenantId)
        .where("changedAt", "<", before.getTime())
        .$if(isSettledOnly, (query) => query.where("settledAt", "is not", null))
        .orderBy("changedAt")
        .limit(removedMax),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};
