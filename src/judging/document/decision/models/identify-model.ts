import type { Payload } from "../../reading/barcode/payload.ts";
import { isDataPageFormat } from "../../reading/mrz/formats.ts";
import type { MrzFields } from "../../reading/mrz/parse.ts";
import type { TextLine } from "../../reading/ocr/text-line.ts";
import type { NormaliseText } from "../viz/normalise-text.ts";
import type { DocumentModels } from "./catalogue.ts";
import type { DocumentModel } from "./document-model.ts";
import { findHeadings, isNamed } from "./headings.ts";

/** The evidence for a document's model. */
export type Evidence = {
  /** A clear MRZ; an unclear one does not distinguish models. */
  readonly mrz?: MrzFields;
  readonly payloads: readonly Payload[];
  readonly front: readonly TextLine[];
  readonly back: readonly TextLine[];
};

/**
 * The models that a document may have, likeliest first, all of one country or all generic. Empty without
 * evidence, or where the evidence names several countries.
 */
export const identifyModels = (
  evidence: Evidence,
  { national, generic }: DocumentModels,
  normaliseText: NormaliseText,
): readonly DocumentModel[] => {
  const scored = national
    .flatMap((model) => {
      const score = scoreOf(evidence, model, normaliseText);
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

/** An MRZ and most barcodes name the issuer. Headings differ from another country's in fewer letters. */
const weights = { mrz: 4, barcode: 4, heading: 1, shape: 0.5 } as const;

const scoreOf = (
  evidence: Evidence,
  model: DocumentModel,
  normaliseText: NormaliseText,
): number | undefined => {
  if (contradicts(evidence, model)) {
    return undefined;
  }
  const headings = findHeadings([...evidence.front, ...evidence.back], model, normaliseText);
  const isMrz = evidence.mrz !== undefined && fitsMrz(evidence.mrz, model);
  const fitting = evidence.payloads.filter((payload) => fitsBarcode(payload, model));
  const isNamedByBarcode = fitting.some(({ fields }) => fields.issuer !== undefined);
  const shapes = (model.identify.shapes ?? []).filter(
    (shape) => valueOf(evidence, shape.of, model) !== undefined,
  );
  return isMrz || isNamedByBarcode || isNamed(headings, model)
    ? (isMrz ? weights.mrz : 0) +
        (fitting.length > 0 ? weights.barcode : 0) +
        headings.count * weights.heading +
        shapes.length * weights.shape
    : undefined;
};

/**
 * Whether the evidence excludes the model: an MRZ or barcode of another issuer or card, or a number of
 * another generation.
 */
const contradicts = (evidence: Evidence, model: DocumentModel): boolean => {
  const { mrz, payloads } = evidence;
  const isOtherMrz = mrz !== undefined && (mrz.issuer !== model.country || !mayCarry(mrz, model));
  const isOtherBarcode = payloads.some(
    ({ fields }) => fields.issuer !== undefined && fields.issuer !== model.country,
  );
  const isOtherShape = (model.identify.shapes ?? []).some(({ of, pattern }) => {
    const value = valueOf(evidence, of, model);
    return value !== undefined && !new RegExp(pattern, "u").test(value);
  });
  return isOtherMrz || isOtherBarcode || isOtherShape;
};

/**
 * A model without an MRZ may still have one, because this may be unknown. It never has the MRZ of a passport
 * or visa.
 */
const mayCarry = (mrz: MrzFields, model: DocumentModel): boolean =>
  model.mrz === undefined ? !isDataPageFormat(mrz.format) : fitsMrz(mrz, model);

type ShapeOf = NonNullable<DocumentModel["identify"]["shapes"]>[number]["of"];

const valueOf = ({ mrz, payloads }: Evidence, of: ShapeOf, model: DocumentModel): string | undefined =>
  of === "mrz.documentNumber"
    ? mrz?.documentNumber
    : payloads
        .filter((payload) => fitsBarcode(payload, model))
        .map(({ fields }) => fields.documentNumber)
        .find((value) => value !== undefined);

const fitsMrz = (mrzReading: MrzFields, { mrz, country }: DocumentModel): boolean =>
  mrz !== undefined &&
  mrzReading.format === mrz.format &&
  (country === "*" || mrzReading.issuer === country) &&
  mrz.codes.some((code) =>
    code.length === 1 ? mrzReading.documentCode.startsWith(code) : mrzReading.documentCode === code,
  );

/** Whether the model's cards carry barcodes of this layout. */
export const fitsBarcode = (payload: Payload, { barcodes }: DocumentModel): boolean =>
  barcodes.some(({ layout }) => layout === payload.layout);

const isOfEveryCountry = ({ mrz, payloads }: Evidence, model: DocumentModel): boolean =>
  mrz === undefined ? payloads.some((payload) => fitsBarcode(payload, model)) : fitsMrz(mrz, model);
