/** Tables of capture sessions. Times are milliseconds since 1970. */
import type { CaptureState } from "#contract/capture";
import { bytes, defineTable, environment, int, orNull, sealed, text } from "#machine/storage/table";
import type { Holder } from "../capture-session.ts";

/** `sealed` holds the page, the person and the steps; `blobIds` names its objects. */
export const captureTable = defineTable(
  "captureSessions",
  {
    tenantId: text(),
    id: text(),
    environment: environment(),
    keyId: text(),
    operationId: text(),
    state: text<CaptureState>(),
    revision: int(),
    createdAt: int(),
    expiresAt: int(),
    sealed: sealed("captures", "capture session {id}"),
    blobIds: text(),
  },
  {
    key: ["tenantId", "id"],
    erase: { by: "purgeCaptures" },
    keep: { for: "capturesMs", by: "purgeCaptures" },
    rights: {
      open: "its content is encrypted and bound to the session and the environment; state and end stand in plain, and a later end serves the holder of its token alone",
    },
  },
);

/** A token is stored as its hash and finds its session without knowing the tenant. */
export const captureTokenTable = defineTable(
  "captureTokens",
  {
    hash: text(),
    tenantId: text(),
    sessionId: text(),
    holder: text<Holder>(),
    seal: orNull(bytes("the check of rights")),
  },
  {
    key: ["hash"],
    erase: { goesWith: "captureSessions" },
    keep: { until: "with its session" },
    rights: "seal",
  },
);

/** Refusals. `subject` is a keyed hash of a person or an address. */
export const captureFailureTable = defineTable(
  "captureFailures",
  { tenantId: text(), id: text(), subject: text(), at: int() },
  {
    key: ["tenantId", "id"],
    erase: { by: "purgeCaptureFailures" },
    keep: { for: "captureFailuresMs", by: "purgeCaptureFailures" },
    rights: { open: "a pause after refused captures; a removed row ends it early" },
  },
);

/** The tables of the module. */
export const captureTables = [captureTable, captureTokenTable, captureFailureTable] as const;
