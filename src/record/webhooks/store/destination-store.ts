import { requireLiveKeys } from "#machine/storage/data-key-lock";
import { changeRow, endRow, isWhole, requireRow, sealRow } from "#machine/storage/rights/door";
import type { Step } from "#record/transactions/record";
import { lockChain, type StepSession, writeStep } from "#record/transactions/store/step-store";
import { lockStates } from "./lock-states.ts";
import { releaseHeld } from "./replay-store.ts";
import type {
  DestinationChange,
  DestinationOwner,
  NewDestination,
  StoredDestination,
} from "./stored-destination.ts";
import type { TokenTables } from "./token-store.ts";
import type { DeliveryTables, DestinationColumns } from "./webhook-tables.ts";

/**
 * Commands for destinations; implemented by {@link makeDestinationCommands}. A removed destination is not
 * found.
 */
export type DestinationCommands = {
  /** False, and nothing written, where the owner has `countMax` destinations. */
  readonly createDestination: (destination: NewDestination, countMax: number, step: Step) => Promise<boolean>;
  readonly findDestination: (of: DestinationOwner, id: string) => Promise<StoredDestination | undefined>;
  /** The revision of a destination for its removal, whatever its seal is. */
  readonly findRevision: (of: DestinationOwner, id: string) => Promise<number | undefined>;
  /** All of the owner, in the order of their creation: also those that were changed past the service. */
  readonly listDestinations: (of: DestinationOwner) => Promise<readonly StoredDestination[]>;
  /** False, and nothing written, where the destination is not the one that was read. */
  readonly changeDestination: (
    read: Pick<StoredDestination, "tenantId" | "id" | "revision">,
    change: DestinationChange,
    step: Step,
  ) => Promise<boolean>;
  /**
   * Like `changeDestination`. Settings, secrets and the token go at once; the row stays for its deliveries.
   */
  readonly removeDestination: (
    read: Pick<StoredDestination, "tenantId" | "id" | "revision">,
    at: Date,
    step: Step,
  ) => Promise<boolean>;
  /** Up to 100 destinations whose former secrets have all stopped to sign at `now`, of all tenants. */
  readonly listFormerSecrets: (now: Date) => Promise<readonly StoredDestination[]>;
  /** Removes the destinations of an erased tenant, and their names; returns how many. */
  readonly forgetDestinations: (tenantId: string, at: Date) => Promise<number>;
};

type DestinationSession = StepSession<TokenTables & DeliveryTables>;

const formerRowsMax = 100;

const listOf: (
  session: DestinationSession,
  ...of: Parameters<DestinationCommands["listDestinations"]>
) => ReturnType<DestinationCommands["listDestinations"]> = async (session, { tenantId, environment }) => {
  // Index destinations_of, the rows of one tenant and environment: at most those that may be created.
  const rows = await session.db
    .selectFrom("destinations")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("environment", "=", environment)
    .where("state", "in", ["active", "paused", "disabled"])
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  return rows.flatMap((row) =>
    isWhole(session, "destinations", row) ? (destinationOf(row) ?? []) : (forgedOf(row) ?? []),
  );
};

/** Receivers of events. */
export const makeDestinationCommands = (session: DestinationSession): DestinationCommands => ({
  createDestination: (destination, countMax, step) => create(session, destination, countMax, step),

  findDestination: async ({ tenantId, environment }, id) => {
    // Primary key, one row.
    const row = await session.db
      .selectFrom("destinations")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .where("id", "=", id)
      .where("environment", "=", environment)
      .where("state", "!=", "removed")
      .executeTakeFirst();
    if (row === undefined) return undefined;
    requireRow(session, "destinations", row);
    return destinationOf(row);
  },

  findRevision: async ({ tenantId, environment }, id) => {
    // Primary key, one row.
    const row = await session.db
      .selectFrom("destinations")
      .select("revision")
      .where("tenantId", "=", tenantId)
      .where("id", "=", id)
      .where("environment", "=", environment)
      .where("state", "!=", "removed")
      .executeTakeFirst();
    return row?.revision;
  },

  listDestinations: (owner) => listOf(session, owner),

  changeDestination: (read, change, step) => changeAndRelease(session, read, change, step),

  removeDestination: async (read, at, step) => {
    if (!(await changeOne(session, read, removedColumns(at), step, endRow))) return false;
    await removeToken(session, read);
    return true;
  },

  listFormerSecrets: async (now) => {
    // Index destinations_former.
    const rows = await session.db
      .selectFrom("destinations")
      .selectAll()
      .where("formerUntil", "<=", now.getTime())
      .orderBy("formerUntil")
      .limit(formerRowsMax)
      .execute();
    return rows.flatMap((row) => (isWhole(session, "destinations", row) ? (destinationOf(row) ?? []) : []));
  },

  forgetDestinations: (tenantId, at) => forget(session, tenantId, at),
});

