import type { EvidenceEntry } from "#record/transactions/record";
import type { DestinationChange } from "../store/finish-deliveries.ts";
import { type BreakerWindow, breakerPolicy, judgeBreaker, noteRequest } from "./breaker.ts";
import type { FinishedAttempt, LeasedDelivery } from "./delivery.ts";
import type { FinishQueue } from "./finish-queue.ts";
import { isOfReceiver, type JudgedAttempt, judgeAttempt } from "./judge-attempt.ts";
import type { HealthChange } from "./judge-health.ts";
import type { AttemptRun, NotAttempted } from "./run-attempt.ts";

/** Kinds of evidence that deliveries write. */
export const deliveryEvidenceKinds = [
  "destination_failing",
  "destination_disabled",
  "deliveries_released",
  "deliveries_replayed",
] as const;

export type EndDeps = {
  readonly queue: Pick<FinishQueue, "add">;
  readonly clock: () => Date;
  readonly random: () => number;
  readonly newId: () => string;
  /** Logs a warning, a disabling or an open breaker for the operator. */
  readonly note: (message: string, facts: Readonly<Record<string, string | number | boolean>>) => void;
  /** Holds what is due for a destination that was disabled. */
  readonly onDisabled: (of: Pick<LeasedDelivery, "tenantId" | "destinationId">) => void;
};

/** Hands over the end of a leased delivery. `onStored` is called when its slot is free. */
export type EndAttempt = (
  delivery: LeasedDelivery,
  ended: AttemptRun | NotAttempted,
  leasedUntil: Date,
  onStored: () => void,
) => void;

export const makeEnds = (deps: EndDeps): EndAttempt => {
  const breakers = makeBreakers();
  return (delivery, ended, leasedUntil, onStored) => {
    const { tenantId, destinationId, eventId } = delivery;
    const key = { tenantId, destinationId, eventId };
    if (ended.kind === "retry") {
      const dueAt = new Date(deps.clock().getTime() + ended.afterMs);
      deps.queue.add({ end: { ...key, dueAt }, leasedUntil, onStored });
      return;
    }
    const { at, result, sealedAnswer, ladder } = ended;
    const { outcome, status, retryAfterMs, address, timings, reason } = result;
    const now = deps.clock();
    const judged = judgeAttempt(delivery, { outcome, status, retryAfterMs, at: now }, deps.random(), ladder);
    const end: FinishedAttempt = {
      ...key,
      attempt: delivery.attempts + 1,
      at,
      outcome,
      decision: judged.decision,
      state: judged.state,
      failures: judged.failures,
      timings,
      ...(status !== undefined && { status }),
      ...(judged.nextAt && { nextAt: judged.nextAt }),
      ...(address !== undefined && { address }),
      ...(sealedAnswer && { sealedAnswer }),
      ...(reason !== undefined && { reason }),
    };
    const blockedUntil = isOfReceiver(outcome) ? breakers(delivery, outcome !== "delivered", now) : undefined;
    if (blockedUntil !== undefined && !delivery.destination.health.isProbe) {
      const nextProbeAt = blockedUntil.toISOString();
      deps.note("The breaker of a destination is open: its deliveries wait for a probe", {
        destinationId,
        nextProbeAt,
      });
    }
    const change = changeOf(deps, delivery, now, judged, blockedUntil);
    const isDisabled = judged.health?.kind === "disabled";
    const stored = (): void => {
      onStored();
      if (isDisabled) deps.onDisabled(delivery);
    };
    deps.queue.add({ end, leasedUntil, onStored: stored, ...(change && { change }) });
  };
};

const changeOf = (
  deps: EndDeps,
  { tenantId, destinationId, destination }: LeasedDelivery,
  at: Date,
  { health, isFirstGone }: Pick<JudgedAttempt, "health" | "isFirstGone">,
  blockedUntil: Date | undefined,
): DestinationChange | undefined => {
  if (health === undefined && blockedUntil === undefined && isFirstGone === undefined) return undefined;
  const evidence = health && evidenceOf(deps, destinationId, at, health, destination.health.failingSince);
  if (evidence !== undefined) {
    deps.note(
      evidence.kind === "destination_disabled"
        ? "A destination is disabled: its deliveries are held"
        : "A destination has had nothing but failures for long",
      { destinationId, ...(health?.kind === "warned" && { percentToDisabling: health.percent }) },
    );
  }
  return {
    tenantId,
    destinationId,
    at,
    ...(health && { health }),
    ...(isFirstGone && { isFirstGone }),
    ...(blockedUntil && { blockedUntil }),
    ...(evidence && { evidence }),
  };
};

const evidenceOf = (
  { newId }: Pick<EndDeps, "newId">,
  destinationId: string,
  at: Date,
  health: HealthChange,
  failingSince: Date | undefined,
): EvidenceEntry | undefined => {
  const since = failingSince === undefined ? {} : { failingSince: failingSince.toISOString() };
  const destination = destinationId;
  if (health.kind === "warned") {
    const body = { destination, percent: health.percent, ...since };
    return { id: newId(), kind: "destination_failing", at, body };
  }
  if (health.kind === "disabled") {
    const body = { destination, reason: health.reason, ...since };
    return { id: newId(), kind: "destination_disabled", at, body };
  }
  return undefined;
};

/** Notes a request of a destination. Returns the end of the pause where its breaker opens. */
type NoteRequest = (delivery: LeasedDelivery, hasFailed: boolean, at: Date) => Date | undefined;

/** Destinations whose requests are remembered: those with the newest requests. */
const windowsMax = 5_000;

/** The requests of this process. An open breaker stands in the store, so that every process sees it. */
const makeBreakers = (): NoteRequest => {
  const windows = new Map<string, BreakerWindow>();
  return ({ tenantId, destinationId, destination }, hasFailed, at) => {
    const key = `${tenantId} ${destinationId}`;
    const pausedUntil = new Date(at.getTime() + breakerPolicy.probeAfterMs);
    const former = windows.get(key) ?? [];
    windows.delete(key);
    if (destination.health.isProbe) return hasFailed ? pausedUntil : undefined;
    const window = noteRequest(former, hasFailed, at);
    if (judgeBreaker(window) === "open") return pausedUntil;
    windows.set(key, window);
    const [oldest] = windows.keys();
    if (windows.size > windowsMax && oldest !== undefined) windows.delete(oldest);
    return undefined;
  };
};
