import type { DocumentImages } from "#judging/document/reading/read-document";
import type { ReadingHints } from "#judging/document/reading/reading";
import type { RecordPlace } from "../../networks/open-record.ts";
import { drawSent, type SentImage } from "./sent-images.ts";

/** A document that the http lane sends, and what its endpoint asks of the reading. */
export type SentDocument = {
  readonly front: SentImage;
  readonly back?: SentImage;
  readonly hints: ReadingHints;
};

/** Where the readings of the sent documents are recorded. */
export const sentRecord: RecordPlace = {
  file: new URL("sent-readings.generated.json", import.meta.url),
  modules: [import.meta.url, new URL("../reader.ts", import.meta.url).href],
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
