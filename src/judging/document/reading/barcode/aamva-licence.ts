import type { AamvaElements } from "./aamva-elements.ts";
import type { AamvaNames, AamvaValues } from "./aamva-values.ts";

/**
 * A North American driving licence or identity card, read from its PDF417 (AAMVA DL/ID card design standard).
 */
export type AamvaLicence = {
  /** Issuer identification number: six digits that identify the jurisdiction. */
  readonly iin: string;
  /** Versions 0 to 11 are known; later versions are read as version 10. */
  readonly version: number;
  /** First subfile: a licence, an identity card or an enhanced licence. */
  readonly subfile: "DL" | "ID" | "EN";
  /** Elements by their three-letter name, trimmed; race and social security number are never kept. */
  readonly elements: AamvaElements;
} & AamvaNames &
  AamvaValues;
