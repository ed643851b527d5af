import { describe, expect, it } from "vitest";
import { choosePairs } from "./measure.ts";

const persons = ["a", "a", "a", "a", "b", "b", "c"];

describe("choosePairs", () => {
  it("takes at most four genuine pairs a person", () => {
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

  it("has no impostors of one person", () => {
    expect([...choosePairs(["a", "a"]).impostor]).toEqual([]);
  });
});
