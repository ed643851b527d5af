/** The rows that a step adds to its operation. `writeStep` alone calls it. */
import { Failure } from "#contract/failure";
import { type BlobTables, insertBlobs } from "#machine/storage/blob-store";
import { requireLiveKeys } from "#machine/storage/data-key-lock";
import type { Session } from "#machine/storage/database";
import { sealNewRows } from "#machine/storage/rights/door";
import type { RowOf, TablesOf } from "#machine/storage/table";
import type { OperationStep, SealedEvent } from "#record/transactions/operation-step";
import { judgeMove, type OperationMove } from "../operation-state.ts";
import type { assetTable, eventTable, operationStepTable, operationTable } from "./operation-tables.ts";

export type OperationColumns = RowOf<typeof operationTable>;

export type EventColumns = RowOf<typeof eventTable>;

export type OperationTables = BlobTables &
  TablesOf<readonly [typeof operationTable, typeof operationStepTable, typeof eventTable, typeof assetTable]>;

/** An event with its place in the operation. */
export type WrittenEvent = EventColumns;

/**
 * Opens the operation where it is new, and adds the step, its events in sequence, and its images. Returns the
 * written events: none, and nothing written, for a decision whose operation was removed or lacks the step of
 * its call, and for a call that names an ended operation by its tracking token alone. Fails with
 * operation_finished for another call or an end of an operation that has ended, and with not_found for the
 * end of an operation that does not exist.
 */
export const writeOperation = async (
  session: Session<OperationTables>,
  tenantId: string,
  step: OperationStep,
): Promise<readonly WrittenEvent[]> => {
  await requireLiveKeys(session, tenantId, ...sealedIn(step));
  const isNew = await openOperation(session, tenantId, step);
  const row = await lockOperation(session, tenantId, step);
  const judged = judgeMove(row?.state, moveOf(step));
  if (judged !== "dropped" && "refused" in judged) throw new Failure(judged.refused);
  if (judged === "dropped" || row === undefined) return [];
  if (!(await hasFollowed(session, tenantId, step))) return [];
  const { lastSequence } = row;
  const stated = isNew && step.opening !== undefined ? [step.opening.started, ...step.events] : step.events;
  const events = stated.map((event, at) => eventRow(tenantId, step, event, lastSequence + 1 + at));
  await insertStep(session, tenantId, step);
  // Primary key, and the unique sequence of the operation.
  if (events.length > 0) await session.db.insertInto("events").values(events).execute();
  await insertAssets(session, tenantId, step);
  await updateOperation(session, tenantId, step, lastSequence + events.length);
  return events;
};

/** All that the step writes sealed. */
const sealedIn = ({ opening, events }: OperationStep) => [
  opening?.customer?.sealed,
  opening?.extraData?.sealed,
  opening?.started.sealedData,
  ...events.map(({ sealedData }) => sealedData),
];

const moveOf = ({ opening, ending }: OperationStep): OperationMove => {
  if (opening !== undefined) return { kind: opening.byTokenAlone === true ? "callByToken" : "call" };
  return ending === undefined ? { kind: "decision" } : { kind: "end", state: ending.state };
};

const keyOf = (tenantId: string, { environment, operationId }: OperationStep) => ({
  tenantId,
  environment,
  id: operationId,
});

