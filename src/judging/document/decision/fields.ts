import type { AamvaLicence } from "../reading/barcode/aamva-licence.ts";
import type { Payload } from "../reading/barcode/payload.ts";
import { parseMrz } from "../reading/mrz/parse.ts";
import type { SideReading } from "../reading/reading.ts";
import { dayOf } from "../values/dates.ts";
import type { HeadedKind } from "./generic/headings.ts";
import { labelWords } from "./generic/label-words.ts";
import { printedModel } from "./generic/printed-models.ts";
import { type CardHeadings, headingSpellings, readHeadings } from "./generic/read-headings.ts";
import type { DocumentModels } from "./models/catalogue.ts";
import type { DocumentModel } from "./models/document-model.ts";
import { countryOfHeadings } from "./models/headings.ts";
import { fitsBarcode, identifyModels } from "./models/identify-model.ts";
import { barcodeReadings, type SidePayload } from "./sources/barcode-values.ts";
import { chooseModel } from "./sources/choose-model.ts";
import { isClear, type ReadMrz, readingsOfMrz, withoutUnstated } from "./sources/document-mrz.ts";
import type { FieldReading } from "./sources/field-reading.ts";
import { type Merged, mergeReadings } from "./sources/merge.ts";
import { isUnlimited } from "./sources/mrz-values.ts";
import { issuerReading, vizReadings } from "./sources/viz-values.ts";
import { cacheNormalised, type NormaliseText, normaliseText } from "./viz/normalise-text.ts";
import { labelReaderOf, spellings } from "./viz/read-viz-fields.ts";
import type { VizSide } from "./viz/viz-field.ts";

/** The fields of a document, merged from its sources. */
export type DocumentFields = Merged & {
  readonly mrz?: ReadMrz;
  readonly licence?: { readonly side: "front" | "back"; readonly fields: AamvaLicence };
  readonly payloads: readonly SidePayload[];
  /** The national model of the document; absent where it is not certain. */
  readonly model?: DocumentModel;
  /**
   * The model that print was read by: also a generic one, or one of several generations that could not be
   * distinguished.
   */
  readonly readBy?: DocumentModel;
  readonly printed: { readonly front?: VizSide; readonly back?: VizSide };
  /** Countries that the headings of each side name. */
  readonly headings: { readonly front?: string; readonly back?: string };
  /** The kind that the headings name of a card without a national model. */
  readonly headedKind?: HeadedKind;
  /** The document states that it does not expire. */
  readonly neverExpires: boolean;
};

/** The parts of one side from which its fields come. */
type SideSources = Pick<SideReading, "mrz" | "barcodes" | "lines">;

/** The parts of a reading from which the fields come: no image. */
export type FieldSources = { readonly front: SideSources; readonly back?: SideSources };

/** Leaves out everything that no field comes from, so that little is copied between threads. */
export const fieldSourcesOf = ({ front, back }: FieldSources): FieldSources => ({
  front: sourcesOfSide(front),
  ...(back === undefined ? {} : { back: sourcesOfSide(back) }),
});

const sourcesOfSide = ({ mrz, barcodes, lines }: SideSources): SideSources => ({
  ...(mrz === undefined ? {} : { mrz }),
  barcodes,
  lines,
});

/** Merges the sources of a reading. Pure; `now` decides the century of a two-digit birth year. */
export type MergeSources = (sources: FieldSources, now: Date) => DocumentFields;

/**
 * Merges the sources in an inference thread: the search for the labels of every model would hold up the
 * thread that answers requests. The fields are plain values. Fails like the pool, but never with engine_busy.
 * Made by `openEngine` (src/app/engine.ts) from {@link makeMergeSources}.
 */
export type CollectFields = (
  sources: FieldSources,
  now: Date,
  signal?: AbortSignal,
) => Promise<DocumentFields>;

