import { isWithinEdits } from "../../values/edit-distance.ts";
import { readNationalityWord } from "../../values/nationality-word.ts";
import { readSexWord } from "../../values/sex-word.ts";
import { editsMaxFor } from "./find-label.ts";
import type { NormaliseText } from "./normalise-text.ts";

/** Whether a text is a label of any model: such a text is never a value. */
export type IsKnownLabel = (text: string) => boolean;

/** How labels are compared, and which texts are labels of any model. */
export type LabelReader = { readonly normaliseText: NormaliseText; readonly isKnownLabel: IsKnownLabel };

/** Two letters are initials as well. */
const lettersMin = 3;

/**
 * Knows the labels of all models. The whole text must be the label, with one wrong letter in five. A word of
 * a closed list is a value: HOMBRE is one letter from NOMBRE.
 */
export const makeIsKnownLabel = (
  spellings: readonly string[],
  normaliseText: NormaliseText,
): IsKnownLabel => {
  const labels = new Set(spellings.map((spelling) => normaliseText(spelling).text));
  const byLength = Map.groupBy(
    [...labels].filter(({ length }) => length >= lettersMin),
    ({ length }) => length,
  );
  const mayBe = (length: number): readonly string[] =>
    [...byLength].flatMap(([own, known]) => (Math.abs(own - length) <= editsMaxFor(own) ? known : []));
  return (text) => {
    const written = normaliseText(text).text;
    return (
      mayBe(written.length).some((label) => isWithinEdits(written, label, editsMaxFor(label.length))) &&
      readSexWord(text) === undefined &&
      readNationalityWord(text) === undefined
    );
  };
};
