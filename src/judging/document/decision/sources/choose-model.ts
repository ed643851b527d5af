import type { DocumentModel } from "../models/document-model.ts";
import type { Evidence } from "../models/identify-model.ts";
import type { LabelReader } from "../viz/known-labels.ts";
import { readVizFields } from "../viz/read-viz-fields.ts";
import type { VizSide } from "../viz/viz-field.ts";

/** The model that print is read by (`readBy`), and `model` where it is certain and of one country. */
export type ChosenModel = {
  readonly model?: DocumentModel;
  readonly readBy?: DocumentModel;
  readonly printed: { readonly front?: VizSide; readonly back?: VizSide };
};

type ModelReading = { readonly model: DocumentModel; readonly front: VizSide; readonly back: VizSide };

/**
 * One generation's labels must read this many fields more than another's to distinguish the two. The number
 * is our choice.
 */
const fieldsAhead = 3;

/** Chooses a card's generation by the day of issue, then by the labels that were found. */
export const chooseModel = (
  candidates: readonly DocumentModel[],
  evidence: Evidence,
  day: string,
  reader: LabelReader,
): ChosenModel => {
  const read = candidates
    .map((model) => ({
      model,
      front: readVizFields(model, "front", evidence.front, day, reader),
      back: readVizFields(model, "back", evidence.back, day, reader),
    }))
    .sort((a, b) => fieldsIn(b) - fieldsIn(a));
  const issued = read.filter((one) => mayBeIssuedOn(one.model, issueDateOf(one, evidence)));
  const [best, second] = issued.length > 0 ? issued : read;
  if (best === undefined) {
    return { printed: {} };
  }
  const isAlone =
    issued.length === 1 || (issued.length > 1 && fieldsIn(best) >= fieldsIn(second!) + fieldsAhead);
  const isNational = best.model.country !== "*";
  return {
    ...(isAlone && isNational ? { model: best.model } : {}),
    readBy: best.model,
    printed: { front: best.front, back: best.back },
  };
};

const fieldsIn = ({ front, back }: ModelReading): number => front.fields.length + back.fields.length;

/** Day of issue from the print, else from a barcode. */
const issueDateOf = ({ front, back }: ModelReading, { payloads }: Evidence): string | undefined =>
  [...front.fields, ...back.fields].find(({ name }) => name === "dateOfIssue")?.value ??
  payloads.map(({ fields }) => fields.dateOfIssue).find((issue) => issue !== undefined);

const mayBeIssuedOn = ({ issued }: DocumentModel, issue: string | undefined): boolean =>
  issue === undefined || ((issued?.from ?? issue) <= issue && issue <= (issued?.to ?? issue));
