import type { AamvaLicence } from "./barcode/aamva.ts";
import type { Payload } from "./barcode/payload.ts";
import { dayOf } from "./dates.ts";
import type { DocumentModel } from "./models/document-model.ts";
import { countryOfHeadings } from "./models/headings.ts";
import { fitsBarcode, identifyModels } from "./models/identify-model.ts";
import type { DocumentModels } from "./models/read-models.ts";
import { type MrzFields, parseMrz } from "./mrz/parse.ts";
import { type LettersOf, lettersOf, rememberLetters } from "./print/letters.ts";
import { type PrintedSide, spellings } from "./print/printed-fields.ts";
import type { DocumentReading, MrzSighting, SideReading } from "./reading.ts";
import { barcodeSightings, type SightedPayload } from "./sources/barcode-values.ts";
import { chooseModel } from "./sources/choose-model.ts";
import { type Merged, mergeSightings } from "./sources/merge.ts";
import { issuerSighting, printSightings } from "./sources/print-values.ts";
import type { Sighting } from "./sources/sighting.ts";
import { isUnlimited, zoneSightings } from "./sources/zone-values.ts";

/** What a document says, merged from its sources. */
export type DocumentFields = Merged & {
  readonly mrz?: {
    readonly side: "front" | "back";
    readonly sighting: MrzSighting;
    readonly fields: MrzFields;
  };
  readonly licence?: { readonly side: "front" | "back"; readonly fields: AamvaLicence };
  readonly payloads: readonly SightedPayload[];
  /** The country's model that the document is of; absent where nothing tells it. */
  readonly model?: DocumentModel;
  /** The model that print was read by: also one for every country, or one of generations that could not be told apart. */
  readonly readBy?: DocumentModel;
  readonly printed: { readonly front?: PrintedSide; readonly back?: PrintedSide };
  /** Countries that the headings of each side name. */
  readonly headings: { readonly front?: string; readonly back?: string };
  /** The document says of itself that it does not expire. */
  readonly neverExpires: boolean;
};

/** Merges the sources of a reading. Pure; `now` decides the century of a two-digit birth year. */
export type CollectFields = (reading: DocumentReading, now: Date) => DocumentFields;

export const makeCollectFields = (models: DocumentModels): CollectFields => {
  const known = lettersOfModels(models);
  return (reading, now) => {
    const letters = rememberLetters((raw) => known.get(raw) ?? lettersOf(raw));
    const day = dayOf(now);
    const mrz = findMrz(reading, day);
    const found = findPayloads(reading);
    const evidence = {
      ...(mrz !== undefined && isClear(mrz.sighting) ? { zone: mrz.fields } : {}),
      payloads: found.map(({ payload }) => payload),
      front: reading.front.lines,
      back: reading.back?.lines ?? [],
    };
    const { model, readBy, printed } = chooseModel(
      identifyModels(evidence, models, letters),
      evidence,
      day,
      letters,
    );
    const payloads = found.filter(({ payload }) => isOfTheCard(payload, readBy));
    const headings = headingsOf(reading, models, letters);
    const print = [
      ...(printed.front === undefined ? [] : printSightings("front", printed.front)),
      ...(printed.back === undefined ? [] : printSightings("back", printed.back)),
      ...issuerSighting("front", headings.front),
      ...issuerSighting("back", headings.back),
    ];
    const zone =
      mrz === undefined
        ? []
        : zoneSightings(
            { side: mrz.side, fields: mrz.fields, confidence: zoneConfidence(mrz.sighting) },
            readBy,
            print.find(({ name }) => name === "documentNumber")?.value,
            day,
          );
    const licence = findLicence(payloads);
    return {
      ...mergeSightings([...zone, ...payloads.flatMap((one) => barcodeSightings(one, day)), ...print]),
      ...(mrz === undefined ? {} : { mrz }),
      ...(licence === undefined ? {} : { licence }),
      payloads,
      ...(model === undefined ? {} : { model }),
      ...(readBy === undefined ? {} : { readBy }),
      printed,
      headings,
      neverExpires: mrz?.sighting.accepted === true && isUnlimited(mrz.fields, readBy),
    };
  };
};

/** Letters of every heading and label of the models: computed once, for all readings. */
const lettersOfModels = ({ national, generic }: DocumentModels) =>
  new Map(
    [...national, ...generic]
      .flatMap((model) => [...model.identify.words.flat(), ...model.fields.flatMap(spellings)])
      .map((text) => [text, lettersOf(text)] as const),
  );

/**
 * Confidence by kind of reading. Accepted MRZ: 0 wrong of 33 and of 264 simulated shots (upper bound 1 %). Not accepted: the
 * share of exact ones among them (docs/measurements.md).
 */
const confidenceOf = { accepted: 0.99, clear: 0.9, open: 0.6 } as const;

const isClear = ({ accepted, clear }: MrzSighting): boolean => accepted || clear;

const zoneConfidence = ({ accepted, clear }: MrzSighting): number => {
  if (accepted) {
    return confidenceOf.accepted;
  }
  return clear ? confidenceOf.clear : confidenceOf.open;
};

const sidesOf = ({ front, back }: DocumentReading): readonly (readonly ["front" | "back", SideReading])[] =>
  back === undefined
    ? [["front", front]]
    : [
        ["front", front],
        ["back", back],
      ];

/** The zone that the reader vouches for; without one, the first that was read at all. */
const findMrz = (reading: DocumentReading, day: string): DocumentFields["mrz"] => {
  const found = sidesOf(reading).flatMap(([side, { mrz }]) => {
    const fields = mrz === undefined ? undefined : parseMrz(mrz.lines, day, mrz.format);
    return mrz === undefined || fields === undefined ? [] : [{ side, sighting: mrz, fields }];
  });
  return found.find(({ sighting }) => sighting.accepted) ?? found[0];
};

const findPayloads = (reading: DocumentReading): readonly SightedPayload[] =>
  sidesOf(reading).flatMap(([side, { barcodes }]) =>
    barcodes.flatMap(({ payload }) => (payload === undefined ? [] : [{ side, payload }])),
  );

/** A symbol that names no issuer is believed only on a card that another source tells to carry it. */
const isOfTheCard = (payload: Payload, readBy: DocumentModel | undefined): boolean =>
  payload.layout === "aamva" ||
  payload.fields.issuer !== undefined ||
  (readBy !== undefined && fitsBarcode(payload, readBy));

const findLicence = (payloads: readonly SightedPayload[]): DocumentFields["licence"] =>
  payloads
    .flatMap(({ side, payload: { licence } }) => (licence === undefined ? [] : [{ side, fields: licence }]))
    .at(0);

const headingsOf = ({ front, back }: DocumentReading, { national }: DocumentModels, letters: LettersOf) => {
  const [onFront, onBack] = [
    countryOfHeadings(front.lines, national, letters),
    back === undefined ? undefined : countryOfHeadings(back.lines, national, letters),
  ];
  return {
    ...(onFront === undefined ? {} : { front: onFront }),
    ...(onBack === undefined ? {} : { back: onBack }),
  };
};

/** Every sighting of a document, of whatever field. */
export const sightingsOf = ({ values }: DocumentFields): readonly Sighting[] =>
  Object.values(values).flatMap((field) => field.sightings);