/** Makes the merge with the models that a document may have. */
export const makeMergeSources = (models: DocumentModels): MergeSources => {
  const precomputed = normalisedTextsOf(models);
  const { isKnownLabel } = labelReaderOf(models);
  return (sources, now) => {
    const normalise = cacheNormalised((raw) => precomputed.get(raw) ?? normaliseText(raw));
    const day = dayOf(now);
    const mrz = findMrz(sources, day);
    const found = findPayloads(sources);
    const evidence = {
      ...(mrz !== undefined && isClear(mrz.summary) ? { mrz: mrz.fields } : {}),
      payloads: found.map(({ payload }) => payload),
      front: sources.front.lines,
      back: sources.back?.lines ?? [],
    };
    const identified = identifyModels(evidence, models, normalise);
    const stated = identified.some(({ country }) => country !== "*")
      ? {}
      : readHeadings([...evidence.front, ...evidence.back], normalise);
    const isPrintAlone = identified.length === 0 && mrz === undefined && found.length === 0;
    const cardHeadings = isPrintAlone ? stated : undefined;
    const { model, readBy, printed } = chooseModel(
      cardHeadings === undefined ? identified : printedModelsOf(cardHeadings),
      evidence,
      day,
      { normaliseText: normalise, isKnownLabel },
    );
    const payloads = found.filter(({ payload }) => isOfTheCard(payload, readBy));
    const headings = headingsOf(sources, models, normalise);
    const print = printReadings(printed, headings, cardHeadings);
    const digital = [
      ...(mrz === undefined ? [] : readingsOfMrz(mrz, readBy, print, day)),
      ...payloads.flatMap((one) => barcodeReadings(one, day)),
    ];
    const licence = findLicence(payloads);
    return {
      ...mergeReadings(withoutUnstated([...digital, ...print], mrz, readBy)),
      ...(mrz === undefined ? {} : { mrz }),
      ...(licence === undefined ? {} : { licence }),
      payloads,
      ...(model === undefined ? {} : { model }),
      ...(readBy === undefined ? {} : { readBy }),
      printed,
      headings,
      ...(stated.kind === undefined ? {} : { headedKind: stated.kind }),
      neverExpires: mrz?.summary.accepted === true && isUnlimited(mrz.fields, readBy),
    };
  };
};

/** The readings of print. Those of a card that is known by its words alone are unconfirmed. */
const printReadings = (
  printed: DocumentFields["printed"],
  headings: DocumentFields["headings"],
  cardHeadings: CardHeadings | undefined,
): readonly FieldReading[] => {
  const readings = [
    ...(printed.front === undefined ? [] : vizReadings("front", printed.front)),
    ...(printed.back === undefined ? [] : vizReadings("back", printed.back)),
    ...issuerReading("front", headings.front ?? cardHeadings?.country),
    ...issuerReading("back", headings.back),
  ];
  return cardHeadings === undefined ? readings : readings.map((one) => ({ ...one, isUnconfirmed: true }));
};

/** A card without a model is read by label words where its headings name its kind. */
const printedModelsOf = ({ kind, country }: CardHeadings): readonly DocumentModel[] =>
  kind === undefined || kind === "OTHER" ? [] : [printedModel(kind, country === "USA")];

/** The normalised form of every heading and label: computed once, for all readings. */
const normalisedTextsOf = ({ national, generic }: DocumentModels) =>
  new Map(
    [
      ...[...national, ...generic].flatMap(({ identify, fields }) => [
        ...identify.words.flat(),
        ...fields.flatMap(spellings),
      ]),
      ...headingSpellings,
      ...Object.values(labelWords).flat(),
    ].map((text) => [text, normaliseText(text)] as const),
  );

const sidesOf = ({ front, back }: FieldSources): readonly (readonly ["front" | "back", SideSources])[] =>
  back === undefined
    ? [["front", front]]
    : [
        ["front", front],
        ["back", back],
      ];

/** The accepted MRZ; without one, the first that was read. */
const findMrz = (sources: FieldSources, day: string): DocumentFields["mrz"] => {
  const found = sidesOf(sources).flatMap(([side, { mrz }]) => {
    const fields = mrz === undefined ? undefined : parseMrz(mrz.lines, day, mrz.format);
    return mrz === undefined || fields === undefined ? [] : [{ side, summary: mrz, fields }];
  });
  return found.find(({ summary }) => summary.accepted) ?? found[0];
};

const findPayloads = (sources: FieldSources): readonly SidePayload[] =>
  sidesOf(sources).flatMap(([side, { barcodes }]) =>
    barcodes.flatMap(({ payload }) => (payload === undefined ? [] : [{ side, payload }])),
  );

/**
 * A barcode without an issuer counts only where the card's model, known from another source, carries its
 * layout.
 */
const isOfTheCard = (payload: Payload, readBy: DocumentModel | undefined): boolean =>
  payload.layout === "aamva" ||
  payload.fields.issuer !== undefined ||
  (readBy !== undefined && fitsBarcode(payload, readBy));

const findLicence = (payloads: readonly SidePayload[]): DocumentFields["licence"] =>
  payloads
    .flatMap(({ side, payload: { licence } }) => (licence === undefined ? [] : [{ side, fields: licence }]))
    .at(0);

const headingsOf = (
  { front, back }: FieldSources,
  { national }: DocumentModels,
  normalise: NormaliseText,
) => {
  const [onFront, onBack] = [
    countryOfHeadings(front.lines, national, normalise),
    back === undefined ? undefined : countryOfHeadings(back.lines, national, normalise),
  ];
  return {
    ...(onFront === undefined ? {} : { front: onFront }),
    ...(onBack === undefined ? {} : { back: onBack }),
  };
};

/** Every reading of a document, of all fields. */
export const fieldReadingsOf = ({ values }: DocumentFields): readonly FieldReading[] =>
  Object.values(values).flatMap((field) => field.readings);