/** False for an operation that exists. Of two simultaneous calls the second waits here. */
const openOperation = async (
  { db }: Session<OperationTables>,
  tenantId: string,
  step: OperationStep,
): Promise<boolean> => {
  const { opening, at } = step;
  if (opening === undefined) return false;
  // Primary key.
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("operations")
    .values({
      ...keyOf(tenantId, step),
      state: "open",
      openedAt: at.getTime(),
      expiresAt: opening.expiresAt.getTime(),
      endedAt: null,
      endedBy: null,
      reason: null,
      family: null,
      customerHash: null,
      sealedCustomer: null,
      lastSequence: 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
};

/** Primary key, one row, locked until commit: it orders the events of an operation. */
const lockOperation = async (
  { db, locksRows }: Session<OperationTables>,
  tenantId: string,
  step: OperationStep,
): Promise<Pick<OperationColumns, "state" | "lastSequence"> | undefined> => {
  const { id, environment } = keyOf(tenantId, step);
  return await db
    .selectFrom("operations")
    .select(["state", "lastSequence"])
    .where("tenantId", "=", tenantId)
    .where("environment", "=", environment)
    .where("id", "=", id)
    .$if(locksRows, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
};

/**
 * Whether the operation has the step of the call that this step follows. True for a step that follows none.
 */
const hasFollowed = async (
  { db }: Session<OperationTables>,
  tenantId: string,
  { environment, operationId, follows }: OperationStep,
): Promise<boolean> => {
  if (follows === undefined) return true;
  // Primary key, one row.
  const found = await db
    .selectFrom("operationSteps")
    .select("transactionId")
    .where("tenantId", "=", tenantId)
    .where("environment", "=", environment)
    .where("operationId", "=", operationId)
    .where("transactionId", "=", follows)
    .executeTakeFirst();
  return found !== undefined;
};

const eventRow = (
  tenantId: string,
  { environment, operationId, at }: OperationStep,
  { id, name, sealedData }: SealedEvent,
  sequence: number,
): EventColumns => ({
  tenantId,
  id,
  environment,
  operationId,
  sequence,
  name,
  at: at.getTime(),
  sealedData,
});

const insertStep = async (
  { db }: Session<OperationTables>,
  tenantId: string,
  { environment, operationId, transactionId, endpoint, at, opening }: OperationStep,
): Promise<void> => {
  // Primary key: a call is a step of its operation once.
  await db
    .insertInto("operationSteps")
    .values({
      tenantId,
      environment,
      operationId,
      transactionId,
      endpoint,
      at: at.getTime(),
      extraHash: opening?.extraData?.hash ?? null,
      sealedExtra: opening?.extraData?.sealed ?? null,
    })
    .execute();
};

const insertAssets = async (
  session: Session<OperationTables>,
  tenantId: string,
  { environment, operationId, at, assets }: OperationStep,
): Promise<void> => {
  if (assets.length === 0) return;
  await insertBlobs(
    session,
    assets.map(({ type, blobId, bytes, sha256, dataKeyId }) => ({
      id: blobId,
      tenantId,
      kind: type,
      bytes,
      sha256,
      ...(dataKeyId !== undefined && { dataKeyId }),
      createdAt: at,
    })),
  );
  // Primary key; the foreign keys are the rows above.
  const rows = assets.map(({ id, type, blobId }) => ({
    tenantId,
    environment,
    operationId,
    id,
    type,
    blobId,
    createdAt: at.getTime(),
    revokedAt: null,
  }));
  await session.db
    .insertInto("assets")
    .values(await sealNewRows(session, "assets", rows))
    .execute();
};

/** Primary key, one row, locked by `lockOperation`. A former customer and family stay. */
const updateOperation = async (
  { db }: Session<OperationTables>,
  tenantId: string,
  step: OperationStep,
  lastSequence: number,
): Promise<void> => {
  const { opening, ending, at } = step;
  const { id, environment } = keyOf(tenantId, step);
  await db
    .updateTable("operations")
    .set((row) => ({
      lastSequence,
      ...(opening && {
        expiresAt: opening.expiresAt.getTime(),
        family: row.fn.coalesce("family", row.val(opening.family ?? null)),
        customerHash: row.fn.coalesce("customerHash", row.val(opening.customer?.hash ?? null)),
        sealedCustomer: row.fn.coalesce("sealedCustomer", row.val(opening.customer?.sealed ?? null)),
      }),
      ...(ending && {
        state: ending.state,
        reason: ending.reason ?? null,
        endedAt: at.getTime(),
        endedBy: step.transactionId,
        family: row.fn.coalesce("family", row.val(ending.family ?? null)),
      }),
    }))
    .where("tenantId", "=", tenantId)
    .where("environment", "=", environment)
    .where("id", "=", id)
    .execute();
};
