import type { Payload } from "../barcode/payload.ts";
import { isDataPageFormat } from "../mrz/formats.ts";
import type { MrzFields } from "../mrz/parse.ts";
import type { LettersOf } from "../print/letters.ts";
import type { TextLine } from "../text/text-line.ts";
import type { DocumentModel } from "./document-model.ts";
import { findHeadings, isNamed } from "./headings.ts";
import type { DocumentModels } from "./read-models.ts";

/** What a document shows of its kind. */
export type Evidence = {
  /** A zone whose characters are clear; an unclear one tells no model from another. */
  readonly zone?: MrzFields;
  readonly payloads: readonly Payload[];
  readonly front: readonly TextLine[];
  readonly back: readonly TextLine[];
};

/**
 * The models that a document may be of, likeliest first, all of one country or all for every country; empty where nothing
 * tells it or the evidence names several countries.
 */
export const identifyModels = (
  evidence: Evidence,
  { national, generic }: DocumentModels,
  lettersOf: LettersOf,
): readonly DocumentModel[] => {
  const scored = national
    .flatMap((model) => {
      const score = scoreOf(evidence, model, lettersOf);
      return score === undefined ? [] : [{ model, score }];
    })
    .sort((a, b) => b.score - a.score);
  const [best] = scored;
  if (best === undefined) {
    return generic.filter((model) => isOfEveryCountry(evidence, model));
  }
  const rival = scored.find(({ model }) => model.country !== best.model.country);
  return rival !== undefined && rival.score >= best.score
    ? []
    : scored
        .filter(({ model, score }) => model.country === best.model.country && score === best.score)
        .map(({ model }) => model);
};

/** A zone or most barcodes name the issuer; headings are fewer letters away from another country's. */
const weights = { zone: 4, barcode: 4, heading: 1, shape: 0.5 } as const;

const scoreOf = (evidence: Evidence, model: DocumentModel, lettersOf: LettersOf): number | undefined => {
  if (contradicts(evidence, model)) {
    return undefined;
  }
  const headings = findHeadings([...evidence.front, ...evidence.back], model, lettersOf);
  const isZone = evidence.zone !== undefined && fitsZone(evidence.zone, model);
  const fitting = evidence.payloads.filter((payload) => fitsBarcode(payload, model));
  const isNamedByBarcode = fitting.some(({ fields }) => fields.issuer !== undefined);
  const shapes = (model.identify.shapes ?? []).filter(
    (shape) => valueOf(evidence, shape.of, model) !== undefined,
  );
  return isZone || isNamedByBarcode || isNamed(headings, model)
    ? (isZone ? weights.zone : 0) +
        (fitting.length > 0 ? weights.barcode : 0) +
        headings.count * weights.heading +
        shapes.length * weights.shape
    : undefined;
};

/** A zone or barcode of another issuer or of another card of this one, or a number of another generation. */
const contradicts = (evidence: Evidence, model: DocumentModel): boolean => {
  const { zone, payloads } = evidence;
  const isOtherZone = zone !== undefined && (zone.issuer !== model.country || !mayCarry(zone, model));
  const isOtherBarcode = payloads.some(
    ({ fields }) => fields.issuer !== undefined && fields.issuer !== model.country,
  );
  const isOtherShape = (model.identify.shapes ?? []).some(({ of, pattern }) => {
    const value = valueOf(evidence, of, model);
    return value !== undefined && !new RegExp(pattern, "u").test(value);
  });
  return isOtherZone || isOtherBarcode || isOtherShape;
};

/** Which zone a card has may not be known; that of a passport or a visa it never has. */
const mayCarry = (zone: MrzFields, model: DocumentModel): boolean =>
  model.mrz === undefined ? !isDataPageFormat(zone.format) : fitsZone(zone, model);

type ShapeOf = NonNullable<DocumentModel["identify"]["shapes"]>[number]["of"];

const valueOf = ({ zone, payloads }: Evidence, of: ShapeOf, model: DocumentModel): string | undefined =>
  of === "mrz.documentNumber"
    ? zone?.documentNumber
    : payloads
        .filter((payload) => fitsBarcode(payload, model))
        .map(({ fields }) => fields.documentNumber)
        .find((value) => value !== undefined);

const fitsZone = (zone: MrzFields, { mrz, country }: DocumentModel): boolean =>
  mrz !== undefined &&
  zone.format === mrz.format &&
  (country === "*" || zone.issuer === country) &&
  mrz.codes.some((code) =>
    code.length === 1 ? zone.documentCode.startsWith(code) : zone.documentCode === code,
  );

/** Whether the model's cards carry symbols of this layout. */
export const fitsBarcode = (payload: Payload, { barcodes }: DocumentModel): boolean =>
  barcodes.some(({ layout }) => layout === payload.layout);

const isOfEveryCountry = ({ zone, payloads }: Evidence, model: DocumentModel): boolean =>
  zone === undefined ? payloads.some((payload) => fitsBarcode(payload, model)) : fitsZone(zone, model);
