import type { ExpressionBuilder } from "kysely";
import type { Caller } from "#contract/endpoint";
import type { Session } from "#machine/storage/database";
import { deleteAssets } from "./asset-store.ts";
import type { OperationTables } from "./write-operation.ts";

/** Commands that remove operations; implemented by {@link makeOperationRetentionCommands}. */
export type OperationRetentionCommands = {
  /**
   * Removes operations of the tenant that ended before `before`, with all that hangs on them. An operation
   * with a due delivery stays. Removes up to some hundred rows, and returns how many, so that the caller can
   * continue.
   */
  readonly purgeOperations: (tenantId: string, before: Date) => Promise<number>;
  /** The same for an erasure: all operations that were opened before `before`, open ones too. */
  readonly eraseOperations: (tenantId: string, before: Date) => Promise<number>;
};

/** Commands after which the disk must no longer hold the removed values: an erasure calls them. */
export const erasingOperationCommands = [
  "eraseOperations",
] as const satisfies readonly (keyof OperationRetentionCommands)[];

/**
 * Deliveries of events, as far as the age of an operation asks for them: webhooks declare the whole table.
 */
type DeliveryStates = { deliveries: { tenantId: string; eventId: string; state: string } };

type RetentionTables = OperationTables & DeliveryStates;
type RetentionSession = Session<RetentionTables>;

/**
 * Removes the deliveries of events and their attempts, before the events themselves. Part of the same
 * transaction.
 */
export type RemoveDeliveries = (
  session: RetentionSession,
  tenantId: string,
  eventIds: readonly string[],
) => Promise<void>;

/** Rows of one command have some kilobytes each, so that other commands wait only milliseconds for it. */
const operationsMax = 50;
const rowsMax = 500;

const environments = ["live", "test"] as const;

/** Operations by their age. The sweep removes the objects of their images. */
export const makeOperationRetentionCommands = (
  session: RetentionSession,
  removeDeliveries: RemoveDeliveries,
): OperationRetentionCommands => {
  const remove = async (
    tenantId: string,
    listDue: (environment: Caller["environment"]) => Promise<readonly { readonly id: string }[]>,
  ): Promise<number> => {
    for (const environment of environments) {
      const ids = (await listDue(environment)).map(({ id }) => id);
      if (ids.length > 0) return await removeSome(session, removeDeliveries, { tenantId, environment, ids });
    }
    return 0;
  };
  return {
    purgeOperations: (tenantId, before) =>
      remove(tenantId, (environment) =>
        // Index operations_age, the oldest first.
        dueOf(session, tenantId, environment)
          .where("endedAt", "<", before.getTime())
          // Index events_sequence, the events of one operation; index deliveries_event, those of each.
          .where((row) => row.not(row.exists(dueDeliveries(row))))
          .orderBy("endedAt")
          // A call holds some of them at this moment: the next round of the tidying removes these.
          .$if(session.locksRows, (query) => query.forUpdate().skipLocked())
          .execute(),
      ),
    eraseOperations: (tenantId, before) =>
      remove(tenantId, (environment) =>
        // Index operations_listed, the oldest first.
        dueOf(session, tenantId, environment)
          .where("openedAt", "<", before.getTime())
          .orderBy("openedAt")
          .orderBy("id")
          // Waits for calls that hold some of them: nothing from before an erasure stays.
          .$if(session.locksRows, (query) => query.forUpdate())
          .execute(),
      ),
  };
};

/**
 * A destination that only fails is disabled in the end, and then its deliveries are held: this waits some
 * days.
 */
const dueDeliveries = (row: ExpressionBuilder<RetentionTables, "operations">) =>
  row
    .selectFrom("events")
    .innerJoin("deliveries", (join) =>
      join.onRef("deliveries.tenantId", "=", "events.tenantId").onRef("deliveries.eventId", "=", "events.id"),
    )
    .select("deliveries.eventId")
    .whereRef("events.tenantId", "=", "operations.tenantId")
    .whereRef("events.environment", "=", "operations.environment")
    .whereRef("events.operationId", "=", "operations.id")
    .where("deliveries.state", "=", "due");

/** To be locked until commit: a step of one of them waits, then finds that it was removed. */
const dueOf = ({ db }: RetentionSession, tenantId: string, environment: Caller["environment"]) =>
  db
    .selectFrom("operations")
    .select("id")
    .where("tenantId", "=", tenantId)
    .where("environment", "=", environment)
    .limit(operationsMax);

type Due = {
  readonly tenantId: string;
  readonly environment: Caller["environment"];
  readonly ids: readonly string[];
};

/**
 * Removes a limited part: deliveries and events, then steps, then images, and the operations when they are
 * empty.
 */
const removeSome = async (
  session: RetentionSession,
  removeDeliveries: RemoveDeliveries,
  due: Due,
): Promise<number> => {
  for (const removePart of [
    () => removeEvents(session, removeDeliveries, due),
    () => removeSteps(session, due),
    () => removeAssets(session, due),
  ]) {
    const removed = await removePart();
    // The next command continues: the operations stay until nothing hangs on them.
    if (removed > 0) return removed;
  }
  const { tenantId, environment, ids } = due;
  // Primary key, one probe for each.
  await session.db
    .deleteFrom("operations")
    .where("tenantId", "=", tenantId)
    .where("environment", "=", environment)
    .where("id", "in", ids)
    .execute();
  return ids.length;
};

const removeEvents = async (
  session: RetentionSession,
  removeDeliveries: RemoveDeliveries,
  { tenantId, environment, ids }: Due,
): Promise<number> => {
  // Index events_sequence, a range for each operation.
  const rows = await session.db
    .selectFrom("events")
    .select("id")
    .where("tenantId", "=", tenantId)
    .where("environment", "=", environment)
    .where("operationId", "in", ids)
    .limit(rowsMax)
    .execute();
  const eventIds = rows.map(({ id }) => id);
  if (eventIds.length === 0) return 0;
  await removeDeliveries(session, tenantId, eventIds);
  // Primary key, one probe for each.
  await session.db
    .deleteFrom("events")
    .where("tenantId", "=", tenantId)
    .where("id", "in", eventIds)
    .execute();
  return eventIds.length;
};

const removeSteps = async (
  { db }: RetentionSession,
  { tenantId, environment, ids }: Due,
): Promise<number> => {
  // Primary key, a range for each operation finds them; the primary key deletes them.
  const { numDeletedRows } = await db
    .deleteFrom("operationSteps")
    .where((row) =>
      row(
        row.refTuple("tenantId", "environment", "operationId", "transactionId"),
        "in",
        row
          .selectFrom("operationSteps as step")
          .select(["step.tenantId", "step.environment", "step.operationId", "step.transactionId"])
          .where("step.tenantId", "=", tenantId)
          .where("step.environment", "=", environment)
          .where("step.operationId", "in", ids)
          .limit(rowsMax)
          .$asTuple("tenantId", "environment", "operationId", "transactionId"),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};

const removeAssets = async (
  session: RetentionSession,
  { tenantId, environment, ids }: Due,
): Promise<number> => {
  // Index assets_operation, a range for each operation.
  const assets = await session.db
    .selectFrom("assets")
    .select(["id", "blobId"])
    .where("tenantId", "=", tenantId)
    .where("environment", "=", environment)
    .where("operationId", "in", ids)
    .limit(rowsMax)
    .execute();
  await deleteAssets(session, tenantId, assets);
  return assets.length;
};
