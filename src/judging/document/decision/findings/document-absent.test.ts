import { expect, it } from "vitest";
import { printed } from "#support/document/printed-lines";
import { caseOf, corners, readingOf, sideOf } from "#support/document/reading";
import type { SideReading } from "../../reading/reading.ts";
import { judgeDocument } from "../judge.ts";
import { findAll } from "./all-rules.ts";

const decide = (front: SideReading) => {
  const document = caseOf(readingOf(front));
  return judgeDocument(findAll(document), document.policy);
};

const { card: _card, portrait: _portrait, ...nothing } = sideOf({ faces: 0 });
const outline = {
  corners,
  score: 1.2,
  outsideShare: 0,
  marginShare: 0.12,
  longSidePx: 1500,
  shortSidePx: 1050,
};
const poor = { ...nothing.quality, width: 600, sharpness: 0.01 };
const bright = { ...nothing.quality, brightness: 160 };
const rows = (count: number) =>
  printed(...Array.from({ length: count }, (_, i) => [0.1, 0.1 * i, `Factura ${i} Total`] as const));

it.each([
  ["a QR code", { card: outline, quality: bright }],
  ["an invoice", { card: outline, lines: rows(6) }],
  ["a blank page", { card: outline, quality: bright }],
  ["a table", {}],
] as const)("finds no document in %s", (_, change) => {
  expect(decide({ ...nothing, ...change })).toMatchObject({ code: 9103, reasonCode: 647 });
});

it("finds no document before it judges the quality (647, 204)", () => {
  const { reasonCode, others } = decide({ ...nothing, lines: rows(6), quality: poor });
  expect([reasonCode, others.includes(204)]).toEqual([647, true]);
});

it.each([
  ["whose print could not be seen", { quality: poor }, 204],
  ["of which a few lines were read", { lines: rows(5) }, 657],
  ["with the words of a document", { lines: [...rows(9), ...printed([0.5, 0.9, "Date of birth"])] }, 657],
  ["that is small in the image", { card: { ...outline, longSidePx: 699 }, lines: rows(6) }, 657],
  ["that is dark, as a cover", { quality: { ...bright, brightness: 159 } }, 657],
  ["with a face", { faces: 1 }, 645],
] as const)("takes an outline %s for a document", (_, change, reasonCode) => {
  expect(decide({ ...nothing, card: outline, ...change })).toMatchObject({ code: 9103, reasonCode });
});
