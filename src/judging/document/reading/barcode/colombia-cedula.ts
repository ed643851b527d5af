import { isCalendarDate } from "#contract/calendar-date";
import { colombiaNuip } from "../../values/numbers/colombia.ts";
import { isName, joinParts, type Payload, presentFields, sexOf } from "./payload.ts";

/** The bytes after this are fingerprints; they are never read. */
const textLength = 169;

const marker = "PubDSK_";

/**
 * Parses the PDF417 of Colombia's yellow cédula: 530 or 531 bytes of ISO-8859-1 at fixed offsets. Three
 * public parsers agree on them: number 48-57, surnames 58 and 81, given names 104 and 127; from 150 a zero,
 * sex and birth as YYYYMMDD.
 */
export const parseColombianCedula = (bytes: Uint8Array): Payload | undefined => {
  const text = Buffer.from(bytes.slice(0, textLength)).toString("latin1");
  const at = (from: number, to: number): string => text.slice(from, to).split("\0")[0]?.trim() ?? "";
  const number = colombiaNuip.read(at(48, 58).replace(/^0+/, ""));
  const [surname, surname2, first, second] = [at(58, 81), at(81, 104), at(104, 127), at(127, 150)];
  const [, sexText, year, month, day] = /^0([MF])(\d{4})(\d{2})(\d{2})/.exec(text.slice(150)) ?? [];
  const dateOfBirth = `${year}-${month}-${day}`;
  const areNames =
    isName(surname) && isName(first) && [surname2, second].every((name) => name === "" || isName(name));
  const isWhole = text.slice(0, 48).includes(marker) && number.validity !== "invalid" && areNames;
  if (!isWhole || !isCalendarDate(dateOfBirth)) {
    return undefined;
  }
  return {
    layout: "col.cedula",
    fields: presentFields({
      documentNumber: number.canonical,
      lastName: joinParts(surname, surname2),
      firstName: joinParts(first, second),
      sex: sexOf(sexText),
      dateOfBirth,
      issuer: "COL",
    }),
    unsure: [],
  };
};
