import { Type } from "typebox";
import { number, secret } from "./variable-kinds.ts";

/** Variables of the place of the store. */
export const storageVariables = {
  IDEM_DATA: Type.String({
    minLength: 1,
    default: "./.idem",
    description: "Directory of the embedded store, blobs and keys; created when absent, for its owner only.",
  }),
  IDEM_DATA_WAIT_MS: number(
    0,
    600_000,
    10_000,
    "How long a start, or a command, waits for another process that has the embedded store open, in milliseconds. A command such as `idem sign` holds it for some seconds at most.",
  ),
  IDEM_DATABASE_URL: secret(
    "PostgreSQL URL (`postgres://…`). Absent: the embedded store in `IDEM_DATA`.",
    "a URL that begins with postgres://",
  ),
};
