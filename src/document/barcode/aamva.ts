import { isCalendarDate } from "../dates.ts";

/** A North American driving licence or identity card as its PDF417 tells it (AAMVA DL/ID card design standard). */
export type AamvaLicence = {
  /** Issuer identification number: six digits that name the jurisdiction. */
  readonly iin: string;
  readonly version: number;
  /** First subfile: a licence, an identity card or an enhanced licence. */
  readonly subfile: "DL" | "ID" | "EN";
  /** Elements by their three-letter name, trimmed; race and social security number are never kept. */
  readonly elements: Readonly<Record<string, string>>;
  readonly documentNumber?: string;
  readonly lastName?: string;
  readonly firstName?: string;
  /** Dates as YYYY-MM-DD, only when they are in the calendar. */
  readonly dateOfBirth?: string;
  readonly dateOfExpiry?: string;
  readonly dateOfIssue?: string;
  readonly sex?: "M" | "F" | "X";
  /** ISO 3166-1 alpha-3. */
  readonly country?: "USA" | "CAN";
  readonly state?: string;
};

/** DCL is race, DBK the social security number: out of purpose, so they do not leave this file. */
const neverKept = new Set(["DCL", "DBK"]);

/** Words that stand for 'no value' (AAMVA annex D). */
const emptyWords = new Set(["", "NONE", "UNK", "UNAVL", "UNAVAIL", "N/A"]);

const payloadLengthMax = 4000;

/**
 * Parses the text of an AAMVA symbol, versions 00 to 11; undefined when it has no such header. Tolerant where real
 * cards err: noise before `@`, lost or swapped separators, wrong subfile offsets. The symbol carries no signature:
 * what it says is evidence only against another source.
 */
export const parseAamva = (text: string): AamvaLicence | undefined => {
  const start = text.indexOf("@");
  if (start < 0 || text.length > payloadLengthMax) {
    return undefined;
  }
  const payload = unifySeparators(text.slice(start));
  const header = /^@[\n ]{0,6}(?:ANSI |AAMVA)(\d{6})(\d{2})/.exec(payload);
  if (header?.[1] === undefined || header[2] === undefined) {
    return undefined;
  }
  const body = findBody(payload, header[0].length);
  if (body === undefined) {
    return undefined;
  }
  const elements = readElements(body.text);
  const named = namesOf(elements);
  return {
    iin: header[1],
    version: Number(header[2]),
    subfile: body.subfile,
    elements,
    ...named,
    ...plainFields(elements),
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

const readElements = (body: string): Readonly<Record<string, string>> => {
  const elements: [string, string][] = [];
  const seen = new Set<string>();
  for (const line of body.split(/\n+/)) {
    const match = /^\s*([DZ][A-Z][A-Z])([^\n]*)$/.exec(line);
    const name = match?.[1];
    const value = match?.[2]?.trim();
    if (name === undefined || value === undefined || neverKept.has(name) || seen.has(name)) {
      continue;
    }
    seen.add(name);
    elements.push([name, value]);
  }
  return Object.fromEntries(elements);
};

const valueOf = (
  elements: Readonly<Record<string, string>>,
  ...names: readonly string[]
): string | undefined => {
  for (const name of names) {
    const value = Object.hasOwn(elements, name) ? elements[name] : undefined;
    if (value !== undefined && !emptyWords.has(value.toUpperCase())) {
      return value;
    }
  }
  return undefined;
};

type Names = Pick<AamvaLicence, "lastName" | "firstName">;

/** Versions differ: DAA holds the whole name (01), DCT all given names (02, 03), DCS DAC DAD the parts (04 on). */
const namesOf = (elements: Readonly<Record<string, string>>): Names => {
  const whole = valueOf(elements, "DAA")?.split(/[,@]/) ?? [];
  const given = valueOf(elements, "DCT")?.replaceAll(",", " ");
  const parts = [valueOf(elements, "DAC"), valueOf(elements, "DAD")].filter((part) => part !== undefined);
  const lastName = valueOf(elements, "DCS", "DAB") ?? whole[0]?.trim();
  const firstName = parts.length > 0 ? parts.join(" ") : (given ?? whole.slice(1, 3).join(" ").trim());
  return {
    ...(lastName ? { lastName } : {}),
    ...(firstName ? { firstName: firstName.replaceAll(/\s+/g, " ") } : {}),
  };
};

const plainFields = (elements: Readonly<Record<string, string>>): Partial<AamvaLicence> => {
  const documentNumber = valueOf(elements, "DAQ");
  const dateOfBirth = dateOf(valueOf(elements, "DBB"));
  const dateOfExpiry = dateOf(valueOf(elements, "DBA"));
  const dateOfIssue = dateOf(valueOf(elements, "DBD"));
  const sex = sexOf(valueOf(elements, "DBC"));
  const country = countryOf(valueOf(elements, "DCG"));
  const state = valueOf(elements, "DAJ");
  return {
    ...(documentNumber === undefined ? {} : { documentNumber }),
    ...(dateOfBirth === undefined ? {} : { dateOfBirth }),
    ...(dateOfExpiry === undefined ? {} : { dateOfExpiry }),
    ...(dateOfIssue === undefined ? {} : { dateOfIssue }),
    ...(sex === undefined ? {} : { sex }),
    ...(country === undefined ? {} : { country }),
    ...(state === undefined ? {} : { state }),
  };
};

/** MMDDCCYY in the United States, CCYYMMDD in Canada and in version 01: the first two digits cannot collide. */
const dateOf = (value: string | undefined): string | undefined => {
  const digits = value !== undefined && /^\d{8}$/.test(value) ? value : undefined;
  if (digits === undefined) {
    return undefined;
  }
  const yearFirst = /^(19|20|21)/.test(digits);
  const date = yearFirst
    ? `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
    : `${digits.slice(4)}-${digits.slice(0, 2)}-${digits.slice(2, 4)}`;
  return isCalendarDate(date) ? date : undefined;
};

const sexes: Readonly<Record<string, AamvaLicence["sex"]>> = {
  1: "M",
  M: "M",
  2: "F",
  F: "F",
  9: "X",
  X: "X",
};

const sexOf = (value: string | undefined): AamvaLicence["sex"] | undefined =>
  value !== undefined && Object.hasOwn(sexes, value) ? sexes[value] : undefined;

const countryOf = (value: string | undefined): AamvaLicence["country"] | undefined =>
  value === "USA" || value === "CAN" ? value : undefined;
