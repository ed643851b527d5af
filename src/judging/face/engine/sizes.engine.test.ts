import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { imageOf, openFaceEngine } from "#support/face/images";
import { whitePng } from "#support/imaging/images";

const { imaging, measure } = openFaceEngine();
const { sideMin, sideMax } = defaultImagingLimits;
const wanted = { template: true, liveness: true, attributes: true } as const;
/** LONG_TESTS=1 tries more shapes. */
const isLong = process.env["LONG_TESTS"] === "1";
/** The least sides that are measured and those below, and the longest image of so many pixels. */
const edges: [number, number][] = [
  [31, 31],
  [32, 32],
  [31, 1_920],
  [1_920, 32],
  [sideMax, 244],
  [244, sideMax],
];
const portrait = await imaging.open(imageOf("franck_02159.jpg"));

describe("an image of any shape", () => {
  it("is measured, or named as too small, and breaks nothing", async () => {
    const side = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: sideMax }));
    await fc.assert(
      fc.asyncProperty(side, side, async (width, height) => {
        fc.pre(width * height <= 4_000_000);
        const { kind } = await measure(whitePng(width, height), wanted);
        const least = Math.min(width, height) * Math.min(1, 1920 / Math.max(width, height));
        expect(kind).toBe(least < 31.5 ? "unprepared" : "measured");
      }),
      { examples: edges, numRuns: edges.length + (isLong ? 40 : 15) },
    );
  });

  it("with a stretched face is measured without an error", async () => {
    const side = fc.integer({ min: 32, max: 1_900 });
    const faces: [number, number][] = [
      [32, 32],
      [32, 1_900],
      [1_900, 32],
    ];
    await fc.assert(
      fc.asyncProperty(side, side, async (width, height) => {
        const stretched = await imaging.encodeJpeg(await imaging.resize(portrait, width, height), 90);
        expect(await measure(stretched, wanted)).toMatchObject({ kind: "measured", width, height });
      }),
      { examples: faces, numRuns: faces.length + (isLong ? 12 : 5) },
    );
  });

  it("under the least side of an image names that side", async () => {
    expect(await measure(whitePng(sideMin - 1, 200), wanted)).toEqual({
      kind: "unprepared",
      code: "image_unreadable",
      facts: { width: sideMin - 1, height: 200, sideMin },
    });
  });
});
