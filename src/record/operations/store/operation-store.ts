import type { Session } from "#machine/storage/database";
import type { Step } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import type { TransactionTables } from "#record/transactions/store/transaction-store";
import type {
  Operation,
  OperationFilter,
  OperationPage,
  OperationPlace,
  Owner,
  Timeline,
  TimelineEvent,
  TimelineStep,
} from "../operation.ts";
import { timelineAssets } from "./asset-store.ts";
import type { OperationColumns, OperationTables } from "./write-operation.ts";

/** Commands for operations; implemented by {@link makeOperationCommands}. */
export type OperationCommands = {
  readonly findOperation: (of: Owner, id: string) => Promise<Operation | undefined>;
  /** The operation of the latest call that brought this tracking token. */
  readonly findOperationOfExtra: (of: Owner, extraHash: string) => Promise<Operation | undefined>;
  /** Up to 50, the newest first, after the last operation of the previous page. */
  readonly listOperations: (
    of: Owner,
    filter: OperationFilter,
    after?: OperationPlace,
  ) => Promise<OperationPage>;
  /** The operation with up to 500 of its steps, events and images each. */
  readonly readTimeline: (of: Owner, id: string) => Promise<Timeline | undefined>;
  /**
   * Up to 100 open operations of all tenants whose time ended at `now`, the earliest first, after the last
   * one of the previous page.
   */
  readonly listExpired: (now: Date, after?: Operation) => Promise<readonly Operation[]>;
  /**
   * Writes the step that ends the operation. False, and nothing written, if it has ended, or a call has come
   * since it was read.
   */
  readonly expireOperation: (read: Operation, step: Step) => Promise<boolean>;
};

type OperationSession = StepSession<OperationTables & TransactionTables>;

const pageMax = 50;
const expiredMax = 100;

/**
 * Longest list of a timeline: an operation has some ten rows of each, and other commands wait for the answer.
 */
export const timelineMax = 500;

/** Operations by id, tracking token, owner and expiry. */
export const makeOperationCommands = (session: OperationSession): OperationCommands => ({
  findOperation: async (of, id) => {
    // Primary key, one row.
    const row = await owned(session, of).where("operations.id", "=", id).executeTakeFirst();
    return row && operationOf(row);
  },

  findOperationOfExtra: async (of, extraHash) => {
    // Index operation_steps_extra, backwards, one row; then the primary key.
    const row = await owned(session, of)
      .where("operations.id", "=", (query) =>
        query
          .selectFrom("operationSteps")
          .select("operationSteps.operationId")
          .where("operationSteps.tenantId", "=", of.tenantId)
          .where("operationSteps.environment", "=", of.environment)
          .where("operationSteps.extraHash", "=", extraHash)
          .orderBy("operationSteps.at", "desc")
          .limit(1),
      )
      .executeTakeFirst();
    return row && operationOf(row);
  },

  listOperations: (of, filter, after) => list(session, of, filter, after),

  readTimeline: (of, id) => readTimeline(session, of, id),

  listExpired: (now, after) => listExpired(session, now, after),

  expireOperation: (read, step) => expire(session, read, step),
});

const owned = ({ db }: Session<OperationTables>, { tenantId, environment }: Owner) =>
  db
    .selectFrom("operations")
    .selectAll("operations")
    .where("operations.tenantId", "=", tenantId)
    .where("operations.environment", "=", environment);

const list = async (
  session: OperationSession,
  of: Owner,
  { state, from, to, customerHash }: OperationFilter,
  after: OperationPlace | undefined,
): Promise<OperationPage> => {
  // Index operations_customer, operations_state or operations_listed, backwards, from the end of the previous
  // page; one extra row shows whether a page follows.
  const rows = await owned(session, of)
    .$if(state !== undefined, (query) => query.where("state", "=", state ?? "open"))
    .$if(customerHash !== undefined, (query) => query.where("customerHash", "=", customerHash ?? ""))
    .$if(from !== undefined, (query) => query.where("openedAt", ">=", from?.getTime() ?? 0))
    .$if(to !== undefined, (query) => query.where("openedAt", "<", to?.getTime() ?? 0))
    .$if(after !== undefined, (query) => {
      const { openedAt, id } = placeOf(after);
      return query
        .where("openedAt", "<=", openedAt)
        .where((row) => row.or([row("openedAt", "<", openedAt), row("id", "<", id)]));
    })
    .orderBy("openedAt", "desc")
    .orderBy("id", "desc")
    .limit(pageMax + 1)
    .execute();
  return { operations: rows.slice(0, pageMax).map(operationOf), isLast: rows.length <= pageMax };
};

const placeOf = (after: OperationPlace | undefined) => ({
  openedAt: after?.openedAt.getTime() ?? 0,
  id: after?.id ?? "",
});

