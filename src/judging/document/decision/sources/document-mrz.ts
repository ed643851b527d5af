import type { MrzFields } from "../../reading/mrz/parse.ts";
import type { MrzSummary } from "../../reading/reading.ts";
import type { DocumentModel } from "../models/document-model.ts";
import type { FieldReading } from "./field-reading.ts";
import { mrzReadings } from "./mrz-values.ts";

/** The MRZ of a document: its side, how it was read, and its values. */
export type ReadMrz = {
  readonly side: "front" | "back";
  readonly summary: MrzSummary;
  readonly fields: MrzFields;
};

/** The field values of an MRZ; `print` are the printed ones. */
export const readingsOfMrz = (
  mrz: ReadMrz,
  readBy: DocumentModel | undefined,
  print: readonly FieldReading[],
  day: string,
): readonly FieldReading[] =>
  mrzReadings(
    {
      side: mrz.side,
      fields: mrz.fields,
      confidence: mrzConfidence(mrz.summary),
      isBinding: isBinding(mrz),
    },
    readBy,
    print.find(({ name }) => name === "documentNumber")?.value,
    day,
  );

/** The readings without given names that a binding MRZ states not to exist. */
export const withoutUnstated = (
  readings: readonly FieldReading[],
  mrz: ReadMrz | undefined,
  readBy: DocumentModel | undefined,
): readonly FieldReading[] =>
  mrz !== undefined && statesNoGivenName(mrz, readBy)
    ? readings.filter(({ name }) => name !== "firstName")
    : readings;

/**
 * Confidence by kind of MRZ reading. Accepted: 0 wrong of 33 and of 264 simulated shots (upper bound 1 %).
 * Not accepted: the share of exact readings among them (docs/measurements/documents.md).
 */
const confidenceOf = { accepted: 0.99, clear: 0.9, open: 0.6 } as const;

export const isClear = ({ accepted, clear }: MrzSummary): boolean => accepted || clear;

const mrzConfidence = ({ accepted, clear }: MrzSummary): number => {
  if (accepted) {
    return confidenceOf.accepted;
  }
  return clear ? confidenceOf.clear : confidenceOf.open;
};

/** An issuer that ICAO does not know is not accepted, and yet the text is certain. */
const isBinding = ({ summary, fields }: ReadMrz): boolean =>
  summary.accepted || (summary.clear && fields.checks.length > 0 && fields.checksHold);

/**
 * The person has one name (ICAO Doc 9303-3, 4.6): a text beside the label of given names is no name. The
 * French licence has no field for them, and a national card may leave them out.
 */
const statesNoGivenName = (mrz: ReadMrz, readBy: DocumentModel | undefined): boolean =>
  isBinding(mrz) &&
  mrz.fields.format !== "FRA-LICENCE" &&
  (readBy === undefined || readBy.country === "*") &&
  mrz.fields.names.secondary === "" &&
  !mrz.fields.names.mayBeTruncated;
