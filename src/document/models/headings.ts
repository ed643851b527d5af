import { findLabel } from "../print/find-label.ts";
import type { LettersOf } from "../print/letters.ts";
import type { TextLine } from "../text/text-line.ts";
import type { DocumentModel } from "./document-model.ts";

/** A model's headings in a card's lines: how many stand there, and whether the first, which names the country, does. */
export type FoundHeadings = { readonly count: number; readonly isCountryNamed: boolean };

export const findHeadings = (
  lines: readonly TextLine[],
  { identify }: DocumentModel,
  lettersOf: LettersOf,
): FoundHeadings => {
  const letters = lines.map(({ text }) => lettersOf(text));
  const found = identify.words.map((spellings) =>
    spellings.map(lettersOf).some((word) => letters.some((line) => findLabel(line, word) !== undefined)),
  );
  return { count: found.filter(Boolean).length, isCountryNamed: found[0] === true };
};

/**
 * Whether headings alone tell the model. The country's own must be among them: authorities and titles of documents are
 * alike in several (Registro Nacional de las Personas).
 */
export const isNamed = ({ count, isCountryNamed }: FoundHeadings, { identify }: DocumentModel): boolean =>
  isCountryNamed && count >= identify.wordsMin;

/** The country that the headings of one side name; undefined where they name none or several equally. */
export const countryOfHeadings = (
  lines: readonly TextLine[],
  national: readonly DocumentModel[],
  lettersOf: LettersOf,
): string | undefined => {
  const named = national
    .map((model) => ({ model, found: findHeadings(lines, model, lettersOf) }))
    .filter(({ model, found }) => isNamed(found, model))
    .sort((a, b) => b.found.count - a.found.count);
  const [best] = named;
  const isAlone = named.every(
    ({ model, found }) => model.country === best?.model.country || found.count < (best?.found.count ?? 0),
  );
  return isAlone ? best?.model.country : undefined;
};
