import { expect, it } from "vitest";
import { chooseReferences } from "./choose-references.ts";

const imagesOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ name, path: `${name}${n + 1}` }));
const faces = [...imagesOf("a", 9), ...imagesOf("b", 3), ...imagesOf("c", 4)];
const pathsOf = (all: readonly { readonly path: string }[]) => all.map(({ path }) => path);

it.each([
  [1, [["a1"], ["c1"]]],
  [
    2,
    [
      ["a1", "a2"],
      ["c1", "c2"],
    ],
  ],
  [
    3,
    [
      ["a1", "a2", "a3"],
      ["c1", "c2", "c3"],
    ],
  ],
] as const)("takes the first %i images of each person with four or more", (count, expected) => {
  const { persons } = chooseReferences(faces, count);
  expect(persons.map(({ references }) => pathsOf(references))).toEqual(expected);
});

it("compares the same probes for every number of references, and none of them is a reference", () => {
  const probes = ["a4", "a5", "a6", "a7", "b1", "b2", "b3", "c4"];
  for (const count of [1, 2, 3]) expect(pathsOf(chooseReferences(faces, count).probes)).toEqual(probes);
});
