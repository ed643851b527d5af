import { expect, it } from "vitest";
import { linksMax, planSegments } from "./plan-segments.ts";

it("an operation without entries needs no links", () => {
  expect(planSegments({ own: [], anchors: [5], head: 9 })).toEqual([]);
});

it("the links lead to the head up to the limit, and beyond it to the first anchor after the last entry", () => {
  const own = [10, 12];
  const anchors = [11, 40, 90];
  const head = 9 + linksMax;
  expect(planSegments({ own, anchors, head })).toEqual([{ from: 10, through: head, end: "head" }]);
  expect(planSegments({ own, anchors, head: head + 1 })).toEqual([{ from: 10, through: 40, end: "anchor" }]);
});

it("an anchor counts that stamps the last entry itself", () => {
  expect(planSegments({ own: [10, 12], anchors: [12], head: 100 }, 5)).toEqual([
    { from: 10, through: 12, end: "anchor" },
  ]);
});

it("entries that are far from each other lead each to its own anchor", () => {
  const places = { own: [10, 11, 500, 900], anchors: [12, 502], head: 10_000 };
  expect(planSegments(places, 20)).toEqual([
    { from: 10, through: 12, end: "anchor" },
    { from: 500, through: 502, end: "anchor" },
    { from: 900, through: 900, end: "entry" },
  ]);
});

it("an anchor at the limit is reached, and one link farther it is not", () => {
  const planned = (anchor: number) => planSegments({ own: [10, 500], anchors: [anchor], head: 10_000 }, 6);
  // Two of the six links are the entries themselves.
  expect(planned(14)[0]).toEqual({ from: 10, through: 14, end: "anchor" });
  expect(planned(15)[0]).toEqual({ from: 10, through: 10, end: "entry" });
});
