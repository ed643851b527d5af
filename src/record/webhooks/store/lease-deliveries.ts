/** The lease of due deliveries, one transaction. */
import type { ExpressionBuilder } from "kysely";
import type { Session } from "#machine/storage/database";
import { isWhole } from "#machine/storage/rights/door";
import type {
  DeliveryLease,
  LeasedDeliveries,
  LeasedDelivery,
  LeasedDestination,
  SealedDeliveryEvent,
} from "../delivery/delivery.ts";
import { shareSlots } from "../delivery/share-slots.ts";
import { isOneOf } from "./delivery-keys.ts";
import { destinationOf } from "./destination-store.ts";
import type { DeliveryColumns, DeliveryTables, DestinationColumns } from "./webhook-tables.ts";

type LeaseSession = Session<DeliveryTables>;

/**
 * Destinations with due deliveries that one lease looks at. The next lease begins after the last one that had
 * slots.
 */
const candidatesMax = 1_000;

type Candidate = {
  readonly tenantId: string;
  readonly destinationId: string;
  readonly isOrdered: number;
  readonly blockedUntil: number | null;
  readonly ownMax: number | null;
};

type Share = Candidate & { readonly slots: number; readonly isProbe: boolean };

type DueRow = Readonly<DeliveryColumns>;

export const leaseDue = async (session: LeaseSession, lease: DeliveryLease): Promise<LeasedDeliveries> => {
  const candidates = await listCandidates(session, lease);
  if (candidates.length === 0) return { deliveries: [], expired: 0, isContended: false };
  const shares = shareSlots(await withInFlight(session, lease, candidates), lease.limit);
  const destinations = await lockDestinations(session, lease, shares);
  const isLocked = (share: Share): boolean => destinations.has(keyOf(share.tenantId, share.destinationId));
  const locked = await againInFlight(session, lease, shares.filter(isLocked));
  const due = await takeDue(session, lease, locked);
  await blockProbes(session, lease, locked, due);
  const events = await readEvents(session, due);
  const last = shares.at(-1)?.destinationId;
  return {
    deliveries: due.flatMap((row) => leasedOf(session, row, destinations, events)),
    expired: due.filter(({ leasedBy }) => leasedBy !== null).length,
    isContended: destinations.size < shares.length,
    ...(last !== undefined && { last }),
  };
};

const keyOf = (tenantId: string, id: string): string => `${tenantId} ${id}`;

/** Due, and in the hands of no living worker. */
const isFree = (now: Date) => (row: ExpressionBuilder<DeliveryTables, "deliveries">) =>
  row.and([
    row("deliveries.state", "=", "due"),
    row("deliveries.dueAt", "<=", now.getTime()),
    row.or([row("deliveries.leasedUntil", "is", null), row("deliveries.leasedUntil", "<=", now.getTime())]),
  ]);

/** Of an ordered destination: no earlier event of its operation is undelivered. Index deliveries_sequence. */
const isNext = (row: ExpressionBuilder<DeliveryTables, "deliveries">) =>
  row.not(
    row.exists(
      row
        .selectFrom("deliveries as earlier")
        .select("earlier.eventId")
        .whereRef("earlier.tenantId", "=", "deliveries.tenantId")
        .whereRef("earlier.destinationId", "=", "deliveries.destinationId")
        .whereRef("earlier.operationId", "=", "deliveries.operationId")
        .whereRef("earlier.sequence", "<", "deliveries.sequence")
        .where("earlier.doneAt", "is", null),
    ),
  );

/** Receives deliveries now. Those of a removed destination end without a request. */
const isServed = (now: Date) => (row: ExpressionBuilder<DeliveryTables, "destinations">) =>
  row.and([
    row("destinations.state", "in", ["active", "removed"]),
    row.or([
      row("destinations.blockedUntil", "is", null),
      row("destinations.blockedUntil", "<=", now.getTime()),
    ]),
  ]);

