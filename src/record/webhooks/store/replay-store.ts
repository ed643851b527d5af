/** Deliveries, as the operator changes them: held, released, and sent again. */
import type { ExpressionBuilder } from "kysely";
import type { Json } from "#contract/json";
import type { Session } from "#machine/storage/database";
import type { OperationStep } from "#record/transactions/operation-step";
import type { EvidenceEntry } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import type { DeliveryKey, DeliveryState } from "../delivery/delivery.ts";
import { isOneOf } from "./delivery-keys.ts";
import type { DeliveryTables } from "./webhook-tables.ts";

/** Deliveries of one destination by the time of their events. */
export type DeliveryRange = Pick<DeliveryKey, "tenantId" | "destinationId"> & {
  /** Inclusive. */
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
  /**
   * Leaves out what ended at this time or later: a range in several commands then takes each delivery once.
   */
  readonly endedBefore?: Date;
};

export type Replayed = {
  readonly count: number;
  /** False: the range holds more than one command takes. */
  readonly isLast: boolean;
};

/**
 * Implemented by {@link makeReplayCommands}. Each leaves out what a worker has in flight. The count stands in
 * the body of the evidence, which is written where it is above 0.
 */
export type ReplayCommands = {
  /** Holds the due deliveries of a destination, up to 1,000; returns how many. */
  readonly holdDeliveries: (of: Pick<DeliveryKey, "tenantId" | "destinationId">) => Promise<number>;
  /** Makes held deliveries of the range due, the oldest first, up to 10,000. */
  readonly releaseDeliveries: (
    range: DeliveryRange,
    now: Date,
    evidence?: EvidenceEntry,
  ) => Promise<Replayed>;
  /**
   * Makes deliveries of the range in these states due again, the oldest first, up to 10,000. Their ladder
   * starts again.
   */
  readonly replayDeliveries: (
    range: DeliveryRange,
    states: readonly DeliveryState[],
    now: Date,
    evidence: EvidenceEntry,
  ) => Promise<Replayed>;
  /** What the whole range holds in these states. */
  readonly countDeliveries: (
    range: DeliveryRange,
    states: readonly DeliveryState[],
    now: Date,
  ) => Promise<number>;
  /**
   * Makes the deliveries of one event due now: of each destination, or of one. A failed or held delivery
   * starts its ladder again. Where the breaker of its destination is open, it is the next probe. Returns how
   * many.
   */
  readonly replayEvent: (
    event: Pick<DeliveryKey, "tenantId" | "eventId"> & { readonly destinationId?: string },
    now: Date,
    evidence: EvidenceEntry,
  ) => Promise<number>;
  /**
   * Makes held deliveries of removed destinations due, up to 1,000, so that a worker ends them; returns how
   * many. Of all tenants.
   */
  readonly releaseRemoved: () => Promise<number>;
  /** Commits the operation of a test event. */
  readonly addTestEvent: (tenantId: string, operation: OperationStep) => Promise<void>;
};

type ReplaySession = StepSession<DeliveryTables>;

/** One statement changes at most this number of rows, and other commands wait meanwhile. */
const heldMax = 1_000;
const replayedMax = 10_000;

export const makeReplayCommands = (session: ReplaySession): ReplayCommands => ({
  holdDeliveries: ({ tenantId, destinationId }) => hold(session, tenantId, destinationId),

  releaseDeliveries: async (range, now, evidence) => {
    const count = await releaseHeld(session, range, now);
    await writeCount(session, range.tenantId, count, evidence);
    return { count, isLast: count < replayedMax };
  },

  replayDeliveries: async (range, states, now, evidence) => {
    const count = await replay(session, range, states, now);
    await writeCount(session, range.tenantId, count, evidence);
    return { count, isLast: count < replayedMax };
  },

  countDeliveries: async (range, states, now) => {
    const { n } = await session.db
      .selectFrom("deliveries")
      .select(({ fn }) => fn.countAll<number | string>().as("n"))
      .where(isIn(range, states))
      .where(isAtRest(now))
      .executeTakeFirstOrThrow();
    return Number(n);
  },

  replayEvent: async (event, now, evidence) => {
    const replayed = await replayOne(session, event, now);
    await probeNow(session, event.tenantId, replayed, now);
    const count = replayed.length;
    await writeCount(session, event.tenantId, count, evidence);
    return count;
  },

  releaseRemoved: () => releaseRemoved(session),

  addTestEvent: (tenantId, operation) => writeStep(session, tenantId, { evidence: [], operation }),
});

type Row = ExpressionBuilder<DeliveryTables, "deliveries">;

/** Indexes deliveries_kept for held and failed ones, deliveries_listed for others. */
const isIn =
  ({ tenantId, destinationId, from, to, endedBefore }: DeliveryRange, states: readonly DeliveryState[]) =>
  (row: Row) =>
    row.and([
      row("tenantId", "=", tenantId),
      row("destinationId", "=", destinationId),
      row("state", "in", [...states]),
      row("eventAt", ">=", from?.getTime() ?? 0),
      row("eventAt", "<", to?.getTime() ?? Number.MAX_SAFE_INTEGER),
      ...(endedBefore === undefined
        ? []
        : [row.or([row("doneAt", "is", null), row("doneAt", "<", endedBefore.getTime())])]),
    ]);

/** Not in flight. */
const isAtRest = (now: Date) => (row: Row) =>
  row.or([row("leasedUntil", "is", null), row("leasedUntil", "<=", now.getTime())]);

const unleased = { leasedBy: null, leasedUntil: null };

