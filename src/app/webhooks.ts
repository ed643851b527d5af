/** Composition of webhooks: the deliveries of events, their loop, their log and their destinations. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { cloudEventContentType, signatureKeyOf, writeCloudEvent } from "#events/cloud-event";
import { signStandardWebhook } from "#events/standard-webhooks";
import { type Schedule, startSchedule } from "#jobs/schedule";
import { makeWakeUpSignal } from "#jobs/wake-up-signal";
import type { Keyring } from "#storage/blobs";
import type { LinkToAsset } from "#tracking/assets/link";
import { openEvent } from "#tracking/sealed-event";
import { type DeliveryLoop, makeDeliveryLoop } from "#webhooks/delivery/delivery-loop";
import { makeRunAttempt } from "#webhooks/delivery/run-attempt";
import { type DeliveryTally, makeDeliveryTally, shownDestinationsMax } from "#webhooks/delivery/tally";
import { destinationBounds } from "#webhooks/destinations/judge-destination";
import { openDestination } from "#webhooks/destinations/settings";
import type { AttemptCommands } from "#webhooks/store/attempt-store";
import type { DeliveryCommands } from "#webhooks/store/delivery-store";
import type { ReplayCommands } from "#webhooks/store/replay-store";
import type { TokenCommands } from "#webhooks/store/token-store";
import { openSend } from "./destinations.ts";
import { untilNone } from "./erasure.ts";
import { type OpenedMailbox, withMailbox } from "./mailbox.ts";
import type { Note, Parts, Report } from "./parts.ts";
import type { ReadyConfig } from "./storage.ts";

export type DeliveryParts = {
  readonly config: Pick<ReadyConfig, "egress" | "operations" | "delivery" | "http">;
  readonly store: DeliveryCommands &
    TokenCommands &
    Pick<ReplayCommands, "holdDeliveries"> &
    Pick<AttemptCommands, "readQueue">;
  readonly keyring: Keyring;
  readonly linkToAsset: LinkToAsset;
  /** Whether the process does nothing else: it then searches more often, because other processes commit its events. */
  readonly isDeliveryOnly?: boolean;
  /** Absent: deliveries to a mailbox are blocked. */
  readonly mailbox?: OpenedMailbox;
  readonly clock: () => Date;
  readonly report: Report;
  readonly note: Note;
};

/** Longest attempt of any destination, with its token calls. */
const attemptMsMax = destinationBounds.timeoutSeconds.max * 1_000 + 5_000;
/** A worker that is alive has ended its attempt, and had ten seconds to store it. */
const leaseMs = destinationBounds.timeoutSeconds.max * 1_000 + 15_000;
const pollMs = 1_000;
const busyPollMs = 100;
const queueReadEveryMs = 15_000;

export type Deliveries = {
  readonly loop: DeliveryLoop;
  readonly gauges: DeliveryTally["gauges"];
};

/** The loop that delivers, and what it counts. */
export const openDeliveries = (parts: DeliveryParts): Deliveries => {
  const { config, store, keyring, linkToAsset, clock, report, note } = parts;
  const tally: DeliveryTally = makeDeliveryTally(clock, () => loop.inFlight());
  const runAttempt = makeRunAttempt({
    keyring,
    openEvent: (event) => openEvent(keyring, event),
    openDestination: (stored, now) => openDestination(keyring, stored, now),
    linkToAsset,
    writeCloudEvent,
    signatureKeyOf,
    contentType: cloudEventContentType,
    vendor: config.operations.vendor,
    send: withMailbox(openSend({ config, store, keyring, clock }, signStandardWebhook), parts.mailbox),
    attemptMsMax,
    clock,
  });
  const loop: DeliveryLoop = makeDeliveryLoop({
    store,
    runAttempt,
    options: {
      worker: `${hostname()}/${process.pid}/${randomUUID()}`,
      ...config.delivery,
      leaseMs,
      pollMs,
      busyPollMs: parts.isDeliveryOnly === true ? busyPollMs : pollMs,
      drainMs: config.http.drainMs,
    },
    wakeUp: makeWakeUpSignal(),
    tally,
    clock,
    random: Math.random,
    newId: randomUUID,
    note,
    onDisabled: (destination) =>
      void untilNone(() => store.holdDeliveries(destination)).catch((error: unknown) =>
        report("webhooks", "Deliveries of a disabled destination could not be held", error),
      ),
    onError: (sentence, error, subject) => report("webhooks", sentence, error, subject),
  });
  const readQueue = async (): Promise<void> =>
    tally.queueRead(await store.readQueue(clock(), shownDestinationsMax), clock());
  return { loop: withSchedule(loop, readQueue, report), gauges: tally.gauges };
};

/** The loop, with a reading of the queue for the metrics beside it. */
const withSchedule = (loop: DeliveryLoop, readQueue: () => Promise<void>, report: Report): DeliveryLoop => {
  let schedule: Schedule | undefined;
  const onError = (error: unknown): void => report("webhooks", "The queue could not be read", error);
  return {
    ...loop,
    start: () => {
      loop.start();
      schedule ??= startSchedule({ tasks: [readQueue], everyMs: queueReadEveryMs, onError });
    },
    stop: async () => {
      await Promise.all([loop.stop(), schedule?.stop()]);
    },
  };
};