/** The destinations, each with one probe of deliveries_due: in a circle, from the last one that had slots. */
const listCandidates = async (
  { db }: LeaseSession,
  { now, after }: DeliveryLease,
): Promise<readonly Candidate[]> =>
  await db
    .selectFrom("destinations")
    .select(["destinations.tenantId", "destinations.id as destinationId"])
    .select(["isOrdered", "blockedUntil", "inFlightMax as ownMax"])
    .where(isServed(now))
    .where((row) =>
      row.exists(
        row
          .selectFrom("deliveries")
          .select("deliveries.eventId")
          .whereRef("deliveries.tenantId", "=", "destinations.tenantId")
          .whereRef("deliveries.destinationId", "=", "destinations.id")
          .where(isFree(now))
          .where((delivery) => delivery.or([row("destinations.isOrdered", "=", 0), isNext(delivery)])),
      ),
    )
    .orderBy((row) => row.case().when("destinations.id", ">", after).then(0).else(1).end())
    .orderBy("destinations.id")
    .limit(candidatesMax)
    .execute();

/** The candidates with their deliveries in flight. Index deliveries_leased: the leased rows alone. */
const withInFlight = async (
  { db }: LeaseSession,
  { now, inFlightMax }: DeliveryLease,
  candidates: readonly Candidate[],
) => {
  const counts = await db
    .selectFrom("deliveries")
    .select((row) => ["tenantId", "destinationId", row.fn.countAll<number>().as("inFlight")])
    .where("leasedBy", "is not", null)
    .where("leasedUntil", ">", now.getTime())
    .groupBy(["tenantId", "destinationId"])
    .execute();
  const inFlight = new Map(counts.map((row) => [keyOf(row.tenantId, row.destinationId), row.inFlight]));
  return candidates.map((candidate) => {
    const key = keyOf(candidate.tenantId, candidate.destinationId);
    return {
      ...candidate,
      inFlight: inFlight.get(key) ?? 0,
      inFlightMax: candidate.ownMax ?? inFlightMax,
      isProbe: candidate.blockedUntil !== null,
    };
  });
};

/**
 * The whole rows of the chosen destinations by primary key. On PostgreSQL they are locked until commit, and a
 * destination that another process serves at this moment is left out: so two processes never exceed its limit
 * together.
 */
const lockDestinations = async (
  session: LeaseSession,
  { now }: DeliveryLease,
  shares: readonly Share[],
): Promise<ReadonlyMap<string, LeasedDestination>> => {
  if (shares.length === 0) return new Map();
  const { db, locksRows } = session;
  const rows = await db
    .selectFrom("destinations")
    .selectAll()
    .where((row) =>
      row.or(
        [...Map.groupBy(shares, ({ tenantId }) => tenantId)].map(([tenantId, ofOne]) =>
          row.and([
            row("tenantId", "=", tenantId),
            row(
              "id",
              "in",
              ofOne.map(({ destinationId }) => destinationId),
            ),
          ]),
        ),
      ),
    )
    .where(isServed(now))
    .$if(locksRows, (query) => query.forNoKeyUpdate().skipLocked())
    .execute();
  // A destination that was changed past the service gets nothing. The hourly comparison reports it.
  const whole = rows.filter((row) => isWhole(session, "destinations", row));
  return new Map(whole.map((row) => [keyOf(row.tenantId, row.id), leasedDestinationOf(row)]));
};

const leasedDestinationOf = (row: DestinationColumns): LeasedDestination => {
  const stored = destinationOf(row);
  return {
    tenantId: row.tenantId,
    id: row.id,
    ...(stored && { stored }),
    health: {
      ...(row.failingSince !== null && { failingSince: new Date(row.failingSince) }),
      ...(row.goneSince !== null && { goneSince: new Date(row.goneSince) }),
      ...(row.lastSuccessAt !== null && { lastSuccessAt: new Date(row.lastSuccessAt) }),
      warned: row.warned,
      isProbe: row.blockedUntil !== null,
    },
  };
};

/** Counts again what another process leased before the lock. SQLite has one writer. */
const againInFlight = async (
  session: LeaseSession,
  lease: DeliveryLease,
  shares: readonly Share[],
): Promise<readonly Share[]> => {
  if (!session.locksRows || shares.length === 0) return shares;
  const slots = new Map(shares.map((share) => [keyOf(share.tenantId, share.destinationId), share.slots]));
  const counted = await withInFlight(session, lease, shares);
  return counted.flatMap((share) => {
    const free = share.isProbe ? 1 : share.inFlightMax - share.inFlight;
    const taken = Math.min(free, slots.get(keyOf(share.tenantId, share.destinationId)) ?? 0);
    return taken > 0 ? [{ ...share, slots: taken }] : [];
  });
};

