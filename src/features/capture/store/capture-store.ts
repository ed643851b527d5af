import { type BlobTables, deleteUnnamed, insertBlobs } from "#machine/storage/blob-store";
import { requireLiveKeys } from "#machine/storage/data-key-lock";
import { requireRow, sealRow } from "#machine/storage/rights/door";
import { defineRows, idsOf } from "#machine/storage/rows";
import type { SealedTransaction, Step, TransactionRecord } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import { insertTransaction, type TransactionTables } from "#record/transactions/store/transaction-store";
import type { CaptureOwner, Holder } from "../capture-session.ts";
import type { CaptureChange, CaptureRow, CaptureTables, CaptureToken } from "./capture-row.ts";
import { captureTable } from "./capture-tables.ts";

/** Commands for capture sessions; implemented by {@link makeCaptureCommands}. */
export type CaptureCommands<Recorded = TransactionRecord> = {
  /** Writes the session and its token with the record of the call that created it, in one commit. */
  readonly createCapture: (
    row: CaptureRow,
    token: CaptureToken,
    record: Recorded,
    step: Step,
  ) => Promise<void>;
  readonly findCapture: (of: CaptureOwner, id: string) => Promise<CaptureRow | undefined>;
  /** The session that a token opens, of any tenant. */
  readonly findCaptureOfToken: (
    hash: string,
  ) => Promise<{ readonly row: CaptureRow; readonly holder: Holder } | undefined>;
  /**
   * Writes a change with its record and step, in one commit. False, and nothing written, where the session
   * has another revision or was removed.
   */
  readonly changeCapture: (
    change: CaptureChange,
    record: Recorded | undefined,
    step: Step,
  ) => Promise<boolean>;
  /** Times of a subject's refusals from `since` on, the newest 100. */
  readonly listCaptureFailures: (tenantId: string, subject: string, since: Date) => Promise<readonly Date[]>;
  /** Ends up to 1000 open sessions whose time is over; returns how many. */
  readonly expireCaptures: (now: Date) => Promise<number>;
  /**
   * Removes up to 100 sessions of the tenant from before `before`, with their tokens and the rows of their
   * objects. Returns how many. The sweep removes the objects.
   */
  readonly purgeCaptures: (tenantId: string, before: Date) => Promise<number>;
  /** Deletes up to 1000 refusals of the tenant from before `before`; returns how many. */
  readonly purgeCaptureFailures: (tenantId: string, before: Date) => Promise<number>;
};

type CaptureDatabase = StepSession<CaptureTables & BlobTables & TransactionTables>;
type Row = CaptureTables["captureSessions"];

/** Longest lists that one command deletes, so that other commands wait only milliseconds for it. */
const deletedMax = 1000;
const listedMax = 100;

const rowOf = ({ createdAt, expiresAt, blobIds, ...row }: CaptureRow): Row => ({
  ...row,
  createdAt: createdAt.getTime(),
  expiresAt: expiresAt.getTime(),
  blobIds: blobIds.join(","),
});

const captureOf = ({ createdAt, expiresAt, sealed, blobIds, ...row }: Row): CaptureRow => ({
  ...row,
  createdAt: new Date(createdAt),
  expiresAt: new Date(expiresAt),
  sealed: new Uint8Array(sealed),
  blobIds: idsOf(blobIds),
});

const captures = defineRows(captureTable, {
  age: "createdAt",
  // Index capture_tokens_session.
  children: { table: "captureTokens", by: "sessionId" },
});

/** Sessions by id, tokens by hash, refusals by subject. */
export const makeCaptureCommands = (session: CaptureDatabase): CaptureCommands<SealedTransaction> => ({
  createCapture: async (row, token, record, step) => {
    await requireLiveKeys(session, row.tenantId, row.sealed);
    // Primary key.
    await session.db.insertInto("captureSessions").values(rowOf(row)).execute();
    await insertToken(session, row, token);
    await insertTransaction(session, record);
    await writeStep(session, row.tenantId, step);
  },

  findCapture: async (of, id) => {
    const row = await captures.find(session, of, id);
    return row && captureOf(row);
  },

  findCaptureOfToken: (hash) => findOfToken(session, hash),

  changeCapture: (change, record, step) => changeOne(session, change, record, step),

  listCaptureFailures: async (tenantId, subject, since) => {
    // Index capture_failures_subject, a range of it, backwards.
    const rows = await session.db
      .selectFrom("captureFailures")
      .select("at")
      .where("tenantId", "=", tenantId)
      .where("subject", "=", subject)
      .where("at", ">=", since.getTime())
      .orderBy("at", "desc")
      .limit(listedMax)
      .execute();
    return rows.map(({ at }) => new Date(at));
  },

  expireCaptures: (now) => expire(session, now),

  purgeCaptures: (tenantId, before) => captures.remove(session, tenantId, before),

  purgeCaptureFailures: (tenantId, before) => purgeFailures(session, tenantId, before),
});

