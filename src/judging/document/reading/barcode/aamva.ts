import { readElements } from "./aamva-elements.ts";
import { jurisdictionOf } from "./aamva-jurisdictions.ts";
import type { AamvaLicence } from "./aamva-licence.ts";
import { namesOf, valuesOf } from "./aamva-values.ts";
import type { Payload } from "./payload.ts";
import { joinParts, presentFields } from "./payload.ts";

const payloadLengthMax = 4000;

/**
 * Parses the text of an AAMVA barcode, versions 00 to 11; undefined when the text has no such header.
 * Tolerates errors of real cards: noise before `@`, lost or swapped separators, wrong subfile offsets. The
 * barcode carries no signature: its content is evidence only when compared with another source.
 */
export const parseAamva = (text: string): AamvaLicence | undefined => {
  if (text.length > payloadLengthMax) {
    return undefined;
  }
  const payload = unifySeparators(text);
  const header = /@[\n ]{0,6}(?:ANSI |AAMVA)(\d{6})(\d{2})/.exec(payload);
  if (header?.[1] === undefined || header[2] === undefined) {
    return undefined;
  }
  const body = findBody(payload, header.index + header[0].length);
  if (body === undefined) {
    return undefined;
  }
  const elements = readElements(body.text);
  return {
    iin: header[1],
    version: Number(header[2]),
    subfile: body.subfile,
    elements,
    ...namesOf(elements),
    ...valuesOf(elements),
  };
};

/**
 * LF, CR, FS, GS and RS. Readers lose some of them and confuse the others, so all of them mean one separator
 * here.
 */
const separators = new Set(["\n", "\r", "\u001c", "\u001d", "\u001e"]);

const unifySeparators = (text: string): string =>
  Array.from(text, (character) => (separators.has(character) ? "\n" : character)).join("");

type Body = { readonly subfile: AamvaLicence["subfile"]; readonly text: string };

/**
 * Finds the first licence subfile. Directory offsets are often wrong. So the search looks for the subfile's
 * type followed by a known element, after the directory entry of the same name.
 */
const findBody = (payload: string, from: number): Body | undefined => {
  const match = /(DL|ID|EN)(?=[\n ]{0,2}D[A-D][A-Z])/g;
  match.lastIndex = from;
  const found = match.exec(payload);
  if (found === null) {
    return undefined;
  }
  const subfile = found[1] === "ID" ? "ID" : found[1] === "EN" ? "EN" : "DL";
  return { subfile, text: payload.slice(found.index + 2) };
};

/**
 * The licence in the form of any other payload. If the licence omits the country, the issuer's number gives
 * it.
 */
export const licencePayload = (licence: AamvaLicence): Payload => {
  const { street, city, state, postalCode } = licence;
  return {
    layout: "aamva",
    fields: presentFields({
      documentNumber: licence.documentNumber,
      lastName: licence.lastName,
      firstName: licence.firstName,
      dateOfBirth: licence.dateOfBirth,
      dateOfExpiry: licence.dateOfExpiry,
      dateOfIssue: licence.dateOfIssue,
      sex: licence.sex,
      issuer: licence.country ?? jurisdictionOf(licence.iin)?.country,
      address: [street, joinParts(city, state, postalCode)].filter(Boolean).join(", "),
    }),
    unsure: [],
    licence,
  };
};
