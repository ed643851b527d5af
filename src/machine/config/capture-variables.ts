import { number, text } from "./variable-kinds.ts";

/** Settings of capture sessions. */
export const captureVariables = {
  IDEM_CAPTURE_MINUTES: number(
    1,
    240,
    30,
    "Minutes after which a capture session ends, whatever its page does (docs/guides/integrate/capture.md).",
  ),
  IDEM_CAPTURE_HOURS: number(
    1,
    720,
    24,
    "Hours after its creation for which a capture session is kept, with its tokens and images. Fetch the tokens before.",
  ),
  IDEM_CAPTURE_FACE_BYTES_MAX: number(
    65_536,
    16_777_216,
    2_097_152,
    "Largest upload of a face in a capture session, all frames together.",
  ),
  IDEM_CAPTURE_CONSENT: text(
    "JSON file with the text of consent: `version`, and `texts` with es, en and pt-BR. Absent: the text of this release.",
    "a path",
  ),
};
