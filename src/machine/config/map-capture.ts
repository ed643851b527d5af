import { resolve } from "node:path";
import type { Static } from "typebox";
import type { variables } from "./variables.ts";

/** Capture sessions. */
export const mapCapture = (values: Static<typeof variables>) => ({
  sessionMs: values.IDEM_CAPTURE_MINUTES * 60_000,
  keptMs: values.IDEM_CAPTURE_HOURS * 3_600_000,
  faceBytesMax: values.IDEM_CAPTURE_FACE_BYTES_MAX,
  consentFile: values.IDEM_CAPTURE_CONSENT === undefined ? undefined : resolve(values.IDEM_CAPTURE_CONSENT),
});