const readTimeline = async (
  session: OperationSession,
  of: Owner,
  id: string,
): Promise<Timeline | undefined> => {
  const row = await owned(session, of).where("operations.id", "=", id).executeTakeFirst();
  if (row === undefined) return undefined;
  const steps = await timelineSteps(session, of, id);
  const events = await timelineEvents(session, of, id);
  const assets = await timelineAssets(session, of, id, timelineMax + 1);
  const lists = [steps, events, assets];
  return {
    operation: operationOf(row),
    steps: steps.slice(0, timelineMax),
    events: events.slice(0, timelineMax),
    assets: assets.slice(0, timelineMax),
    isWhole: lists.every(({ length }) => length <= timelineMax),
  };
};

const timelineSteps = async (
  { db }: OperationSession,
  { tenantId, environment }: Owner,
  id: string,
): Promise<readonly TimelineStep[]> => {
  // Primary key of both tables: a range of the steps, and the transaction of each.
  const rows = await db
    .selectFrom("operationSteps as step")
    .leftJoin("transactions as call", (join) =>
      join.onRef("call.tenantId", "=", "step.tenantId").onRef("call.id", "=", "step.transactionId"),
    )
    .select(["step.transactionId", "step.endpoint", "step.at", "call.result"])
    .where("step.tenantId", "=", tenantId)
    .where("step.environment", "=", environment)
    .where("step.operationId", "=", id)
    .orderBy("step.at")
    .orderBy("step.transactionId")
    .limit(timelineMax + 1)
    .execute();
  return rows.map(({ at, result, ...step }) => ({
    ...step,
    at: new Date(at),
    ...(result !== null && { result: JSON.parse(result) }),
  }));
};

const timelineEvents = async (
  { db }: OperationSession,
  { tenantId, environment }: Owner,
  id: string,
): Promise<readonly TimelineEvent[]> => {
  // Index events_sequence, a range of it.
  const rows = await db
    .selectFrom("events")
    .select(["id", "sequence", "name", "at", "sealedData"])
    .where("tenantId", "=", tenantId)
    .where("environment", "=", environment)
    .where("operationId", "=", id)
    .orderBy("sequence")
    .limit(timelineMax + 1)
    .execute();
  return rows.map(({ at, sealedData, ...event }) => ({
    ...event,
    at: new Date(at),
    sealedData: new Uint8Array(sealedData),
  }));
};

const listExpired = async (
  { db }: OperationSession,
  now: Date,
  after: Operation | undefined,
): Promise<readonly Operation[]> => {
  const since = after?.expiresAt.getTime() ?? 0;
  const { tenantId = "", environment = "live", id = "" } = after ?? {};
  // Index operations_due, from the end of the previous page.
  const rows = await db
    .selectFrom("operations")
    .selectAll()
    .where("state", "=", "open")
    .where("expiresAt", "<=", now.getTime())
    .where("expiresAt", ">=", since)
    .where((row) =>
      row.or([
        row("expiresAt", ">", since),
        row("tenantId", ">", tenantId),
        row.and([row("tenantId", "=", tenantId), row("environment", ">", environment)]),
        row.and([row("tenantId", "=", tenantId), row("environment", "=", environment), row("id", ">", id)]),
      ]),
    )
    .orderBy("expiresAt")
    .orderBy("tenantId")
    .orderBy("environment")
    .orderBy("id")
    .limit(expiredMax)
    .execute();
  return rows.map(operationOf);
};

const expire = async (
  session: OperationSession,
  { tenantId, environment, id, expiresAt }: Operation,
  step: Step,
): Promise<boolean> => {
  // Primary key, one row, locked until commit: of two processes the second waits here, then finds it ended.
  const row = await session.db
    .selectFrom("operations")
    .select("id")
    .where("tenantId", "=", tenantId)
    .where("environment", "=", environment)
    .where("id", "=", id)
    .where("state", "=", "open")
    .where("expiresAt", "=", expiresAt.getTime())
    .$if(session.locksRows, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (row === undefined) return false;
  await writeStep(session, tenantId, step);
  return true;
};

const operationOf = (row: OperationColumns): Operation => ({
  tenantId: row.tenantId,
  environment: row.environment,
  id: row.id,
  state: row.state,
  openedAt: new Date(row.openedAt),
  expiresAt: new Date(row.expiresAt),
  ...(row.endedAt !== null && { endedAt: new Date(row.endedAt) }),
  ...(row.endedBy !== null && { endedBy: row.endedBy }),
  ...(row.reason !== null && { reason: row.reason }),
  ...(row.family !== null && { family: row.family }),
  ...(row.sealedCustomer !== null && { sealedCustomer: new Uint8Array(row.sealedCustomer) }),
});
