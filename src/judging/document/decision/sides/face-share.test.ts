import { describe, expect, it } from "vitest";
import type { Image } from "#machine/imaging/image";
import { caseOf, readingOf, sideOf } from "#support/document/reading";
import { readingSide } from "../../reading/read-side.ts";
import type { SideReading } from "../../reading/reading.ts";
import { straighten } from "../../reading/upright.ts";
import { portraitRule } from "../findings/portrait.ts";
import { faceShareOf, leastFaceShareOf, sideMax } from "./face-share.ts";

/** A front of an ID-1 card whose face is that wide on the upright side. */
const frontOf = (
  faceWidth: number,
  change: Partial<SideReading["card"]> = {},
  fileWidth = 1920,
): SideReading => {
  const { card, portrait, file, ...side } = sideOf();
  return {
    ...side,
    file: { ...file, width: fileWidth, height: fileWidth / 2 },
    card: { ...card!, longSidePx: 1000, shortSidePx: 631, ...change },
    portrait: { ...portrait!, face: { x: 10, y: 10, width: faceWidth, height: faceWidth } },
  };
};

describe("the share of a face", () => {
  it("is of the card's longer side on the image where the face was found", () => {
    expect(faceShareOf(frontOf(140))).toBeCloseTo(0.14);
    // An image of 8000 pixels is read at 2000, and a large card is cut out at 1400.
    expect(faceShareOf(frontOf(140, { longSidePx: 4000, shortSidePx: 2522 }, 8000))).toBeCloseTo(0.14);
    expect(faceShareOf(frontOf(140, { longSidePx: 1900, shortSidePx: 1198 }))).toBeCloseTo(0.1);
  });

  it("is unknown without an outline of the shape of a card", () => {
    expect(faceShareOf(frontOf(140, { score: 0.8 }))).toBeCloseTo(0.14);
    expect(faceShareOf(frontOf(140, { shortSidePx: 704 }))).toBeUndefined();
    expect(faceShareOf(frontOf(140, { shortSidePx: 560 }))).toBeUndefined();
    const { portrait: _, ...without } = frontOf(140);
    expect(faceShareOf(without)).toBeUndefined();
  });

  it.each([
    [1000, 631, 0.14],
    [631, 1000, 0.14],
    [8000, 5045, 0.1],
    [1000, 750, undefined],
    [1000, 667, undefined],
    [1000, 562, undefined],
  ] as const)(
    "is of the image without an outline, where the image is a flat card: %s × %s",
    (width, height, share) => {
      const { card: _, file, ...rest } = frontOf(140);
      const found = faceShareOf({ ...rest, file: { ...file, width, height } });
      if (share === undefined) expect(found).toBeUndefined();
      else expect(found).toBeCloseTo(share);
    },
  );

  it("is at least that of the image's longer side", () => {
    expect(leastFaceShareOf(frontOf(140, {}, 1000))).toBeCloseTo(0.14);
    expect(leastFaceShareOf(frontOf(140, {}, 8000))).toBeCloseTo(0.1);
    const { portrait: _, ...without } = frontOf(140);
    expect(leastFaceShareOf(without)).toBe(0);
  });

  it("has the sizes at which the reader works", () => {
    const sizes: number[] = [];
    const rectify = (_: Image, __: unknown, width: number, height: number): Image => {
      sizes.push(width, height);
      return { width, height, data: new Uint8Array() };
    };
    straighten({ rectify }, { width: 3000, height: 2000, data: new Uint8Array() }, [
      [0, 0],
      [3000, 0],
      [3000, 2000],
      [0, 2000],
    ]);
    expect([readingSide, Math.max(...sizes)]).toEqual([sideMax.opened, sideMax.upright]);
  });
});

// A ghost alone was taken for the portrait, and the card was approved.
describe("a face that is as small as a ghost", () => {
  const missing = (front: SideReading, type: "ID_CARD" | "PASSPORT") =>
    portraitRule(caseOf(readingOf(front), { country: "CHL", type }))[0];

  it("is no portrait of a card", () => {
    expect(missing(frontOf(67), "ID_CARD")).toMatchObject({
      holds: true,
      code: 643,
      evidence: { faceShare: 0.067, faceShareMin: 0.11 },
    });
    expect(missing(frontOf(137), "ID_CARD")).toMatchObject({ holds: false, evidence: { faces: 1 } });
  });

  it("may be one where no outline is that of a card: its size is unknown, unless the image alone shows it", () => {
    const unknown = { holds: false, evidence: { isSizeUnknown: true } };
    expect(missing(frontOf(153, { shortSidePx: 704 }), "ID_CARD")).toMatchObject(unknown);
    expect(missing(frontOf(67, { shortSidePx: 560 }), "ID_CARD")).toMatchObject(unknown);
    expect(missing(frontOf(155, { shortSidePx: 704 }), "ID_CARD")?.evidence).toEqual({ faces: 1 });
    expect(missing(frontOf(67, { shortSidePx: 704 }), "PASSPORT")?.evidence).toEqual({ faces: 1 });
  });

  it("may be the portrait of a passport, which lies open on the image", () => {
    expect(missing(frontOf(67), "PASSPORT")).toMatchObject({ holds: false });
  });
});
