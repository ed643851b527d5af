/** The end of leased deliveries with the log of their attempts, one transaction. */
import { areKeysLive } from "#machine/storage/data-key-lock";
import { changeRow, isWholeRow } from "#machine/storage/rights/door";
import type { EvidenceEntry } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import type { DeliveryKey, FinishedAttempt, RetriedDelivery } from "../delivery/delivery.ts";
import type { HealthChange } from "../delivery/judge-health.ts";
import { isOneOf, textOf } from "./delivery-keys.ts";
import type { StateReason } from "./stored-destination.ts";
import type { AttemptColumns, DeliveryTables } from "./webhook-tables.ts";

/** What the attempts of a batch change in one destination. */
export type DestinationChange = {
  readonly tenantId: string;
  readonly destinationId: string;
  readonly at: Date;
  readonly health?: HealthChange;
  /** The receiver answered 410, for the first time since its last success. */
  readonly isFirstGone?: true;
  /** Its breaker: open until then. */
  readonly blockedUntil?: Date;
  /** Written with a warning or a disabling that takes place. */
  readonly evidence?: EvidenceEntry;
};

export type FinishedBatch = {
  readonly worker: string;
  readonly at: Date;
  readonly attempts: readonly FinishedAttempt[];
  readonly retries: readonly RetriedDelivery[];
  readonly destinations: readonly DestinationChange[];
};

type FinishSession = StepSession<DeliveryTables>;

export const finishBatch = async (
  session: FinishSession,
  { worker, at, attempts, retries, destinations }: FinishedBatch,
): Promise<readonly DeliveryKey[]> => {
  const kept = new Set<string>();
  const keep = (rows: readonly DeliveryKey[]): void => rows.forEach((row) => kept.add(textOf(row)));
  const delivered = attempts.filter(({ state }) => state === "delivered");
  // Nearly all are first attempts: one statement.
  for (const [attempt, ofOne] of Map.groupBy(delivered, (one) => one.attempt)) {
    keep(await endDelivered(session, worker, at, attempt, ofOne));
  }
  for (const attempt of attempts) {
    if (attempt.state !== "delivered") keep(await endOther(session, worker, attempt));
  }
  for (const one of retries) await retryOne(session, worker, one);
  await insertAttempts(
    session,
    attempts.filter((attempt) => kept.has(textOf(attempt))),
  );
  const changed: DestinationChange[] = [];
  for (const change of inLockOrder(destinations)) {
    await openBreaker(session, change);
    await noteGone(session, change);
    if (await changeHealth(session, change)) changed.push(change);
  }
  // Last: every writer locks its destinations before the chain.
  for (const { tenantId, evidence } of changed) {
    if (evidence !== undefined) await writeStep(session, tenantId, { evidence: [evidence] });
  }
  return attempts.filter((attempt) => !kept.has(textOf(attempt)));
};

/** Two processes that change the same destinations lock them in the same order. */
const inLockOrder = (changes: readonly DestinationChange[]): readonly DestinationChange[] =>
  changes.toSorted((a, b) => compare(a.tenantId, b.tenantId) || compare(a.destinationId, b.destinationId));

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const unleased = { leasedBy: null, leasedUntil: null };

/**
 * Primary key. A worker that lost its lease changes nothing, also where it leased the same delivery again:
 * the first of both ends counts, and the other has the number of an attempt that exists. The worker not by
 * '=': PostgreSQL would then read the whole index of leased rows, with the rows that have left it since the
 * last vacuum.
 */
const endDelivered = async (
  { db }: FinishSession,
  worker: string,
  at: Date,
  attempt: number,
  delivered: readonly FinishedAttempt[],
): Promise<readonly DeliveryKey[]> =>
  await db
    .updateTable("deliveries")
    .set({ state: "delivered", attempts: attempt, failures: 0, doneAt: at.getTime(), ...unleased })
    .where(isOneOf(delivered))
    .where("leasedBy", "is not distinct from", worker)
    .where("attempts", "=", attempt - 1)
    .returning(["tenantId", "destinationId", "eventId"])
    .execute();

const endOther = async (
  { db }: FinishSession,
  worker: string,
  attempt: FinishedAttempt,
): Promise<readonly DeliveryKey[]> => {
  const { state, failures, nextAt, at } = attempt;
  return await db
    .updateTable("deliveries")
    .set({
      state,
      attempts: attempt.attempt,
      failures,
      ...(nextAt && { dueAt: nextAt.getTime() }),
      doneAt: state === "failed" ? at.getTime() : null,
      ...unleased,
    })
    .where(isOneOf([attempt]))
    .where("leasedBy", "is not distinct from", worker)
    .where("attempts", "=", attempt.attempt - 1)
    .returning(["tenantId", "destinationId", "eventId"])
    .execute();
};

const retryOne = async ({ db }: FinishSession, worker: string, one: RetriedDelivery): Promise<void> => {
  await db
    .updateTable("deliveries")
    .set({ dueAt: one.dueAt.getTime(), ...unleased })
    .where(isOneOf([one]))
    .where("leasedBy", "is not distinct from", worker)
    .execute();
};

