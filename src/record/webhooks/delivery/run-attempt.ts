import type { AssetReference } from "#contract/event";
import { Failure, failureKinds } from "#contract/failure";
import type { Keyring } from "#machine/storage/blobs";
import type { CloudEventOptions, PublishedEvent } from "#record/events/cloud-event";
import type { LinkToAsset } from "#record/operations/assets/link";
import type { EventData } from "#record/operations/sealed-event";
import type { Destination } from "../destinations/destination.ts";
import { isInterrupted } from "../send/egress-failure.ts";
import type { Send, SendResult } from "../send/send.ts";
import type { StoredDestination } from "../store/stored-destination.ts";
import type { LeasedDelivery, SealedDeliveryEvent, UnsentOutcome } from "./delivery.ts";
import { judgeDelivery } from "./judge-delivery.ts";
import { sealAnswer } from "./sealed-answer.ts";

export type AttemptDeps = {
  readonly keyring: Pick<Keyring, "seal">;
  /** Opens sealed data of an event, as `openEvent` (record/operations/sealed-event.ts). */
  readonly openEvent: (event: SealedDeliveryEvent) => Promise<EventData>;
  /** As `openDestination` (destinations/settings.ts). */
  readonly openDestination: (stored: StoredDestination, now: Date) => Promise<Destination>;
  readonly linkToAsset: LinkToAsset;
  readonly writeCloudEvent: (event: PublishedEvent, options: CloudEventOptions) => string;
  readonly signatureKeyOf: (secret: string) => Uint8Array;
  readonly contentType: string;
  /** Vendor part of the type of events. */
  readonly vendor: string;
  readonly send: Send;
  /** An attempt that takes longer, with its token calls, is ended. */
  readonly attemptMsMax: number;
  readonly clock: () => Date;
};

/** An attempt that came to an end. */
export type AttemptRun = {
  readonly kind: "attempted";
  readonly at: Date;
  readonly result: Omit<SendResult, "outcome" | "answer"> & {
    readonly outcome: SendResult["outcome"] | UnsentOutcome;
  };
  readonly sealedAnswer?: Uint8Array;
  readonly ladder?: readonly number[];
};

/** No attempt: the delivery is due again after this pause. The cause is one that the operator removes. */
export type NotAttempted = { readonly kind: "retry"; readonly afterMs: number; readonly cause: unknown };

/**
 * Runs one attempt of a leased delivery. Never rejects. Where this service itself breaks the call off, no
 * attempt is spent, up to the third time in a row of one delivery: that ends as `unreachable`, since its
 * receiver may be the cause.
 */
export type RunAttempt = (
  delivery: LeasedDelivery,
  signal: AbortSignal,
) => Promise<AttemptRun | NotAttempted>;

/**
 * A store or a key that is missing now; sealed data of a newer release; the end of the thread of outgoing
 * calls.
 */
const retryAfterMs = 5_000;

/**
 * Interruptions of one delivery in a row, of which the last is an attempt. Our choice: a thread that ends by
 * chance interrupts a delivery once, seldom twice.
 */
export const interruptionsMax = 3;

/** Most deliveries whose interruptions are remembered; the oldest is forgotten first, to its own favour. */
const interruptedMax = 10_000;

const nameOf = ({ tenantId, destinationId, eventId }: LeasedDelivery): string =>
  JSON.stringify([tenantId, destinationId, eventId]);

/** Counts the interruptions of deliveries in the memory of this process. */
const makeInterruptions = () => {
  const counts = new Map<string, number>();
  return {
    /** Notes one more. Returns how many there are in a row. */
    note: (delivery: LeasedDelivery): number => {
      const name = nameOf(delivery);
      const count = (counts.get(name) ?? 0) + 1;
      counts.delete(name);
      counts.set(name, count);
      if (counts.size > interruptedMax) counts.delete(counts.keys().next().value ?? "");
      return count;
    },
    forget: (delivery: LeasedDelivery): void => void counts.delete(nameOf(delivery)),
  };
};

const nothingSent = { timings: { totalMs: 0 } } as const;

/**
 * Judges the delivery, opens the event and its destination, writes the CloudEvent with new links, and sends
 * it. What cannot be opened ever again ends as an attempt with its reason, so that it never comes back.
 */
export const makeRunAttempt = (deps: AttemptDeps): RunAttempt => {
  const interruptions = makeInterruptions();
  return async (delivery, signal) => {
    const isLast = (): boolean => interruptions.note(delivery) >= interruptionsMax;
    const ended = await runOnce(deps, delivery, signal, isLast);
    if (ended.kind === "attempted") interruptions.forget(delivery);
    return ended;
  };
};