const hold = async ({ db }: ReplaySession, tenantId: string, destinationId: string): Promise<number> => {
  // Index deliveries_due finds them, the primary key changes them.
  const { numUpdatedRows } = await db
    .updateTable("deliveries")
    .set({ state: "held" })
    .where("tenantId", "=", tenantId)
    .where("destinationId", "=", destinationId)
    .where("eventId", "in", (of) =>
      of
        .selectFrom("deliveries")
        .select("eventId")
        .where("tenantId", "=", tenantId)
        .where("destinationId", "=", destinationId)
        .where("state", "=", "due")
        .where("leasedBy", "is", null)
        .limit(heldMax),
    )
    .where("state", "=", "due")
    .where("leasedBy", "is", null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

/** The rows of a range, the oldest first. */
const oldestOf = (
  { db }: Session<DeliveryTables>,
  range: DeliveryRange,
  states: readonly DeliveryState[],
  now: Date,
) =>
  db
    .selectFrom("deliveries")
    .select("eventId")
    .where(isIn(range, states))
    .where(isAtRest(now))
    .orderBy("eventAt")
    .orderBy("eventId")
    .limit(replayedMax);

/**
 * Makes held deliveries of the range due. A change that makes a destination active calls it in its own
 * commit.
 */
export const releaseHeld = async (
  session: Session<DeliveryTables>,
  range: DeliveryRange,
  now: Date,
): Promise<number> => {
  // The time of the event: released deliveries go before newer ones, and in order.
  const { numUpdatedRows } = await session.db
    .updateTable("deliveries")
    .set((row) => ({ state: "due", failures: 0, dueAt: row.ref("eventAt"), doneAt: null, ...unleased }))
    .where("tenantId", "=", range.tenantId)
    .where("destinationId", "=", range.destinationId)
    .where("eventId", "in", oldestOf(session, range, ["held"], now))
    .where("state", "=", "held")
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

const replay = async (
  session: ReplaySession,
  range: DeliveryRange,
  states: readonly DeliveryState[],
  now: Date,
): Promise<number> => {
  const { numUpdatedRows } = await session.db
    .updateTable("deliveries")
    .set({ state: "due", failures: 0, dueAt: now.getTime(), isManual: 1, doneAt: null, ...unleased })
    .where("tenantId", "=", range.tenantId)
    .where("destinationId", "=", range.destinationId)
    .where("eventId", "in", oldestOf(session, range, states, now))
    .where(isAtRest(now))
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

const replayOne = async (
  { db }: ReplaySession,
  { tenantId, eventId, destinationId }: Parameters<ReplayCommands["replayEvent"]>[0],
  now: Date,
): Promise<readonly Pick<DeliveryKey, "destinationId">[]> =>
  // Index deliveries_event, or the primary key.
  await db
    .updateTable("deliveries")
    .set((row) => ({
      state: "due",
      failures: row.case().when("state", "=", "due").then(row.ref("failures")).else(0).end(),
      dueAt: now.getTime(),
      isManual: 1,
      doneAt: null,
      ...unleased,
    }))
    .where("tenantId", "=", tenantId)
    .where("eventId", "=", eventId)
    .$if(destinationId !== undefined, (query) => query.where("destinationId", "=", destinationId ?? ""))
    // A removed destination receives nothing: its deliveries keep how they ended.
    .where("destinationId", "in", (of) =>
      of
        .selectFrom("destinations")
        .select("id")
        .where("tenantId", "=", tenantId)
        .where("state", "!=", "removed"),
    )
    .where(isAtRest(now))
    .returning("destinationId")
    .execute();

/**
 * Ends the pauses of open breakers: the next lease takes one delivery of each as a probe, one that was sent
 * again first.
 */
const probeNow = async (
  { db }: ReplaySession,
  tenantId: string,
  replayed: readonly Pick<DeliveryKey, "destinationId">[],
  now: Date,
): Promise<void> => {
  if (replayed.length === 0) return;
  // Primary key, at most 50 rows.
  await db
    .updateTable("destinations")
    .set({ blockedUntil: now.getTime() })
    .where("tenantId", "=", tenantId)
    .where(
      "id",
      "in",
      replayed.map(({ destinationId }) => destinationId),
    )
    .where("blockedUntil", ">", now.getTime())
    .execute();
};

const releaseRemoved = async ({ db }: ReplaySession): Promise<number> => {
  // Removed destinations, and of each the index deliveries_kept.
  const rows = await db
    .selectFrom("destinations")
    .innerJoin("deliveries", (join) =>
      join
        .onRef("deliveries.tenantId", "=", "destinations.tenantId")
        .onRef("deliveries.destinationId", "=", "destinations.id"),
    )
    .select(["deliveries.tenantId", "deliveries.destinationId", "deliveries.eventId"])
    .where("destinations.state", "=", "removed")
    .where("deliveries.state", "=", "held")
    .limit(heldMax)
    .execute();
  if (rows.length === 0) return 0;
  await db
    .updateTable("deliveries")
    .set((row) => ({ state: "due", dueAt: row.ref("eventAt") }))
    .where(isOneOf(rows))
    .where("state", "=", "held")
    .execute();
  return rows.length;
};

const writeCount = async (
  session: ReplaySession,
  tenantId: string,
  count: number,
  evidence: EvidenceEntry | undefined,
): Promise<void> => {
  if (count === 0 || evidence === undefined) return;
  const { body } = evidence;
  const counted = isGroup(body) ? { ...body, count } : body;
  await writeStep(session, tenantId, { evidence: [{ ...evidence, body: counted }] });
};

const isGroup = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
