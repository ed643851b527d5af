import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { figuresOf } from "#support/contract/statistics/thresholds";
import { claimSize, gradient, pngChunk, pngOf, source } from "#support/imaging/images";
import { makeImaging } from "./imaging.ts";
import { defaultImagingLimits } from "./limits.ts";

const others = await Promise.all([
  source(gradient(16, 16)).gif().toBuffer(),
  source(gradient(16, 16)).tiff().toBuffer(),
]);
const { open } = makeImaging({ limits: defaultImagingLimits });
const jpeg = await source(gradient(60, 40)).jpeg().toBuffer();

/** Whether the image is refused as too large; the pixels of these images end early, so none of them opens. */
const isTooLarge = async (bytes: Uint8Array): Promise<boolean> => {
  try {
    await open(bytes);
    return false;
  } catch (error) {
    if (error instanceof Failure) return error.code === "image_too_large";
    throw error;
  }
};

describe("the standard limits of an image", () => {
  it("are these, each with its source in limits.ts", () => {
    expect(figuresOf(defaultImagingLimits)).toEqual([
      ["bytesMax", 16_777_216],
      ["pixelsMax", 50_331_648],
      ["avifPixelsMax", 12_582_912],
      ["sideMax", 16_384],
      ["sideMin", 16],
      ["scansMax", 64],
      ["decodeSecondsMax", 10],
    ]);
  });

  it.each([
    ["PNG", (width: number, height: number) => pngOf(width, height)],
    ["JPEG", (width: number, height: number) => claimSize(jpeg, width, height)],
  ])("refuse a %s with more pixels or a longer side, and none at the limit", async (_, imageOf) => {
    const sizes = [
      [8192, 6144],
      [8193, 6144],
      [6144, 8193],
      [16_384, 3072],
      [16_384, 3073],
      [16_384, 64],
      [16_385, 64],
      [64, 16_385],
    ] as const;
    const found = [];
    for (const [width, height] of sizes) found.push(await isTooLarge(imageOf(width, height)));
    expect(found).toEqual([false, true, true, false, true, false, true, true]);
  });

  it("refuse one byte more, and none at the limit", async () => {
    const { bytesMax } = defaultImagingLimits;
    const rest = bytesMax - pngOf(64, 64, [pngChunk("teXt", Buffer.alloc(0))]).length;
    const sized = (extra: number) => pngOf(64, 64, [pngChunk("teXt", Buffer.alloc(rest + extra))]);
    expect(sized(0)).toHaveLength(bytesMax);
    expect([await isTooLarge(sized(0)), await isTooLarge(sized(1))]).toEqual([false, true]);
  });

  it("refuse one scan more, and none at the limit", async () => {
    const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
    const withScans = (count: number) =>
      Buffer.concat([
        jpeg.subarray(0, scan),
        ...Array.from({ length: count }, () => jpeg.subarray(scan, -2)),
      ]);
    const { scansMax } = defaultImagingLimits;
    expect(await isTooLarge(withScans(scansMax))).toBe(false);
    expect(await isTooLarge(withScans(scansMax + 1))).toBe(true);
  });
});

describe("a decoder", () => {
  it.each(others.map((bytes, n) => [["GIF", "TIFF"][n], bytes] as const))(
    "of %s is blocked in this process, behind the check of the first bytes",
    async (_, bytes) => {
      await expect(sharp(bytes).metadata()).rejects.toThrow(/unsupported/);
    },
  );

  it("of SVG is blocked", async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    await expect(sharp(svg).metadata()).rejects.toThrow(/unsupported/);
  });

  it("of JPEG and of PNG works", async () => {
    expect(await sharp(jpeg).metadata()).toMatchObject({ format: "jpeg" });
    expect(await sharp(pngOf(64, 64)).metadata()).toMatchObject({ format: "png" });
  });
});
