import type { AamvaLicence } from "./aamva.ts";

/** Layouts that a payload can be told by, without a country model. */
export type PayloadLayout =
  | "aamva"
  | "arg.dni.1"
  | "arg.dni.2"
  | "chl.qr"
  | "col.cedula"
  | "cri.cedula"
  | "pan.qr"
  | "per.code39";

/** What a symbol says of a document, in plain values. Absent: the layout or this symbol does not have it. */
export type PayloadFields = {
  readonly documentNumber?: string;
  /** Where it is another one than the document's: Chile's RUN. */
  readonly personalNumber?: string;
  /** All surnames with one blank between them. */
  readonly lastName?: string;
  readonly firstName?: string;
  /** Given names and surnames where the symbol does not part them. */
  readonly fullName?: string;
  /** Dates as YYYY-MM-DD, only when they are in the calendar. */
  readonly dateOfBirth?: string;
  /** YYMMDD where the symbol leaves the century open. */
  readonly shortDateOfBirth?: string;
  readonly dateOfExpiry?: string;
  readonly dateOfIssue?: string;
  readonly sex?: "M" | "F" | "X";
  /** As the symbol writes it: a word of the country's language, or alpha-3. */
  readonly nationality?: string;
  /** ISO 3166-1 alpha-3. */
  readonly issuer?: string;
  /** Argentina's trámite. */
  readonly procedureNumber?: string;
  /** Argentina's CUIL. */
  readonly taxNumber?: string;
  /** Letter of the copy, Argentina. */
  readonly copy?: string;
  /** MRZ_information of ICAO Doc 9303-11, 4.3.2, where the symbol carries it. */
  readonly accessKey?: string;
  readonly address?: string;
};

export type PayloadFieldName = keyof PayloadFields;

/** A symbol's content by its layout. */
export type Payload = {
  readonly layout: PayloadLayout;
  readonly fields: PayloadFields;
  /** Fields whose place in the layout is not settled: of use only where the print says the same. */
  readonly unsure: readonly PayloadFieldName[];
  /** The whole licence, where it is one. */
  readonly licence?: AamvaLicence;
};

/** Fields without the empty and the absent ones. */
export const presentFields = (
  fields: { readonly [name in PayloadFieldName]?: PayloadFields[name] | undefined },
): PayloadFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ""));

/** One blank between the parts that are not empty. */
export const joinParts = (...parts: readonly (string | undefined)[]): string =>
  parts
    .flatMap((part) => part?.split(/\s+/) ?? [])
    .filter(Boolean)
    .join(" ");

/** Text that can be a name: Latin letters with marks, blanks, apostrophes, hyphens and dots. */
export const isName = (text: string): boolean =>
  /^(?=.*\p{L})[\p{Script=Latin}\p{M}'’´`. -]{1,80}$/u.test(text);

/** M, F or X as it stands; undefined for anything else. */
export const sexOf = (text: string | undefined): "M" | "F" | "X" | undefined =>
  text === "M" || text === "F" || text === "X" ? text : undefined;
