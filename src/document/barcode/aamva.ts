import { type AamvaElements, readElements } from "./aamva-elements.ts";
import { jurisdictionOf } from "./aamva-jurisdictions.ts";
import { type AamvaNames, type AamvaValues, namesOf, valuesOf } from "./aamva-values.ts";
import type { Payload } from "./payload.ts";
import { joinParts, presentFields } from "./payload.ts";

/** A North American driving licence or identity card as its PDF417 tells it (AAMVA DL/ID card design standard). */
export type AamvaLicence = {
  /** Issuer identification number: six digits that name the jurisdiction. */
  readonly iin: string;
  /** 0 to 11 are known; later ones are read as 10. */
  readonly version: number;
  /** First subfile: a licence, an identity card or an enhanced licence. */
  readonly subfile: "DL" | "ID" | "EN";
  /** Elements by their three-letter name, trimmed; race and social security number are never kept. */
  readonly elements: AamvaElements;
} & AamvaNames &
  AamvaValues;

const payloadLengthMax = 4000;

/**
 * Parses the text of an AAMVA symbol, versions 00 to 11; undefined when it has no such header. Tolerant where real
 * cards err: noise before `@`, lost or swapped separators, wrong subfile offsets. The symbol carries no signature:
 * what it says is evidence only against another source.
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

/** LF, CR, FS, GS and RS: readers lose some and turn others into each other, so they mean one thing here. */
const separators = new Set(["\n", "\r", "\u001c", "\u001d", "\u001e"]);

const unifySeparators = (text: string): string =>
  Array.from(text, (character) => (separators.has(character) ? "\n" : character)).join("");

type Body = { readonly subfile: AamvaLicence["subfile"]; readonly text: string };

/**
 * The first licence subfile. Directory offsets are often wrong, so the subfile is searched by its own type followed
 * by a known element, after the directory entry of the same name.
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

/** The licence as any other payload. The country comes from the issuer's number where the licence leaves it out. */
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
