import { decideDocument } from "#judging/document/decision/decide";
import { diagnose } from "#judging/document/decision/pad/diagnose";
import type { DocumentImages } from "#judging/document/reading/read-document";
import type { DocumentReading, ReadingHints } from "#judging/document/reading/reading";
import type { RecordPlace } from "../../networks/open-record.ts";
import { hasSame } from "../../networks/recorded-measurements.ts";
import { caseOf } from "../reading.ts";
import { isReading } from "../recorded-readings.ts";
import { drawSent, type SentImage } from "./sent-images.ts";

/** A document that the http lane sends, and what its endpoint asks of the reading. */
export type SentDocument = {
  readonly front: SentImage;
  readonly back?: SentImage;
  readonly hints: ReadingHints;
};

/**
 * What the endpoints make of a reading: its fields, and the decision on a Chilean passport with its
 * diagnosis.
 */
const judgedOf = (reading: DocumentReading) => {
  const { fields, declared, now, policy } = caseOf(reading);
  const decided = decideDocument({ reading, fields }, declared, now, policy);
  const { decision, reasons } = diagnose(reading, decided, undefined, policy);
  const values = Object.entries(fields.values).map(([name, { value }]) => [name, value]);
  return { values, decision: decided.decision, diagnosis: { decision, reasons } };
};

/**
 * Where the readings of the sent documents are recorded. The http lane answers with them, so they must be
 * judged alike too.
 */
export const sentRecord: RecordPlace = {
  file: new URL("sent-readings.generated.json", import.meta.url),
  modules: [import.meta.url, new URL("../reader.ts", import.meta.url).href],
  isSame: (recorded, made) =>
    isReading(recorded) && isReading(made) && hasSame(judgedOf(recorded), judgedOf(made)),
};

/** What the endpoints ask of a reading: fields, the fields of a passport, or traces of attacks too. */
const fields = {} as const;
const ofPassport = { type: "PASSPORT" } as const;
const diagnosis = { type: "PASSPORT", attacks: true } as const;

const twice = (front: SentImage, hints: ReadingHints): SentDocument => ({ front, back: front, hints });

/** Every reading that the http lane asks for. */
export const sentDocuments: readonly SentDocument[] = [
  { front: "a scanned passport", hints: fields },
  { front: "a scanned passport", hints: ofPassport },
  twice("a scanned passport", fields),
  twice("a scanned passport", diagnosis),
  twice("a photographed passport", diagnosis),
  twice("a grey copy of a passport", diagnosis),
  twice("a passport with a wrong check digit", diagnosis),
  twice("an empty table", diagnosis),
  { front: "the front of an Ecuadorian card", hints: fields },
  { front: "the front of an Ecuadorian card", back: "the back of an Ecuadorian card", hints: fields },
  { front: "the front of an Argentine card", back: "the back of an Argentine card", hints: fields },
  { front: "the front of a Honduran card", back: "the back of a Honduran card", hints: fields },
  { front: "a selfie", hints: fields },
  twice("a selfie", fields),
];

/** The name under which the reading of a document is recorded. */
export const sentNameOf = ({ front, back, hints }: SentDocument): string =>
  `${back === undefined ? front : `${front}, ${back}`}: ${JSON.stringify(hints)}`;

export const drawSentDocument = async ({ front, back }: SentDocument): Promise<DocumentImages> => ({
  front: await drawSent(front),
  ...(back !== undefined && { back: await drawSent(back) }),
});
