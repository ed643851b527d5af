/**
 * Composition of operations: how calls and decisions join them, their end, their images and their removal.
 */
import { randomUUID } from "node:crypto";
import { type Schedule, startSchedule, type Task } from "#record/jobs/schedule";
import { type LinkToAsset, makeLinkToAsset } from "#record/operations/assets/link";
import { makeReadAsset } from "#record/operations/assets/read-asset";
import { expireEveryMs, makeExpireOperations } from "#record/operations/expire-operations";
import { makeFinishTracking } from "#record/operations/finish-tracking";
import { finishTrackingEndpoint } from "#record/operations/http/finish-tracking.endpoint";
import { operationEndpoints } from "#record/operations/http/operation.endpoint";
import { makeOperationAdmin } from "#record/operations/operation-admin";
import { makeOperationTally } from "#record/operations/operation-gauges";
import { makeTrackCall, makeTrackDecision } from "#record/operations/track-call";
import { showTransactionEndpoint } from "#record/transactions/http/transaction.endpoint";
import type { TrackCall, TrackDecision } from "#record/transactions/operation-step";
import { makeShowTransaction } from "#record/transactions/show-transaction";
import { steerExpiry } from "#sandbox/personas/steer-expiry";
import type { Engine } from "./engine.ts";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";
import { shownImages } from "./shown-images.ts";
import type { ReadyConfig, Storage } from "./storage.ts";

export type Tracking = {
  readonly trackCall: TrackCall;
  readonly trackDecision: TrackDecision;
  readonly linkToAsset: LinkToAsset;
};

/** For a process that answers no call, and so keeps no image. */
export const noImages: Pick<Engine, "keepPixels"> = {
  keepPixels: () => Promise.reject(new Error("This process keeps no image")),
};

/** Opens what calls and events need of operations. `baseUrl` is asked when a link is made. */
export const openTracking = (
  { operations: { expiresAfterMs, imagesKeptMs, assetLinkMs: linkMs } }: Pick<ReadyConfig, "operations">,
  { keyring, blobs }: Pick<Storage, "keyring" | "blobs">,
  baseUrl: () => string,
  { keepPixels }: Pick<Engine, "keepPixels">,
): Tracking => {
  const keepsImages = imagesKeptMs > 0;
  const deps = { keyring, blobs, newId: randomUUID, expiresAfterMs, keepPixels, keepsImages };
  return {
    trackCall: steerExpiry(makeTrackCall(deps)),
    trackDecision: makeTrackDecision(deps),
    linkToAsset: makeLinkToAsset({ keyring, baseUrl, linkMs }),
  };
};

/** What operations need of the service. */
export type OperationParts = Pick<Parts, "openToken" | "recordCall" | "linkToAsset" | "clock" | "report"> & {
  readonly config: Pick<ReadyConfig, "operations">;
  readonly storage: Pick<Storage, "store" | "keyring" | "blobs">;
  readonly engine: Pick<Engine, "keepPixels">;
};

/** Work that recurs more often than the tidying, as a job of the service. */
const makeRecurring = (task: Task, everyMs: number, onError: (error: unknown) => void) => {
  let schedule: Schedule | undefined;
  return {
    start: () => {
      schedule ??= startSchedule({ tasks: [task], everyMs, onError });
    },
    stop: async () => await schedule?.stop(),
  };
};

/** Opens the end of operations, their list and records for operators, and the links to their images. */
export const openOperations = (parts: OperationParts): Module => {
  const { storage, engine, openToken, recordCall, linkToAsset, clock, report } = parts;
  const { store, keyring, blobs } = storage;
  const { count, gauges } = makeOperationTally();
  const deps = {
    store,
    keyring,
    newId: randomUUID,
    recordCall,
    openToken,
    linkToAsset,
    count,
    clock,
  };
  const onError = (error: unknown): void =>
    report("tracking", "An operation that is over could not be ended. The next round tries again", error);
  return {
    name: "tracking",
    endpoints: [
      finishTrackingEndpoint(makeFinishTracking(deps)),
      ...operationEndpoints(makeOperationAdmin(deps)),
      showTransactionEndpoint(makeShowTransaction(store)),
    ],
    readAsset: makeReadAsset({ ...deps, blobs: shownImages(blobs, engine) }),
    jobs: [makeRecurring(makeExpireOperations({ ...deps, onError }), expireEveryMs, onError)],
    gauges,
  };
};
