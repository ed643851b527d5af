import { describe, expect, it } from "vitest";
import { chooseCrossPairs, choosePairs } from "./choose-pairs.ts";

const persons = ["a", "a", "a", "a", "b", "b", "c"];

describe("choosePairs", () => {
  it("takes at most four genuine pairs per identity", () => {
    const genuine = choosePairs(persons).genuine.map(([a, b]) => `${persons[a]}${persons[b]}`);
    expect(genuine.toSorted()).toEqual(["aa", "aa", "aa", "aa", "bb"]);
  });

  it("takes every impostor pair once", () => {
    const impostor = [...choosePairs(persons).impostor];
    expect(impostor).toHaveLength(4 * 2 + 4 * 1 + 2 * 1);
    expect(new Set(impostor.map(([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`)).size).toBe(14);
    expect(impostor.every(([a, b]) => persons[a] !== persons[b])).toBe(true);
  });

  it("chooses the same genuine pairs again", () => {
    expect(choosePairs(persons).genuine).toEqual(choosePairs(persons).genuine);
  });

  it("has no impostor pairs for a single identity", () => {
    expect([...choosePairs(["a", "a"]).impostor]).toEqual([]);
  });
});

describe("pairs of references and images", () => {
  const image = (person: string, n: number) => ({ path: `${person}${n}`, person });
  const images = ["a", "b", "c"].flatMap((person) => [1, 2, 3, 4, 5, 6].map((n) => image(person, n)));
  const references = [image("a", 1), image("b", 1)];

  it("are four genuine pairs per reference, none with its source image, and all impostor pairs", () => {
    const { genuine, impostor } = chooseCrossPairs(references, images);
    expect(genuine).toHaveLength(8);
    for (const [a, b] of genuine) {
      expect(images[b]!.person).toBe(references[a]!.person);
      expect(images[b]!.path).not.toBe(references[a]!.path);
    }
    expect([...impostor]).toHaveLength(2 * 12);
  });
});
