import type { DocumentModel } from "../models/document-model.ts";
import type { Evidence } from "../models/identify-model.ts";
import type { LettersOf } from "../print/letters.ts";
import { type PrintedSide, readPrintedFields } from "../print/printed-fields.ts";

/** The model by which a document's print is read, and whether it is the document's own for sure. */
export type ChosenModel = {
  readonly model?: DocumentModel;
  readonly readBy?: DocumentModel;
  readonly printed: { readonly front?: PrintedSide; readonly back?: PrintedSide };
};

type Read = { readonly model: DocumentModel; readonly front: PrintedSide; readonly back: PrintedSide };

/** So many fields more must be read by one generation's labels than by another's to tell them apart. Chosen. */
const fieldsAhead = 3;

/** Tells the generations of a card apart by the day of issue, then by whose labels are there. */
export const chooseModel = (
  candidates: readonly DocumentModel[],
  evidence: Evidence,
  day: string,
  lettersOf: LettersOf,
): ChosenModel => {
  const read = candidates
    .map((model) => ({
      model,
      front: readPrintedFields(model, "front", evidence.front, day, lettersOf),
      back: readPrintedFields(model, "back", evidence.back, day, lettersOf),
    }))
    .sort((a, b) => fieldsIn(b) - fieldsIn(a));
  const issued = read.filter((one) => wasIssuedIn(one.model, issueOf(one, evidence)));
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

const fieldsIn = ({ front, back }: Read): number => front.fields.length + back.fields.length;

/** Day of issue from the print, else from a barcode. */
const issueOf = ({ front, back }: Read, { payloads }: Evidence): string | undefined =>
  [...front.fields, ...back.fields].find(({ name }) => name === "dateOfIssue")?.value ??
  payloads.map(({ fields }) => fields.dateOfIssue).find((issue) => issue !== undefined);

const wasIssuedIn = ({ issued }: DocumentModel, issue: string | undefined): boolean =>
  issue === undefined || ((issued?.from ?? issue) <= issue && issue <= (issued?.to ?? issue));