const removeToken = async (
  { db }: DestinationSession,
  { tenantId, id }: Pick<StoredDestination, "tenantId" | "id">,
): Promise<void> => {
  // Primary key, one row.
  await db
    .deleteFrom("destinationTokens")
    .where("tenantId", "=", tenantId)
    .where("destinationId", "=", id)
    .execute();
};

const create = async (
  session: DestinationSession,
  { createdAt, topics, isOrdered, inFlightMax, stateReason, ...destination }: NewDestination,
  countMax: number,
  step: Step,
): Promise<boolean> => {
  // Before the chain, which a destruction of the key locks after the key.
  await requireLiveKeys(session, destination.tenantId, destination.sealedSettings);
  // Two processes that create at the same moment count one after the other.
  await lockChain(session, destination.tenantId);
  // Index destinations_of, the rows of one tenant and environment.
  const { n } = await session.db
    .selectFrom("destinations")
    .select(({ fn }) => fn.countAll<number | string>().as("n"))
    .where("tenantId", "=", destination.tenantId)
    .where("environment", "=", destination.environment)
    .where("state", "in", ["active", "paused", "disabled"])
    .executeTakeFirstOrThrow();
  if (Number(n) >= countMax) return false;
  const row = {
    ...destination,
    stateReason: stateReason ?? null,
    topics: JSON.stringify(topics),
    isOrdered: Number(isOrdered),
    inFlightMax: inFlightMax ?? null,
    revision: 1,
    createdAt: createdAt.getTime(),
    changedAt: createdAt.getTime(),
    formerUntil: null,
    failingSince: null,
    goneSince: null,
    lastSuccessAt: null,
    warned: 0,
    blockedUntil: null,
  };
  // Primary key.
  await session.db.insertInto("destinations").values(row).execute();
  await sealRow(session, "destinations", [row.tenantId, row.id], row);
  await writeStep(session, destination.tenantId, step);
  return true;
};

type Changed = Partial<
  Omit<DestinationColumns, "tenantId" | "id" | "environment" | "revision" | "createdAt">
>;

const columnsOf = ({ at, name, topics, isOrdered, sealedSettings, ...rest }: DestinationChange): Changed => {
  const { inFlightMax, formerUntil, state, forgetsFailures } = rest;
  return {
    changedAt: at.getTime(),
    ...(name !== undefined && { name }),
    ...(topics && { topics: JSON.stringify(topics) }),
    ...(isOrdered !== undefined && { isOrdered: Number(isOrdered) }),
    ...(sealedSettings && { sealedSettings }),
    ...(inFlightMax && { inFlightMax: inFlightMax === "default" ? null : inFlightMax }),
    ...(formerUntil && { formerUntil: formerUntil === "none" ? null : formerUntil.getTime() }),
    ...(state && { state: state.is, stateReason: state.reason ?? null }),
    ...(forgetsFailures === true && { failingSince: null, goneSince: null, warned: 0, blockedUntil: null }),
  };
};

const removedColumns = (at: Date): Changed => ({
  changedAt: at.getTime(),
  state: "removed",
  stateReason: null,
  name: "",
  sealedSettings: new Uint8Array(),
  formerUntil: null,
  blockedUntil: null,
});

