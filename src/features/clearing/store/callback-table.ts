import { defineTable, environment, int, orNull, sealed, text } from "#machine/storage/table";
import type { CallbackState } from "./callback.ts";

/**
 * Callbacks of the older flow. `settledAt` is null while an attempt is to come. `sealed` holds URL and hash until then. `log` is the JSON list of
 * the attempts.
 */
export const callbackTable = defineTable(
  "clearingCallbacks",
  {
    tenantId: text(),
    id: text(),
    environment: environment(),
    state: text<CallbackState>(),
    failures: int(),
    log: text(),
    createdAt: int(),
    settledAt: orNull(int()),
    sealed: orNull(sealed("transfers", "callback {id}")),
    attempts: int(),
    leasedBy: orNull(text()),
    leasedUntil: orNull(int()),
    loneDeaths: orNull(int()),
  },
  {
    key: ["tenantId", "id"],
    erase: { by: "eraseCallbacks" },
    keep: { for: "transfersMs", by: "purgeCallbacks" },
    rights: {
      sealed:
        "its content is encrypted under a key of the tenant and bound to the id and the environment of the row",
    },
  },
);
