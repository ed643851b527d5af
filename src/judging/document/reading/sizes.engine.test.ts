import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "#contract/statistics/random";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { openReader } from "#support/document/reader";
import { whitePng } from "#support/imaging/images";

const { imaging, readSide } = await openReader();
const { sideMin, sideMax } = defaultImagingLimits;
const task = { mrz: "expected", barcodes: true, attacks: true, upright: true } as const;

/** Bars and specks: edges and marks for every reader, whatever the shape. */
const busyPng = async (width: number, height: number): Promise<Uint8Array> => {
  const random = seededRandom(width * 31 + height);
  const data = new Uint8Array(3 * width * height);
  for (let i = 0; i < width * height; i++) {
    const isBar = Math.floor((i % width) / 9) % 2 === 0;
    data.fill(random() < 0.1 ? 255 * random() : isBar ? 30 : 220, 3 * i, 3 * i + 3);
  }
  return await imaging.encodePng({ width, height, data });
};

const expectRead = async (bytes: Uint8Array, width: number, height: number): Promise<void> => {
  const side = await readSide(bytes, task);
  expect(side.quality).toMatchObject({ width, height });
  expect(side.upright?.length).toBeGreaterThan(0);
};

describe("a side of any shape is read without an error", () => {
  it.each([
    [sideMax, sideMin],
    [sideMin, sideMax],
    [sideMax, 40],
    [sideMin, sideMin],
    [sideMin + 1, 500],
  ])("where it is plain: %i x %i", async (width, height) => {
    await expectRead(whitePng(width, height), width, height);
  });

  it("where it is full of marks", { timeout: 300_000 }, async () => {
    const short = fc.oneof(fc.integer({ min: sideMin, max: 33 }), fc.integer({ min: sideMin, max: 300 }));
    const long = fc.oneof(fc.integer({ min: sideMin, max: 400 }), fc.integer({ min: sideMin, max: sideMax }));
    const edges: [number, number, boolean][] = [
      [31, 32, true],
      [32, 31, true],
      [32, sideMax, true],
      [sideMin, sideMax, false],
    ];
    await fc.assert(
      fc.asyncProperty(short, long, fc.boolean(), async (a, b, isUpright) => {
        const [width, height] = isUpright ? [a, b] : [b, a];
        await expectRead(await busyPng(width, height), width, height);
      }),
      { examples: edges, numRuns: edges.length + (process.env["LONG_TESTS"] === "1" ? 12 : 5) },
    );
  });
});
