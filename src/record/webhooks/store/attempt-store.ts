/** Deliveries and the log of their attempts, as the operator reads them. */
import type { ExpressionBuilder } from "kysely";
import type { EventName } from "#contract/event";
import type { Session } from "#machine/storage/database";
import type { AttemptDecision, DeliveryKey, DeliveryState, LoggedOutcome } from "../delivery/delivery.ts";
import type { ExchangeTimings } from "../send/send.ts";
import type { DestinationOwner } from "./stored-destination.ts";
import type { AttemptColumns, DeliveryColumns, DeliveryTables } from "./webhook-tables.ts";

export type ListedDelivery = DeliveryKey & {
  readonly operationId: string;
  readonly sequence: number;
  readonly name: EventName;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly isManual: boolean;
  readonly eventAt: Date;
  /** Orders the due ones. */
  readonly dueAt: Date;
  /**
   * While due: time of the next attempt, that of the next probe where the breaker of its destination is open.
   */
  readonly nextAt?: Date;
  readonly doneAt?: Date;
};

export type LoggedAttempt = {
  readonly attempt: number;
  readonly at: Date;
  readonly outcome: LoggedOutcome;
  readonly status?: number;
  readonly decision: AttemptDecision;
  readonly nextAt?: Date;
  readonly address?: string;
  readonly timings: ExchangeTimings;
  /** Opened by `openAnswer`. */
  readonly sealedAnswer?: Uint8Array;
  readonly reason?: string;
};

/** One of `destinationId` and `eventId` is given, so that an index finds the deliveries. */
export type DeliveryFilter = {
  readonly destinationId?: string;
  readonly eventId?: string;
  readonly state?: DeliveryState;
};

/** Place of a delivery in a list: the time that orders it, and the ids. */
export type DeliveryPlace = Pick<DeliveryKey, "destinationId" | "eventId"> & { readonly at: Date };

export type DeliveryPage = { readonly deliveries: readonly ListedDelivery[]; readonly isLast: boolean };

/** A destination whose deliveries wait, for the metrics. */
export type WaitingDestination = {
  readonly destinationId: string;
  /** Of the deliveries that are due now or held. */
  readonly oldestAt: Date;
};

export type QueueReading = {
  /**
   * Since when a delivery is due at an active, unordered destination whose breaker is closed; absent where
   * none is.
   */
  readonly dueSince?: Date;
  /** The oldest first. */
  readonly waiting: readonly WaitingDestination[];
  readonly openBreakers: number;
};

/** Implemented by {@link makeAttemptCommands}. */
export type AttemptCommands = {
  /**
   * Up to 50, the newest first: by their next attempt where `state` is due, else by the time of the event.
   */
  readonly listDeliveries: (
    of: DestinationOwner,
    filter: DeliveryFilter,
    after?: DeliveryPlace,
  ) => Promise<DeliveryPage>;
  /** With its last 100 attempts, the newest first. */
  readonly findDelivery: (
    of: DestinationOwner,
    key: Pick<DeliveryKey, "destinationId" | "eventId">,
  ) => Promise<
    { readonly delivery: ListedDelivery; readonly attempts: readonly LoggedAttempt[] } | undefined
  >;
  /** Of all tenants: the `limit` destinations that wait longest. */
  readonly readQueue: (now: Date, limit: number) => Promise<QueueReading>;
};

type LogSession = Session<DeliveryTables>;

const pageMax = 50;
const attemptsMax = 100;

export const makeAttemptCommands = (session: LogSession): AttemptCommands => ({
  listDeliveries: (of, filter, after) => list(session, of, filter, after),

  findDelivery: async (of, { destinationId, eventId }) => {
    // Primary keys, one row of each.
    const row = await deliveriesOf(session, of)
      .where("deliveries.destinationId", "=", destinationId)
      .where("deliveries.eventId", "=", eventId)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    // Primary key, backwards.
    const attempts = await session.db
      .selectFrom("deliveryAttempts")
      .selectAll()
      .where("tenantId", "=", of.tenantId)
      .where("destinationId", "=", destinationId)
      .where("eventId", "=", eventId)
      .orderBy("attempt", "desc")
      .limit(attemptsMax)
      .execute();
    return { delivery: deliveryOf(row), attempts: attempts.map(attemptOf) };
  },

  readQueue: (now, limit) => readQueue(session, now, limit),
});

/** Those of the owner's environment. A removed destination keeps its deliveries. */
const deliveriesOf = ({ db }: LogSession, { tenantId, environment }: DestinationOwner) =>
  db
    .selectFrom("deliveries")
    .innerJoin("events", (join) =>
      join.onRef("events.tenantId", "=", "deliveries.tenantId").onRef("events.id", "=", "deliveries.eventId"),
    )
    .leftJoin("destinations", (join) =>
      join
        .onRef("destinations.tenantId", "=", "deliveries.tenantId")
        .onRef("destinations.id", "=", "deliveries.destinationId"),
    )
    .selectAll("deliveries")
    .select(["events.name", "destinations.blockedUntil"])
    .where("deliveries.tenantId", "=", tenantId)
    .where("events.environment", "=", environment);