const changeAndRelease = async (
  session: DestinationSession,
  read: Pick<StoredDestination, "tenantId" | "id" | "revision">,
  change: DestinationChange,
  step: Step,
): Promise<boolean> => {
  await requireLiveKeys(session, read.tenantId, change.sealedSettings);
  if (!(await changeOne(session, read, columnsOf(change), step))) return false;
  if (change.releases === true) {
    await releaseHeld(session, { tenantId: read.tenantId, destinationId: read.id }, change.at);
  }
  return true;
};

const changeOne = async (
  session: DestinationSession,
  { tenantId, id, revision }: Pick<StoredDestination, "tenantId" | "id" | "revision">,
  changed: Changed,
  step: Step,
  write: typeof changeRow = changeRow,
): Promise<boolean> => {
  if (changed.state !== undefined) await lockStates(session, tenantId, "change");
  const isChanged = await write(session, "destinations", [tenantId, id], async () => {
    const columns = { ...changed, revision: revision + 1 };
    // Primary key, one row: of two simultaneous changes the second finds another revision.
    const { numUpdatedRows } = await session.db
      .updateTable("destinations")
      .set(columns)
      .where("tenantId", "=", tenantId)
      .where("id", "=", id)
      .where("revision", "=", revision)
      .where("state", "!=", "removed")
      .executeTakeFirst();
    return numUpdatedRows === 1n ? columns : undefined;
  });
  if (!isChanged) return false;
  await writeStep(session, tenantId, step);
  return true;
};

const forget = async (session: DestinationSession, tenantId: string, at: Date): Promise<number> => {
  const { db } = session;
  // Primary key, the tenant's range. A token of a later destination stays.
  await db
    .deleteFrom("destinationTokens")
    .where("tenantId", "=", tenantId)
    .where("destinationId", "in", (query) =>
      query
        .selectFrom("destinations")
        .select("id")
        .where("tenantId", "=", tenantId)
        .where("createdAt", "<=", at.getTime()),
    )
    .execute();
  // Index destinations_of, the tenant's range.
  const stored = await db
    .selectFrom("destinations")
    .select("id")
    .where("tenantId", "=", tenantId)
    .where("state", "!=", "removed")
    .where("createdAt", "<=", at.getTime())
    .orderBy("id")
    .execute();
  let removed = 0;
  for (const { id } of stored) removed += Number(await forgetOne(session, tenantId, id, removedColumns(at)));
  return removed;
};

/** A removed row gives no right, whatever was in it. */
const forgetOne = async (
  session: DestinationSession,
  tenantId: string,
  id: string,
  removed: Changed,
): Promise<boolean> =>
  await endRow(session, "destinations", [tenantId, id], async (row) => {
    if (row["state"] === "removed") return undefined;
    const columns = { ...removed, revision: Number(row["revision"]) + 1 };
    // Primary key, one row.
    await session.db
      .updateTable("destinations")
      .set(columns)
      .where("tenantId", "=", tenantId)
      .where("id", "=", id)
      .execute();
    return columns;
  });

/**
 * A destination that was changed past the service, for a list. Its topics may be no list, and it has none.
 */
const forgedOf = (row: DestinationColumns): StoredDestination | undefined => {
  const destination = destinationOf({ ...row, topics: "[]" });
  return destination && { ...destination, isForged: true };
};

/** Undefined for a removed destination. Delivery reads rows with it too. */
export const destinationOf = (row: DestinationColumns): StoredDestination | undefined => {
  const { state, stateReason, formerUntil, failingSince, lastSuccessAt, blockedUntil } = row;
  if (state === "removed") return undefined;
  return {
    tenantId: row.tenantId,
    environment: row.environment,
    id: row.id,
    name: row.name,
    state,
    ...(stateReason !== null && { stateReason }),
    topics: JSON.parse(row.topics),
    isOrdered: row.isOrdered === 1,
    sealedSettings: new Uint8Array(row.sealedSettings),
    revision: row.revision,
    createdAt: new Date(row.createdAt),
    changedAt: new Date(row.changedAt),
    ...(formerUntil !== null && { formerUntil: new Date(formerUntil) }),
    ...(failingSince !== null && { failingSince: new Date(failingSince) }),
    ...(lastSuccessAt !== null && { lastSuccessAt: new Date(lastSuccessAt) }),
    ...(blockedUntil !== null && { breakerUntil: new Date(blockedUntil) }),
  };
};
