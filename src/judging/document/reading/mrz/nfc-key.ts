import { checkDigit } from "./check-digit.ts";
import type { MrzFields } from "./parse.ts";

/**
 * MRZ_information, from which the key for basic access control (BAC) of the chip is derived (ICAO Doc
 * 9303-11, 4.3.2): number, birth and expiry, each with its check digit. A number shorter than nine characters
 * is filled; a longer one is included in full. Undefined for visas and for formats without an expiry, which
 * have no such chip.
 */
export const nfcKeyOf = ({ format, documentNumber, birth, expiry }: MrzFields): string | undefined => {
  if (!["TD1", "TD2", "TD3"].includes(format) || expiry === undefined) {
    return undefined;
  }
  const parts = [documentNumber.padEnd(9, "<"), birth.text, expiry.text];
  const digits = parts.map(checkDigit);
  return digits.includes(undefined) ? undefined : parts.map((part, i) => part + digits[i]).join("");
};
