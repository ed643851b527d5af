import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editDistance } from "../../values/edit-distance.ts";
import { findLabel } from "./find-label.ts";
import { normaliseText } from "./normalise-text.ts";

const find = (line: string, label: string) => {
  const found = findLabel(normaliseText(line), normaliseText(label));
  return found && { text: line.slice(found.from, found.to), edits: found.edits };
};

describe("a label in a line", () => {
  it.each([
    ["Apellidos / Surname: SOLÍS", "Apellidos", "Apellidos", 0],
    ["APELLlD0S", "Apellidos", "APELLlD0S", 0],
    ["FECHA DE NACIMENTO 01", "Fecha de nacimiento", "FECHA DE NACIMENTO", 1],
    ["SEXO F", "Sexo", "SEXO", 0],
  ])("of %s and %s is %s, with %i wrong letters", (line, label, text, edits) => {
    expect(find(line, label)).toEqual({ text, edits });
  });

  it.each([
    ["SEXOS", "Sexo"],
    ["SEXA", "Sexo"],
    ["", "Sexo"],
  ])("is not seen where a word goes on or more than one letter in five is wrong: %s, %s", (line, label) => {
    expect(find(line, label)).toBeUndefined();
  });

  it("is the sequence of words with the fewest wrong letters, equal to a full comparison of every sequence", () => {
    const word = fc.string({ unit: fc.constantFrom("A", "B", "C"), minLength: 1, maxLength: 7 });
    const words = fc.array(word, { minLength: 1, maxLength: 5 });
    const label = fc.string({ unit: fc.constantFrom("A", "B", "C"), minLength: 5, maxLength: 16 });
    fc.assert(
      fc.property(words, label, (line, sought) => {
        const runs = line.flatMap((_, from) =>
          line.slice(from).map((__, to) => line.slice(from, from + to + 1)),
        );
        const fewest = Math.min(...runs.map((run) => editDistance(run.join(""), sought)));
        const found = find(line.join(" "), sought);
        expect(found?.edits).toBe(fewest <= Math.floor(sought.length / 5) ? fewest : undefined);
      }),
      { numRuns: 1000 },
    );
  });
});