const insertAttempts = async (
  session: FinishSession,
  attempts: readonly FinishedAttempt[],
): Promise<void> => {
  if (attempts.length === 0) return;
  const closed = await closedTenants(session, attempts);
  const rows = attempts.map((one) => attemptRow(one, !closed.has(one.tenantId)));
  // Primary key; the foreign key is the delivery, which this worker held until now.
  await session.db.insertInto("deliveryAttempts").values(rows).execute();
};

/**
 * Tenants whose answers a destroyed key sealed. The log keeps the attempt without the answer: the batch has
 * ends of other tenants too.
 */
const closedTenants = async (
  session: FinishSession,
  attempts: readonly FinishedAttempt[],
): Promise<ReadonlySet<string>> => {
  const closed = new Set<string>();
  for (const [tenantId, ofOne] of Map.groupBy(attempts, (one) => one.tenantId)) {
    const answers = ofOne.map(({ sealedAnswer }) => sealedAnswer);
    if (!(await areKeysLive(session, tenantId, ...answers))) closed.add(tenantId);
  }
  return closed;
};

const attemptRow = (one: FinishedAttempt, isOpen: boolean): AttemptColumns => ({
  tenantId: one.tenantId,
  destinationId: one.destinationId,
  eventId: one.eventId,
  attempt: one.attempt,
  at: one.at.getTime(),
  outcome: one.outcome,
  status: one.status ?? null,
  decision: one.decision,
  nextAt: one.nextAt?.getTime() ?? null,
  address: one.address ?? null,
  timings: JSON.stringify(one.timings),
  sealedAnswer: isOpen ? (one.sealedAnswer ?? null) : null,
  reason: one.reason ?? null,
});

/** Primary key, one row. Returns whether the change takes place: another process may have made it before. */
const changeHealth = async (
  session: FinishSession,
  { tenantId, destinationId, at, health, blockedUntil }: DestinationChange,
): Promise<boolean> => {
  if (health === undefined) return false;
  const time = at.getTime();
  if (health.kind === "disabled")
    return await disable(session, { tenantId, destinationId, time }, health.reason);
  const { numUpdatedRows } = await session.db
    .updateTable("destinations")
    .set((row) => ({
      ...(health.kind === "succeeded" && {
        failingSince: null,
        goneSince: null,
        warned: 0,
        lastSuccessAt: time,
        ...(blockedUntil === undefined && { blockedUntil: null }),
      }),
      ...(health.kind === "failing" && { failingSince: row.fn.coalesce("failingSince", row.val(time)) }),
      ...(health.kind === "warned" && { warned: health.percent }),
    }))
    .where("tenantId", "=", tenantId)
    .where("id", "=", destinationId)
    .$if(health.kind === "warned", (query) =>
      query.where("warned", "<", health.kind === "warned" ? health.percent : 0),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Primary key, one row. The first of two processes that note it counts. */
const noteGone = async (
  { db }: FinishSession,
  { tenantId, destinationId, at, isFirstGone }: DestinationChange,
): Promise<void> => {
  if (isFirstGone !== true) return;
  await db
    .updateTable("destinations")
    .set({ goneSince: at.getTime() })
    .where("tenantId", "=", tenantId)
    .where("id", "=", destinationId)
    .where("goneSince", "is", null)
    .execute();
};

type Disabled = { readonly tenantId: string; readonly destinationId: string; readonly time: number };

/**
 * A destination that was changed past the service stays as it is: it gets no delivery, and the hourly
 * comparison reports it.
 */
const disable = async (
  session: FinishSession,
  { tenantId, destinationId, time }: Disabled,
  stateReason: StateReason,
): Promise<boolean> => {
  if (!(await isWholeRow(session, "destinations", [tenantId, destinationId]))) return false;
  return await changeRow(session, "destinations", [tenantId, destinationId], async (row) => {
    const columns = {
      state: "disabled",
      stateReason,
      // An operator may have changed it after the attempt: the time of a row never falls below that of its
      // newest entry.
      changedAt: Math.max(Number(row["changedAt"]), time),
      blockedUntil: null,
      revision: Number(row["revision"]) + 1,
    } as const;
    // Primary key, one row.
    const { numUpdatedRows } = await session.db
      .updateTable("destinations")
      .set(columns)
      .where("tenantId", "=", tenantId)
      .where("id", "=", destinationId)
      .where("state", "=", "active")
      .executeTakeFirst();
    return numUpdatedRows === 1n ? columns : undefined;
  });
};

/** Primary key, one row. Apart from the change of the health, which may have taken place before. */
const openBreaker = async (
  { db }: FinishSession,
  { tenantId, destinationId, blockedUntil, health }: DestinationChange,
): Promise<void> => {
  if (blockedUntil === undefined || health?.kind === "disabled") return;
  await db
    .updateTable("destinations")
    .set({ blockedUntil: blockedUntil.getTime() })
    .where("tenantId", "=", tenantId)
    .where("id", "=", destinationId)
    .execute();
};
