import type { TextLine } from "../../reading/ocr/text-line.ts";
import { findLabel } from "../viz/find-label.ts";
import type { NormaliseText } from "../viz/normalise-text.ts";
import type { DocumentModel } from "./document-model.ts";

/**
 * A model's headings in a card's lines: their number, and whether the first one, which names the country, was
 * found.
 */
export type FoundHeadings = { readonly count: number; readonly isCountryNamed: boolean };

export const findHeadings = (
  lines: readonly TextLine[],
  { identify }: DocumentModel,
  normaliseText: NormaliseText,
): FoundHeadings => {
  const normalised = lines.map(({ text }) => normaliseText(text));
  const found = identify.words.map((spellings) =>
    spellings
      .map(normaliseText)
      .some((word) => normalised.some((line) => findLabel(line, word) !== undefined)),
  );
  return { count: found.filter(Boolean).length, isCountryNamed: found[0] === true };
};

/**
 * Whether headings alone identify the model. The heading of the country must be among them: several countries
 * share names of authorities and titles of documents (Registro Nacional de las Personas).
 */
export const isNamed = ({ count, isCountryNamed }: FoundHeadings, { identify }: DocumentModel): boolean =>
  isCountryNamed && count >= identify.wordsMin;

/**
 * The country that the headings of one side name; undefined without one, or where several countries fit
 * equally.
 */
export const countryOfHeadings = (
  lines: readonly TextLine[],
  national: readonly DocumentModel[],
  normaliseText: NormaliseText,
): string | undefined => {
  const named = national
    .map((model) => ({ model, found: findHeadings(lines, model, normaliseText) }))
    .filter(({ model, found }) => isNamed(found, model))
    .sort((a, b) => b.found.count - a.found.count);
  const [best] = named;
  const isAlone = named.every(
    ({ model, found }) => model.country === best?.model.country || found.count < (best?.found.count ?? 0),
  );
  return isAlone ? best?.model.country : undefined;
};
