import { requireDataKey } from "#machine/storage/data-key-lock";
import { defineRows } from "#machine/storage/rows";
import { freshJob, type JobTables } from "#record/jobs/store/job-lease";
import type { Step } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import type { KeyTables } from "#trust/key-ring/key-store";
import { isOpen } from "../transfers/transfer-state.ts";
import { transferTable } from "./clearing-tables.ts";
import type { ClearingOwner } from "./clearing-token.ts";
import type { HeldTransfer, NewTransfer, Transfer, TransferChange, TransferPlace } from "./transfer.ts";
import { makeTransferLeaseCommands, type TransferLeaseCommands } from "./transfer-lease.ts";
import { type TransferTables, transferOf } from "./transfer-row.ts";

/** Commands for transfers through the clearing entity; implemented by {@link makeTransferCommands}. */
export type TransferCommands = TransferLeaseCommands & {
  /**
   * Writes the transfer and its step in one commit. Returns the id of the transfer that the transaction has
   * already, and writes nothing then. Fails with store_unavailable when the tenant's data key was destroyed
   * meanwhile.
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
   * A step of the job: changes the state of a leased transfer, with the step. A settled state ends the lease.
   * False, and nothing written, where the worker holds it no more.
   */
  readonly moveTransfer: (held: HeldTransfer, change: TransferChange, step: Step) => Promise<boolean>;
  /**
   * A decision of the operator: changes the state and ends a lease; an open transfer is due at once. False,
   * and nothing written, where the transfer changed meanwhile.
   */
  readonly decideTransfer: (change: TransferChange, step: Step) => Promise<boolean>;
  /**
   * Removes up to 100 transfers of the tenant that changed last before `before`, open ones too. Returns how
   * many.
   */
  readonly eraseTransfers: (tenantId: string, before: Date) => Promise<number>;
  /** The same of settled transfers alone. */
  readonly purgeTransfers: (tenantId: string, before: Date) => Promise<number>;
};

type TransferSession = StepSession<TransferTables & JobTables & KeyTables>;

const transfers = defineRows(transferTable, { age: "changedAt" });

/** Transfers through the clearing entity: each change with its step in one commit. */
export const makeTransferCommands = (session: TransferSession): TransferCommands => ({
  ...makeTransferLeaseCommands(session),

  createTransfer: (transfer, step) => create(session, transfer, step),

  findTransfer: async (of, id) => {
    const row = await transfers.find(session, of, id);
    return row && transferOf(row);
  },

  findTransferOf: (of, transactionId) => findOf(session, of, transactionId),

  listTransfers: async (of, limit, after) =>
    (await transfers.list(session, of, limit, after)).map(transferOf),

  moveTransfer: (held, change, step) => move(session, held, change, step),

  decideTransfer: (change, step) => decide(session, change, step),

  eraseTransfers: (tenantId, before) => transfers.remove(session, tenantId, before),

  purgeTransfers: (tenantId, before) => transfers.remove(session, tenantId, before, true),
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

/** The columns of a change. A settled transfer has no lease. */
const columnsOf = ({ state, at, sealed, dataKeyId, reason, waitsSince }: TransferChange) => ({
  state,
  sealed,
  dataKeyId,
  reason: reason ?? null,
  changedAt: at.getTime(),
  settledAt: isOpen(state) ? null : at.getTime(),
  ...(state === "abandoned" && { currentOf: null }),
  ...(waitsSince && { waitsSince: waitsSince.getTime() }),
});

const move = async (
  session: TransferSession,
  { tenantId, id, worker }: HeldTransfer,
  change: TransferChange,
  step: Step,
): Promise<boolean> => {
  await requireDataKey(session, { tenantId, dataKeyId: change.dataKeyId });
  const columns = { ...columnsOf(change), ...(!isOpen(change.state) && freshJob) };
  const { revision } = change;
  if (!(await transfers.change(session, { tenantId, id, revision }, columns, worker))) return false;
  await writeStep(session, tenantId, step);
  return true;
};

const decide = async (session: TransferSession, change: TransferChange, step: Step): Promise<boolean> => {
  const { tenantId, id, dataKeyId, revision } = change;
  await requireDataKey(session, { tenantId, dataKeyId });
  const columns = { ...columnsOf(change), ...freshJob };
  if (!(await transfers.change(session, { tenantId, id, revision }, columns))) return false;
  await writeStep(session, tenantId, step);
  return true;
};