const runOnce = async (
  deps: AttemptDeps,
  delivery: LeasedDelivery,
  signal: AbortSignal,
  isLastInterruption: () => boolean,
): Promise<AttemptRun | NotAttempted> => {
  const at = deps.clock();
  const { stored } = delivery.destination;
  if (stored === undefined) return unsent(at, "destination_removed", "The operator removed the destination");
  const refusal = judgeDelivery(delivery);
  if (refusal !== undefined) return unsent(at, "forged", refusal);
  const late = AbortSignal.timeout(deps.attemptMsMax);
  let ofDestination: Pick<AttemptRun, "ladder"> = {};
  try {
    const destination = await deps.openDestination(stored, at);
    const { retrySchedule } = destination;
    ofDestination = retrySchedule ? { ladder: retrySchedule } : {};
    const body = await writeBody(deps, delivery, destination, at);
    const message = { id: delivery.eventId, at, body, contentType: deps.contentType };
    const { answer, ...result } = await deps.send(destination, message, AbortSignal.any([signal, late]));
    const sealed = await sealedOrAbsent(deps, delivery, answer);
    return {
      kind: "attempted",
      at,
      result,
      ...(sealed && { sealedAnswer: sealed }),
      ...ofDestination,
    };
  } catch (error) {
    const isLate = late.aborted && !signal.aborted;
    const ended = isLate
      ? timedOut(at, deps.attemptMsMax)
      : judgeError(error, at, signal, isLastInterruption);
    return ended.kind === "attempted" ? { ...ended, ...ofDestination } : ended;
  }
};

/** The receiver has judged the message already: without its answer in the log the result stays. */
const sealedOrAbsent = async (
  { keyring }: Pick<AttemptDeps, "keyring">,
  delivery: LeasedDelivery,
  answer: Uint8Array | undefined,
): Promise<Uint8Array | undefined> => {
  if (answer === undefined || answer.length === 0) return undefined;
  const key = { ...delivery, environment: delivery.event.environment };
  return await sealAnswer(keyring, key, delivery.attempts + 1, answer).catch(() => undefined);
};

const unsent = (at: Date, outcome: UnsentOutcome, reason: string): AttemptRun => ({
  kind: "attempted",
  at,
  result: { outcome, reason, ...nothingSent },
});

const timedOut = (at: Date, totalMs: number): AttemptRun => ({
  kind: "attempted",
  at,
  result: { outcome: "timed_out", reason: "The attempt took too long in all", timings: { totalMs } },
});

const brokenOff = (at: Date): AttemptRun => ({
  kind: "attempted",
  at,
  result: {
    outcome: "unreachable",
    reason: `This service broke the call off ${interruptionsMax} times in a row`,
    ...nothingSent,
  },
});

const judgeError = (
  error: unknown,
  at: Date,
  signal: AbortSignal,
  isLastInterruption: () => boolean,
): AttemptRun | NotAttempted => {
  // The process ends: another worker sends it at once.
  if (signal.aborted) return { kind: "retry", afterMs: 0, cause: error };
  if (isInterrupted(error)) {
    if (isLastInterruption()) return brokenOff(at);
    return { kind: "retry", afterMs: retryAfterMs, cause: error };
  }
  if (!(error instanceof Failure)) return unsent(at, "internal", "This service failed to write the event");
  if (failureKinds[error.code].retry === "later") {
    return { kind: "retry", afterMs: retryAfterMs, cause: error };
  }
  return error.code === "not_found"
    ? unsent(at, "event_erased", "The keys of the tenant are destroyed")
    : unsent(at, "unreadable", "The stored event or the settings of the destination are damaged");
};

const writeBody = async (
  { openEvent, linkToAsset, writeCloudEvent, signatureKeyOf, vendor }: AttemptDeps,
  { event }: LeasedDelivery,
  { secrets: [secret] }: Destination,
  at: Date,
): Promise<string> => {
  const { data, assets } = await openEvent(event);
  const links = new Map<string, string>();
  for (const { id } of assets) links.set(id, await linkToAsset({ tenantId: event.tenantId, id }, at));
  const linkTo = ({ id }: AssetReference): string => links.get(id) ?? "";
  const { sealedData: _sealed, ...published } = event;
  return writeCloudEvent({ ...published, data, assets }, { vendor, linkTo, secret: signatureKeyOf(secret) });
};
