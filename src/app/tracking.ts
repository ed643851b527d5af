/** Composition of operations: how calls and decisions join them. */
import { randomUUID } from "node:crypto";
import { makeTrackCall, makeTrackDecision } from "#tracking/track-call";
import type { TrackCall, TrackDecision } from "#transactions/operation-step";
import type { ReadyConfig, Storage } from "./storage.ts";

export type Tracking = { readonly trackCall: TrackCall; readonly trackDecision: TrackDecision };

export const openTracking = (
  { operations: { expiresAfterMs, imagesKeptMs } }: Pick<ReadyConfig, "operations">,
  { keyring, blobs }: Pick<Storage, "keyring" | "blobs">,
): Tracking => {
  const deps = { keyring, blobs, newId: randomUUID, expiresAfterMs, keepsImages: imagesKeptMs > 0 };
  return { trackCall: makeTrackCall(deps), trackDecision: makeTrackDecision(deps) };
};
