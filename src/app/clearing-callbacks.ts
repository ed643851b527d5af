/** Composition of the older flow of pension clearing: its endpoints, and the loop of its callbacks. */
import { randomBytes, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { makeCallbackSealing } from "#features/clearing/callbacks/sealed-callback";
import { makeStartCallback } from "#features/clearing/callbacks/start-callback";
import { makeWriteCallback } from "#features/clearing/callbacks/write-callback";
import { listCallbacksEndpoint } from "#features/clearing/http/callback.endpoint";
import { startPreviredEndpoint } from "#features/clearing/http/previred.endpoint";
import type { Issue } from "#features/clearing/verify/issue";
import { signStandardWebhook } from "#record/events/standard-webhooks";
import { type LeaseLoop, makeLeaseLoop } from "#record/jobs/lease-loop";
import type { LoggedOutcome } from "#record/webhooks/delivery/delivery";
import { makeOneShotJobs, oneShotLoopOptions } from "#record/webhooks/one-shot/one-shot-jobs";
import { steerCallback } from "#sandbox/personas/steer-callback";
import { openJudgeReceiver, openSend } from "./destinations.ts";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";
import type { ReadyConfig, Storage } from "./storage.ts";

export type CallbackParts = Pick<Parts, "lock" | "egress" | "clock" | "report"> & {
  readonly storage: Pick<Storage, "store" | "keyring">;
  readonly config: Pick<ReadyConfig, "egress">;
};

export type Callbacks = Module & { readonly loop: LeaseLoop };

/** 160 bits: the hash opens a certificate, so it must not be guessed. */
const hashBytes = 20;

/**
 * Opens the older flow. Its callbacks go out by the sender of deliveries, under the same rules of outgoing
 * calls.
 */
export const openClearingCallbacks = (parts: CallbackParts, issue: Issue): Callbacks => {
  const { storage, config, egress, lock, clock, report } = parts;
  const { store, keyring } = storage;
  const sealing = makeCallbackSealing(keyring);
  const outcomes = new Map<LoggedOutcome, number>();
  const loop = makeLeaseLoop({
    jobs: makeOneShotJobs({
      store,
      write: makeWriteCallback(sealing),
      send: openSend({ config, egress, store, keyring, clock }, signStandardWebhook),
      holder: `${hostname()}/${process.pid}/${randomUUID()}`,
      clock,
      random: Math.random,
      onAttempt: (outcome) => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1),
    }),
    clock,
    lock,
    random: Math.random,
    onError: (operation, job, error) =>
      report("clearing", `Could not ${operation === "run" ? "call back" : operation}`, error, job?.id),
    options: oneShotLoopOptions,
  });
  const startCallback = makeStartCallback({
    issue,
    sealing,
    judgeReceiver: openJudgeReceiver(config),
    newHash: () => randomBytes(hashBytes).toString("hex"),
    wake: loop.wake,
  });
  return {
    loop,
    name: "clearing-callbacks",
    endpoints: [startPreviredEndpoint(steerCallback(startCallback)), listCallbacksEndpoint(store)],
    jobs: [loop],
    gauges: [
      {
        name: "idem_clearing_callback_attempts",
        help: "Attempts of callbacks of pension clearing since the start, by outcome",
        labels: ["outcome"],
        read: () => [...outcomes].map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
    ],
  };
};
