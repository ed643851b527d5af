/** Composition of idempotency keys: the server's port and its gauges. */
import type { Config } from "#machine/config/config";
import { makeAnswerOnce } from "#record/idempotency/answer-once";
import { makeCallTally } from "#record/idempotency/call-gauges";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";

/**
 * A handler that has been aborted may need this long to end: a database statement has its own limit of 15 s.
 */
const leaseMarginMs = 15_000;

/** How long a token of a best image is known. One that is forgotten after that has expired. */
const tokenKeptMsOf = ({
  tokens: { bestImageUses, ageMsMax, aheadMsMax },
}: Pick<Config, "tokens">): number =>
  bestImageUses === "operation" ? ageMsMax["best-image"] + aheadMsMax : 0;

/** How long an answer is kept for retries. */
export const answersKeptMs = (config: Pick<Config, "tokens" | "idempotency">): number =>
  Math.max(config.idempotency.keptMs, config.idempotency.referenceKeptMs, tokenKeptMsOf(config));

/** Opens idempotency keys. */
export const openIdempotency = ({ config, storage, clock, report }: Parts): Module => {
  // Sealed rows: an answer is given for a call whose measurements are damaged, too.
  const { sealedStore: store, keyring } = storage;
  const { keptMs, referenceKeptMs } = config.idempotency;
  const { count, gauges } = makeCallTally();
  return {
    name: "idempotency",
    answerOnce: makeAnswerOnce({
      store,
      keyring,
      leaseMs: config.http.requestTimeoutMs + leaseMarginMs,
      keptMs,
      referenceKeptMs,
      tokenKeptMs: tokenKeptMsOf(config),
      clock,
      count,
      onError: (note, error) => report("idempotency", note, error),
    }),
    gauges,
  };
};