const list = async (
  session: LogSession,
  of: DestinationOwner,
  { destinationId, eventId, state }: DeliveryFilter,
  after: DeliveryPlace | undefined,
): Promise<DeliveryPage> => {
  const time = state === "due" ? "deliveries.dueAt" : "deliveries.eventAt";
  // Indexes deliveries_listed, deliveries_kept, deliveries_due or deliveries_event, from the end of the
  // previous page.
  const rows = await deliveriesOf(session, of)
    .$if(destinationId !== undefined, (query) =>
      query.where("deliveries.destinationId", "=", destinationId ?? ""),
    )
    .$if(eventId !== undefined, (query) => query.where("deliveries.eventId", "=", eventId ?? ""))
    .$if(state !== undefined, (query) => query.where("deliveries.state", "=", state ?? "due"))
    .where((row) => (after === undefined ? row.and([]) : isAfter(row, time, after)))
    .orderBy(time, "desc")
    .orderBy("deliveries.eventId", "desc")
    .orderBy("deliveries.destinationId", "desc")
    .limit(pageMax + 1)
    .execute();
  return { deliveries: rows.slice(0, pageMax).map(deliveryOf), isLast: rows.length <= pageMax };
};

type Listed = ExpressionBuilder<DeliveryTables, "deliveries" | "events">;

const isAfter = (row: Listed, time: "deliveries.dueAt" | "deliveries.eventAt", after: DeliveryPlace) => {
  const at = after.at.getTime();
  return row.or([
    row(time, "<", at),
    row.and([row(time, "=", at), row("deliveries.eventId", "<", after.eventId)]),
    row.and([
      row(time, "=", at),
      row("deliveries.eventId", "=", after.eventId),
      row("deliveries.destinationId", "<", after.destinationId),
    ]),
  ]);
};

type ListedRow = DeliveryColumns & { readonly name: EventName; readonly blockedUntil: number | null };

const deliveryOf = (row: ListedRow): ListedDelivery => ({
  tenantId: row.tenantId,
  destinationId: row.destinationId,
  eventId: row.eventId,
  operationId: row.operationId,
  sequence: row.sequence,
  name: row.name,
  state: row.state,
  attempts: row.attempts,
  isManual: row.isManual === 1,
  eventAt: new Date(row.eventAt),
  dueAt: new Date(row.dueAt),
  ...(row.state === "due" && { nextAt: new Date(Math.max(row.dueAt, row.blockedUntil ?? 0)) }),
  ...(row.doneAt !== null && { doneAt: new Date(row.doneAt) }),
});

const attemptOf = (row: AttemptColumns): LoggedAttempt => ({
  attempt: row.attempt,
  at: new Date(row.at),
  outcome: row.outcome,
  ...(row.status !== null && { status: row.status }),
  decision: row.decision,
  ...(row.nextAt !== null && { nextAt: new Date(row.nextAt) }),
  ...(row.address !== null && { address: row.address }),
  timings: JSON.parse(row.timings),
  ...(row.sealedAnswer !== null && { sealedAnswer: new Uint8Array(row.sealedAnswer) }),
  ...(row.reason !== null && { reason: row.reason }),
});

/** Two probes of an index for each destination. */
const readQueue = async ({ db }: LogSession, now: Date, limit: number): Promise<QueueReading> => {
  const rows = await db
    .selectFrom("destinations")
    .select((row) => [
      "id",
      "state",
      "isOrdered",
      "blockedUntil",
      row
        .selectFrom("deliveries")
        .select("dueAt")
        .whereRef("deliveries.tenantId", "=", "destinations.tenantId")
        .whereRef("deliveries.destinationId", "=", "destinations.id")
        .where("deliveries.state", "=", "due")
        .where("dueAt", "<=", now.getTime())
        .orderBy("dueAt")
        .limit(1)
        .as("dueAt"),
      row
        .selectFrom("deliveries")
        .select("eventAt")
        .whereRef("deliveries.tenantId", "=", "destinations.tenantId")
        .whereRef("deliveries.destinationId", "=", "destinations.id")
        .where("deliveries.state", "=", "held")
        .orderBy("eventAt")
        .limit(1)
        .as("heldAt"),
    ])
    .where("destinations.state", "!=", "removed")
    .execute();
  const waiting = rows.flatMap(({ id, dueAt, heldAt }) => {
    const times = [dueAt, heldAt].filter((time) => time !== null);
    return times.length === 0 ? [] : [{ destinationId: id, oldestAt: new Date(Math.min(...times)) }];
  });
  // An event of an ordered destination may wait for the retries of the one before.
  const served = rows.filter(
    ({ state, isOrdered, blockedUntil }) =>
      state === "active" && isOrdered === 0 && (blockedUntil === null || blockedUntil <= now.getTime()),
  );
  const due = served.flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt]));
  return {
    ...(due.length > 0 && { dueSince: new Date(Math.min(...due)) }),
    waiting: waiting.toSorted((a, b) => a.oldestAt.getTime() - b.oldestAt.getTime()).slice(0, limit),
    openBreakers: rows.filter(({ blockedUntil }) => blockedUntil !== null).length,
  };
};
