/** Composition of webhooks: the deliveries of events, their loop, their log and their destinations. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Egress } from "#machine/egress/egress";
import type { Keyring } from "#machine/storage/blobs";
import { cloudEventContentType, signatureKeyOf, writeCloudEvent } from "#record/events/cloud-event";
import { signStandardWebhook } from "#record/events/standard-webhooks";
import { type Schedule, startSchedule } from "#record/jobs/schedule";
import { makeWakeUpSignal } from "#record/jobs/wake-up-signal";
import type { LinkToAsset } from "#record/operations/assets/link";
import { openEvent } from "#record/operations/sealed-event";
import { makeTrackCall } from "#record/operations/track-call";
import type { OperationStep, TrackCall } from "#record/transactions/operation-step";
import { type DeliveryAdmin, makeDeliveryAdmin } from "#record/webhooks/delivery/delivery-admin";
import { type DeliveryLoop, makeDeliveryLoop } from "#record/webhooks/delivery/delivery-loop";
import { makeRunAttempt } from "#record/webhooks/delivery/run-attempt";
import { type DeliveryTally, makeDeliveryTally, shownDestinationsMax } from "#record/webhooks/delivery/tally";
import type { DeliveriesOf } from "#record/webhooks/destinations/destinations";
import { destinationBounds } from "#record/webhooks/destinations/judge-destination";
import { openDestination } from "#record/webhooks/destinations/settings";
import { deliveryEndpoints } from "#record/webhooks/http/delivery.endpoint";
import type { AttemptCommands } from "#record/webhooks/store/attempt-store";
import type { DeliveryCommands } from "#record/webhooks/store/delivery-store";
import type { DestinationCommands } from "#record/webhooks/store/destination-store";
import type { ReplayCommands } from "#record/webhooks/store/replay-store";
import type { DestinationOwner } from "#record/webhooks/store/stored-destination";
import type { TokenCommands } from "#record/webhooks/store/token-store";
import { makeKeyring } from "#trust/key-ring/keyring";
import { openSend } from "./destinations.ts";
import { untilNone } from "./erasure.ts";
import { type OpenedMailbox, withMailbox } from "./mailbox.ts";
import type { Module } from "./module.ts";
import type { Note, Parts } from "./parts.ts";
import { steeredDelivery } from "./personas.ts";
import type { Report } from "./report.ts";
import { mastersOf, type ReadyConfig } from "./storage.ts";
import type { Store } from "./store.ts";

export type DeliveryParts = {
  readonly egress: Egress;
  readonly config: Pick<ReadyConfig, "egress" | "operations" | "delivery" | "http">;
  readonly store: DeliveryCommands &
    TokenCommands &
    Pick<ReplayCommands, "holdDeliveries"> &
    Pick<AttemptCommands, "readQueue">;
  readonly keyring: Keyring;
  readonly linkToAsset: LinkToAsset;
  /** True in a process that only delivers. It polls more often, because other processes commit the events. */
  readonly isDeliveryOnly?: boolean;
  /** If absent, deliveries to a mailbox are blocked. */
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
  const { config, egress, store, keyring, linkToAsset, clock, report, note } = parts;
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
    send: steeredDelivery(
      withMailbox(openSend({ config, egress, store, keyring, clock }, signStandardWebhook), parts.mailbox),
    ),
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

/** The log of deliveries and replays, for the commands of the operator. The service delivers when it runs. */
export const openDeliveryAdmin = (store: Store, config: ReadyConfig): DeliveryAdmin => {
  const keyring = makeKeyring({ store, masters: mastersOf(config), now: () => new Date() });
  return makeAdmin({ store, keyring, config, wake: () => undefined, clock: () => new Date() });
};

/** What changes of destinations need of deliveries, for the commands of the operator. */
export const openDeliveriesOf = (store: ReplayCommands): DeliveriesOf =>
  makeDeliveriesOf(
    store,
    () => undefined,
    () => new Date(),
  );

type AdminParts = Pick<DeliveryParts, "keyring" | "clock"> & {
  readonly store: AttemptCommands & ReplayCommands & Pick<DestinationCommands, "findDestination">;
  readonly config: Pick<ReadyConfig, "operations">;
  readonly wake: () => void;
};

const makeAdmin = ({ store, keyring, config, wake, clock }: AdminParts): DeliveryAdmin => {
  // A test event has no image.
  const noBlobs = { put: () => Promise.reject(new Error("A test event keeps no image")) };
  const { expiresAfterMs } = config.operations;
  const trackCall = makeTrackCall({
    keyring,
    blobs: noBlobs,
    newId: randomUUID,
    expiresAfterMs,
    keepPixels: () => Promise.reject(new Error("A test event has no image")),
    keepsImages: false,
  });
  return makeDeliveryAdmin({
    store,
    keyring,
    prepareTest: (of, operationId, at) => prepareTest(trackCall, of, operationId, at),
    wake,
    clock,
    newId: randomUUID,
  });
};

/** Deliveries as a module, with what changes of destinations need of them. */
export const openWebhooks = (
  parts: Parts,
): { readonly module: Module; readonly deliveries: DeliveriesOf } => {
  const { config, egress, storage, linkToAsset, mailbox, clock, report, note } = parts;
  const { sealedStore: store, keyring } = storage;
  const { loop, gauges } = openDeliveries({
    config,
    egress,
    store,
    keyring,
    linkToAsset,
    mailbox,
    clock,
    report,
    note,
  });
  storage.onEvents(loop.wake);
  const admin = makeAdmin({ store, keyring, config, wake: loop.wake, clock });
  return {
    module: {
      name: "webhooks",
      endpoints: deliveryEndpoints(admin),
      jobs: [loop],
      jobsOf: "delivery",
      tidying: [(signal) => untilNone(store.releaseRemoved, signal)],
      gauges,
    },
    deliveries: makeDeliveriesOf(store, loop.wake, clock),
  };
};

/** The step of a call that opens an operation, without a call. */
const prepareTest = async (
  trackCall: TrackCall,
  { tenantId, environment }: DestinationOwner,
  operationId: string,
  receivedAt: Date,
): Promise<OperationStep> => {
  const transactionId = randomUUID();
  const caller = { tenantId, environment, keyId: transactionId };
  const call = { caller, transactionId, receivedAt, tracking: { operationId } };
  const step = await trackCall(call, "testDestination");
  if (step === undefined) throw new Error("The operation of a test event has no step");
  return step;
};

/** Holds deliveries that are due, and makes held deliveries due, however many there are. */
export const makeDeliveriesOf = (
  store: Pick<ReplayCommands, "holdDeliveries" | "releaseDeliveries">,
  wake: () => void,
  clock: () => Date,
): DeliveriesOf => ({
  hold: async ({ tenantId, id: destinationId }) =>
    await untilNone(() => store.holdDeliveries({ tenantId, destinationId })),
  release: async ({ tenantId, id: destinationId }) => {
    await untilNone(async () => (await store.releaseDeliveries({ tenantId, destinationId }, clock())).count);
    wake();
  },
});
