import { defineTable, int, orNull, sealed, text } from "#machine/storage/table";

/**
 * Calls under a retry key. The name is a keyed hash of the environment and the retry key; the answer is null
 * until it is stored.
 */
export const idempotentCallTable = defineTable(
  "idempotentCalls",
  {
    tenantId: text(),
    name: text(),
    request: text(),
    owner: orNull(text()),
    transactionId: text(),
    claimedAt: int(),
    leasedUntil: int(),
    sealedAnswer: orNull(sealed("answers", "answer {name} {transactionId}", { boundBy: "words" })),
  },
  {
    key: ["tenantId", "name"],
    erase: {
      goesBy: "the answers of retries, before all other parts of an erasure (forgetIdempotentCalls)",
    },
    keep: { for: "answersMs", ofAllBy: "purgeIdempotentCalls" },
    rights: {
      sealed:
        "the answer is encrypted and bound to its call, whose name is a keyed hash of the environment too",
    },
  },
);

/** The tables of the module. */
export const idempotencyTables = [idempotentCallTable] as const;
