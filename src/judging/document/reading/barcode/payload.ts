import type { AamvaLicence } from "./aamva-licence.ts";

/** Layouts that the structure of a payload identifies without a country model. */
export type PayloadLayout =
  | "aamva"
  | "arg.dni.1"
  | "arg.dni.2"
  | "chl.qr"
  | "col.cedula"
  | "cri.cedula"
  | "pan.qr"
  | "per.code39";

/**
 * Fields of a document that a barcode carries, as plain values. Absent when the layout or this barcode does
 * not have them.
 */
export type PayloadFields = {
  readonly documentNumber?: string;
  /** Present when it differs from the document number: Chile's RUN. */
  readonly personalNumber?: string;
  /** All surnames with one blank between them. */
  readonly lastName?: string;
  readonly firstName?: string;
  /** Given names and surnames when the barcode does not separate them. */
  readonly fullName?: string;
  /** Dates as YYYY-MM-DD; only dates that exist in the calendar. */
  readonly dateOfBirth?: string;
  /** YYMMDD when the barcode leaves the century open. */
  readonly shortDateOfBirth?: string;
  readonly dateOfExpiry?: string;
  readonly dateOfIssue?: string;
  readonly sex?: "M" | "F" | "X";
  /** As the barcode writes it: a word in the country's language, or alpha-3. */
  readonly nationality?: string;
  /** ISO 3166-1 alpha-3. */
  readonly issuer?: string;
  /** Argentina's trámite. */
  readonly procedureNumber?: string;
  /** Argentina's CUIL. */
  readonly taxNumber?: string;
  /** Letter of the copy, Argentina. */
  readonly copy?: string;
  /** MRZ_information of ICAO Doc 9303-11, 4.3.2, when the barcode carries it. */
  readonly accessKey?: string;
  readonly address?: string;
};

export type PayloadFieldName = keyof PayloadFields;

/** A barcode's content by its layout. */
export type Payload = {
  readonly layout: PayloadLayout;
  readonly fields: PayloadFields;
  /**
   * Fields whose position in the layout is not confirmed. Use them only when the VIZ (visual inspection zone)
   * has the same value.
   */
  readonly unsure: readonly PayloadFieldName[];
  /** The whole licence; absent for other layouts. */
  readonly licence?: AamvaLicence;
};

/** The fields without empty and absent values. */
export const presentFields = (
  fields: { readonly [name in PayloadFieldName]?: PayloadFields[name] | undefined },
): PayloadFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ""));

/** The non-empty parts, joined by one blank. */
export const joinParts = (...parts: readonly (string | undefined)[]): string =>
  parts
    .flatMap((part) => part?.split(/\s+/) ?? [])
    .filter(Boolean)
    .join(" ");

/** Whether a text can be a name: Latin letters with marks, blanks, apostrophes, hyphens and dots. */
export const isName = (text: string): boolean =>
  /^(?=.*\p{L})[\p{Script=Latin}\p{M}'’´`. -]{1,80}$/u.test(text);

/** M, F or X as written; undefined for any other text. */
export const sexOf = (text: string | undefined): "M" | "F" | "X" | undefined =>
  text === "M" || text === "F" || text === "X" ? text : undefined;
