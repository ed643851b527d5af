import { dateOfDigits } from "../../values/dates.ts";
import { costaRicaCedula } from "../../values/numbers/costa-rica.ts";
import { isName, joinParts, type Payload, presentFields, sexOf } from "./payload.ts";

/**
 * Key of the published layout. It is applied to the bytes, because a round trip through text corrupts them.
 */
const key = [
  0x27, 0x30, 0x04, 0xa0, 0x00, 0x0f, 0x93, 0x12, 0xa0, 0xd1, 0x33, 0xe0, 0x03, 0xd0, 0x00, 0xdf, 0x00,
] as const;

/** Number, first and second surname, given names, then sex, birth and expiry. */
const textLength = 108;

/**
 * Parses the PDF417 of Costa Rica's cédula of 2016. Only one public source describes the layout. So the
 * number must be valid and the names must be names; the fields after the names are `unsure`.
 */
export const parseCostaRicanCedula = (bytes: Uint8Array): Payload | undefined => {
  if (bytes.length < textLength) {
    return undefined;
  }
  const plain = bytes.slice(0, textLength).map((byte, i) => byte ^ key[i % key.length]!);
  const text = Buffer.from(plain).toString("latin1").replaceAll("\0", " ");
  const number = text.slice(0, 9);
  const names = [text.slice(9, 35), text.slice(35, 61), text.slice(61, 91)].map((name) => name.trim());
  const [first = "", second = "", firstName = ""] = names;
  const isCedula = /^\d{9}$/.test(number) && costaRicaCedula.read(number).validity !== "invalid";
  if (!isCedula || !isName(first) || !isName(firstName) || (second !== "" && !isName(second))) {
    return undefined;
  }
  return {
    layout: "cri.cedula",
    fields: presentFields({
      documentNumber: number,
      lastName: joinParts(first, second),
      firstName: joinParts(firstName),
      sex: sexOf(text.slice(91, 92)),
      dateOfBirth: dateOfDigits(text.slice(92, 100)),
      dateOfExpiry: dateOfDigits(text.slice(100, 108)),
      issuer: "CRI",
    }),
    unsure: ["sex", "dateOfBirth", "dateOfExpiry"],
  };
};
