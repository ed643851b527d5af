/** Composition of idempotency keys: the server's port, its tidying and its gauges. */
import { makeAnswerOnce } from "#record/idempotency/answer-once";
import { makeCallTally } from "#record/idempotency/call-gauges";
import { untilNone } from "./erasure.ts";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";

/** A handler that has been aborted may need this long to end: a database statement has its own limit of 15 s. */
const leaseMarginMs = 15_000;

/** Opens idempotency keys. A key is tidied after its time, in batches. */
export const openIdempotency = ({ config, storage, clock, report }: Parts): Module => {
  // Sealed rows: an answer is given for a call whose measurements are damaged, too.
  const { sealedStore: store, keyring } = storage;
  const { keptMs, referenceKeptMs } = config.idempotency;
  const { bestImageUses, ageMsMax, aheadMsMax } = config.tokens;
  // A token that is forgotten here has expired.
  const tokenKeptMs = bestImageUses === "operation" ? ageMsMax["best-image"] + aheadMsMax : 0;
  const { count, gauges } = makeCallTally();
  return {
    name: "idempotency",
    answerOnce: makeAnswerOnce({
      store,
      keyring,
      leaseMs: config.http.requestTimeoutMs + leaseMarginMs,
      keptMs,
      referenceKeptMs,
      tokenKeptMs,
      clock,
      count,
      onError: (note, error) => report("idempotency", note, error),
    }),
    tidying: [
      (signal) => {
        const before = new Date(clock().getTime() - Math.max(keptMs, referenceKeptMs, tokenKeptMs));
        return untilNone(() => store.purgeIdempotentCalls(before), signal);
      },
    ],
    gauges,
  };
};