const insertToken = async (
  session: CaptureDatabase,
  { tenantId, id: sessionId }: Pick<CaptureRow, "tenantId" | "id">,
  { hash, holder }: CaptureToken,
): Promise<void> => {
  const row = { hash, tenantId, sessionId, holder };
  // Primary key: a token opens one session.
  await session.db.insertInto("captureTokens").values(row).execute();
  await sealRow(session, "capture_tokens", [hash], row);
};

const findOfToken: (
  session: CaptureDatabase,
  hash: string,
) => ReturnType<CaptureCommands["findCaptureOfToken"]> = async (session, hash) => {
  // Primary key, one row.
  const token = await session.db
    .selectFrom("captureTokens")
    .selectAll()
    .where("hash", "=", hash)
    .executeTakeFirst();
  if (token === undefined) return undefined;
  requireRow(session, "capture_tokens", token);
  // Primary key, one row.
  const row = await session.db
    .selectFrom("captureSessions")
    .selectAll()
    .where("tenantId", "=", token.tenantId)
    .where("id", "=", token.sessionId)
    .executeTakeFirst();
  return row && { row: captureOf(row), holder: token.holder };
};

const changeOne = async (
  session: CaptureDatabase,
  {
    tenantId,
    id,
    revision,
    state,
    sealed,
    blobIds,
    added,
    removed,
    token,
    failures = [],
    forgiven,
  }: CaptureChange,
  record: SealedTransaction | undefined,
  step: Step,
): Promise<boolean> => {
  await requireLiveKeys(session, tenantId, sealed);
  const columns = { state, sealed, blobIds: blobIds.join(",") };
  if (!(await captures.change(session, { tenantId, id, revision }, columns))) return false;
  await insertBlobs(session, added);
  await deleteUnnamed(session, tenantId, removed);
  if (token !== undefined) await replaceToken(session, { tenantId, id }, token);
  if (failures.length > 0) {
    // Primary key.
    await session.db
      .insertInto("captureFailures")
      .values(failures.map((failure) => ({ ...failure, tenantId, at: failure.at.getTime() })))
      .execute();
  }
  if (forgiven !== undefined) await forgiveOldest(session, tenantId, forgiven);
  if (record !== undefined) await insertTransaction(session, record);
  await writeStep(session, tenantId, step);
  return true;
};

const replaceToken = async (
  session: CaptureDatabase,
  { tenantId, id }: Pick<CaptureChange, "tenantId" | "id">,
  token: CaptureToken,
): Promise<void> => {
  // Index capture_tokens_session: a session has two tokens at most.
  await session.db
    .deleteFrom("captureTokens")
    .where("tenantId", "=", tenantId)
    .where("sessionId", "=", id)
    .where("holder", "=", token.holder)
    .execute();
  await insertToken(session, { tenantId, id }, token);
};

const forgiveOldest = async (
  { db }: CaptureDatabase,
  tenantId: string,
  { subject, since }: NonNullable<CaptureChange["forgiven"]>,
): Promise<void> => {
  // Index capture_failures_subject finds the oldest; the primary key deletes it.
  await db
    .deleteFrom("captureFailures")
    .where("tenantId", "=", tenantId)
    .where("id", "in", (row) =>
      row
        .selectFrom("captureFailures")
        .select("id")
        .where("tenantId", "=", tenantId)
        .where("subject", "=", subject)
        .where("at", ">=", since.getTime())
        .orderBy("at")
        .limit(1),
    )
    .execute();
};

const expire = async ({ db }: CaptureDatabase, now: Date): Promise<number> => {
  // Index capture_sessions_open holds open sessions alone; the primary key changes them.
  const due = await db
    .selectFrom("captureSessions")
    .select(["tenantId", "id"])
    .where("state", "=", "OPEN")
    .where("expiresAt", "<=", now.getTime())
    .orderBy("expiresAt")
    .limit(deletedMax)
    .execute();
  let expired = 0;
  for (const [tenantId, rows] of Map.groupBy(due, (row) => row.tenantId)) {
    const ids = rows.map(({ id }) => id);
    // A session that ended meanwhile stays as it is.
    const { numUpdatedRows } = await db
      .updateTable("captureSessions")
      .set((row) => ({ state: "EXPIRED" as const, revision: row("revision", "+", 1) }))
      .where("tenantId", "=", tenantId)
      .where("id", "in", ids)
      .where("state", "=", "OPEN")
      .executeTakeFirst();
    expired += Number(numUpdatedRows);
  }
  return expired;
};

const purgeFailures = async ({ db }: CaptureDatabase, tenantId: string, before: Date): Promise<number> => {
  // Index capture_failures_age finds the oldest; the primary key deletes them.
  const { numDeletedRows } = await db
    .deleteFrom("captureFailures")
    .where("tenantId", "=", tenantId)
    .where("id", "in", (row) =>
      row
        .selectFrom("captureFailures")
        .select("id")
        .where("tenantId", "=", tenantId)
        .where("at", "<", before.getTime())
        .limit(deletedMax),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};
