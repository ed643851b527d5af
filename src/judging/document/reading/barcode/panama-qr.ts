import { dateOfDigits } from "../../values/dates.ts";
import { panamaCedula } from "../../values/numbers/panama.ts";
import { isName, joinParts, type Payload, presentFields, sexOf } from "./payload.ts";
import { payloadText } from "./payload-text.ts";

/**
 * Parses the QR code of Panama's cédula: parts separated by `|`. Public readers agree on the first six
 * (number, two given names, two surnames, sex). The eighth may be the birth date and the ninth the
 * nationality.
 */
export const parsePanamaQr = (bytes: Uint8Array): Payload | undefined => {
  const parts = payloadText(bytes)
    .split("|")
    .map((part) => part.trim());
  const [
    numberText = "",
    first = "",
    second = "",
    surname = "",
    surname2 = "",
    sexText,
    ,
    eighth = "",
    ninth,
  ] = parts;
  const number = panamaCedula.read(numberText);
  const sex = sexOf(sexText);
  const areNames =
    isName(first) && isName(surname) && [second, surname2].every((name) => name === "" || isName(name));
  if (
    number.validity === "invalid" ||
    sex === undefined ||
    !areNames ||
    parts.length < 9 ||
    parts.length > 16
  ) {
    return undefined;
  }
  return {
    layout: "pan.qr",
    fields: presentFields({
      documentNumber: number.canonical,
      firstName: joinParts(first, second),
      lastName: joinParts(surname, surname2),
      sex,
      dateOfBirth: dateOfDigits(eighth),
      nationality: ninth !== undefined && isName(ninth) ? ninth : undefined,
      issuer: "PAN",
    }),
    unsure: ["dateOfBirth", "nationality"],
  };
};
