import { describe, expect, it } from "vitest";
import { corners } from "#support/document/reading";
import { judgeDocumentImage, defaultDocumentImagePolicy as policy } from "./judge-document-image.ts";

const quality = { width: 1280, height: 960, sharpness: 0.5, overexposedShare: 0.05, brightness: 120 };
const card = { corners, score: 1, outsideShare: 0, marginShare: 0.1, longSidePx: 1000, shortSidePx: 630 };
const front = { quality, card, barcodes: [], faces: 1, lines: [] };
const back = {
  ...front,
  faces: 0,
  mrz: { format: "TD1", lines: [], accepted: true, clear: true, weakestMargin: 9 },
} as const;

describe("an image of a document", () => {
  it("is accepted when its card is whole, sharp and of the side that is asked", () => {
    expect(judgeDocumentImage(front, "front", policy)).toEqual([]);
    expect(judgeDocumentImage(back, "back", policy)).toEqual([]);
  });

  it.each([
    ["too_dark", { brightness: 40 }, { brightness: 39.9 }],
    ["glare", { overexposedShare: 0.4 }, { overexposedShare: 0.41 }],
    ["blur", { sharpness: 0.15 }, { sharpness: 0.149 }],
    ["closer", { height: 720 }, { height: 719 }],
  ])("asks for %s on one side of its bound alone", (code, good, poor) => {
    expect(judgeDocumentImage({ ...front, quality: { ...quality, ...good } }, "front", policy)).toEqual([]);
    expect(judgeDocumentImage({ ...front, quality: { ...quality, ...poor } }, "front", policy)).toEqual([
      code,
    ]);
  });

  it.each([
    ["fit_frame", { outsideShare: 0.02 }, { outsideShare: 0.021 }],
    ["closer", { longSidePx: 512 }, { longSidePx: 511 }],
  ])("asks for %s by a trusted outline alone", (code, good, poor) => {
    expect(judgeDocumentImage({ ...front, card: { ...card, ...good } }, "front", policy)).toEqual([]);
    expect(judgeDocumentImage({ ...front, card: { ...card, ...poor } }, "front", policy)).toEqual([code]);
    const untrusted = { ...card, ...poor, score: 0.99 };
    expect(judgeDocumentImage({ ...front, card: untrusted }, "front", policy)).toEqual([]);
  });

  it("is no document without outline, face, MRZ, barcode and lines", () => {
    const { card: _, ...bare } = front;
    expect(judgeDocumentImage({ ...bare, faces: 0 }, "front", policy)).toEqual(["no_document"]);
  });

  it("must show the side that is asked", () => {
    expect(judgeDocumentImage(back, "front", policy)).toEqual(["wrong_side"]);
    expect(judgeDocumentImage(front, "back", policy)).toEqual(["turn_over"]);
  });
});
