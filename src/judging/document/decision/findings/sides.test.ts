import { expect, it } from "vitest";
import { caseOf, mrzOf, passportLines, readingOf, sideOf } from "#support/document/reading";
import type { SideReading } from "../../reading/reading.ts";
import { decideDocument } from "../decide.ts";

const page = sideOf({ mrz: mrzOf(passportLines) });
const beside = (change: Partial<SideReading>): SideReading => {
  const { portrait: _, ...side } = sideOf({ sha256: "cd".repeat(32), faces: 0, ...change });
  return side;
};

const decide = (sentAsFront: SideReading, swapped = true) => {
  const reading = { ...readingOf(page, sentAsFront), swapped };
  const { fields, declared, now, policy } = caseOf(reading);
  const { code, reasonCode } = decideDocument({ reading, fields }, declared, now, policy).decision;
  return [code, reasonCode];
};

it("a face that was sent as the front of a page on the other image is no front (608)", () => {
  expect(decide(beside({ faces: 1 }))).toEqual([9103, 608]);
  expect(decide(beside({ otherPortraits: 1 }))).toEqual([9103, 608]);
});

it("interchanged sides are approved where the image that was sent as the front shows no face", () => {
  expect(decide(beside({}))).toEqual([9001, null]);
  // A face on an image that was sent as the back is compared with nothing.
  expect(decide(beside({ faces: 1 }), false)).toEqual([9001, null]);
});