/**
 * The oldest due deliveries of one destination, index deliveries_due. Skips rows that another process
 * changes.
 */
const dueOf = (
  { db, locksRows }: LeaseSession,
  now: Date,
  { tenantId, destinationId, isOrdered, isProbe, slots }: Share,
) =>
  db
    .selectFrom(
      db
        .selectFrom("deliveries")
        // The whole row: its seal is compared.
        .selectAll()
        .where("tenantId", "=", tenantId)
        .where("destinationId", "=", destinationId)
        .where(isFree(now))
        .$if(isOrdered === 1, (query) => query.where(isNext))
        // What the operator sent again is the probe.
        .$if(isProbe, (query) => query.orderBy("isManual", "desc"))
        .orderBy("dueAt")
        .limit(slots)
        .$if(locksRows, (query) => query.forUpdate().skipLocked())
        .as("due"),
    )
    .selectAll();

const takeDue = async (
  session: LeaseSession,
  { worker, now, leaseMs }: DeliveryLease,
  shares: readonly Share[],
): Promise<readonly DueRow[]> => {
  const [first, ...others] = shares;
  if (first === undefined) return [];
  const rows = await others
    .reduce((query, share) => query.unionAll(dueOf(session, now, share)), dueOf(session, now, first))
    .execute();
  if (rows.length === 0) return [];
  await session.db
    .updateTable("deliveries")
    .set({ leasedBy: worker, leasedUntil: now.getTime() + leaseMs })
    .where(isOneOf(rows))
    .execute();
  return rows;
};

/** While the probe runs, no other delivery starts. A probe whose worker dies is repeated after its lease. */
const blockProbes = async (
  { db }: LeaseSession,
  { now, leaseMs }: DeliveryLease,
  shares: readonly Share[],
  due: readonly DueRow[],
): Promise<void> => {
  const probes = shares.filter(
    ({ isProbe, tenantId, destinationId }) =>
      isProbe && due.some((row) => row.tenantId === tenantId && row.destinationId === destinationId),
  );
  for (const { tenantId, destinationId } of probes) {
    // Primary key, one row, locked above.
    await db
      .updateTable("destinations")
      .set({ blockedUntil: now.getTime() + leaseMs })
      .where("tenantId", "=", tenantId)
      .where("id", "=", destinationId)
      .execute();
  }
};

/** The events of the deliveries by primary key. */
const readEvents = async (
  { db }: LeaseSession,
  due: readonly DueRow[],
): Promise<ReadonlyMap<string, SealedDeliveryEvent>> => {
  if (due.length === 0) return new Map();
  const rows = await db
    .selectFrom("events")
    .selectAll()
    .where((row) =>
      row.or(
        [...Map.groupBy(due, ({ tenantId }) => tenantId)].map(([tenantId, ofOne]) =>
          row.and([
            row("tenantId", "=", tenantId),
            row("id", "in", [...new Set(ofOne.map(({ eventId }) => eventId))]),
          ]),
        ),
      ),
    )
    .execute();
  return new Map(
    rows.map(({ at, sealedData, ...row }) => [
      keyOf(row.tenantId, row.id),
      { ...row, at: new Date(at), sealedData: new Uint8Array(sealedData) },
    ]),
  );
};

const leasedOf = (
  session: LeaseSession,
  row: DueRow,
  destinations: ReadonlyMap<string, LeasedDestination>,
  events: ReadonlyMap<string, SealedDeliveryEvent>,
): readonly LeasedDelivery[] => {
  const { tenantId, destinationId, eventId, attempts, failures, isManual } = row;
  const destination = destinations.get(keyOf(tenantId, destinationId));
  const event = events.get(keyOf(tenantId, eventId));
  if (destination === undefined || event === undefined) return [];
  const { operationId, sequence, eventAt } = row;
  return [
    {
      tenantId,
      destinationId,
      eventId,
      attempts,
      failures,
      isManual: isManual === 1,
      ...(!isWhole(session, "deliveries", row) && { isForged: true as const }),
      stated: { operationId, sequence, eventAt: new Date(eventAt) },
      event,
      destination,
    },
  ];
};
