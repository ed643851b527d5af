import * as fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { exampleImage } from "#contract/example";
import { Failure } from "#contract/failure";
import { claimSize, gradient, pngChunk, pngOf, source } from "#support/imaging/images";
import type { OpenedImage, OpenOptions } from "./image.ts";
import { makeImaging } from "./imaging.ts";
import { defaultImagingLimits } from "./limits.ts";

const limits = { ...defaultImagingLimits, bytesMax: 200_000, pixelsMax: 4_000_000, sideMax: 3_000 };
const { open } = makeImaging({ limits });
const image = gradient(60, 40);
const jpeg = await source(image).jpeg({ quality: 90 }).toBuffer();
const png = await source(image).png().toBuffer();

/** The code of the declared failure; any other error fails the test. */
const codeOf = async (bytes: Uint8Array, options?: OpenOptions): Promise<string> => {
  try {
    await open(bytes, options);
    return "opened";
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
};

const pixel = ({ width, data }: OpenedImage, x: number, y: number): readonly number[] =>
  Array.from(data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3));

const expectNear = (found: readonly number[], expected: readonly number[], tolerance: number): void => {
  for (const [channel, value] of expected.entries()) {
    expect(Math.abs(found[channel]! - value)).toBeLessThanOrEqual(tolerance);
  }
};

describe("open", () => {
  it("opens the example image of the specification", async () => {
    expect(await open(Buffer.from(exampleImage, "base64"))).toMatchObject({ width: 64, height: 64 });
  });

  it("returns upright interleaved RGB with the facts of the file", async () => {
    const opened = await open(jpeg);
    expect(opened).toMatchObject({ width: 60, height: 40, scale: 1 });
    expect(opened.data).toHaveLength(60 * 40 * 3);
    expect(opened.file).toEqual({
      format: "jpeg",
      bytes: jpeg.length,
      width: 60,
      height: 40,
      hasExif: false,
      jpegQuality: 90,
      // Annex K.1 of T.81 times .2, as quality 90 scales it, in zigzag order.
      jpegSteps: expect.arrayContaining([3, 2, 3, 24]),
    });
    expectNear(pixel(opened, 59, 0), [255, 0, 80], 12);
    expectNear(pixel(opened, 0, 39), [0, 255, 80], 12);
  });

  it("opens a PNG without loss", async () => {
    const opened = await open(png);
    expect(Buffer.from(opened.data).equals(Buffer.from(image.data))).toBe(true);
    expect(opened.file).not.toHaveProperty("jpegQuality");
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])("rotates EXIF orientation %i upright", async (orientation) => {
    const tagged = await source(image).jpeg({ quality: 95 }).withMetadata({ orientation }).toBuffer();
    const opened = await open(tagged);
    const isRotated = orientation >= 5;
    expect([opened.width, opened.height]).toEqual(isRotated ? [40, 60] : [60, 40]);
    expect([opened.file.width, opened.file.height]).toEqual([opened.width, opened.height]);
    // Expected position of the stored top-left pixel (red 0, green 0) (Exif 2.32, tag 0x0112).
    const right = [2, 3, 6, 7].includes(orientation);
    const bottom = [3, 4, 7, 8].includes(orientation);
    expectNear(pixel(opened, right ? opened.width - 1 : 0, bottom ? opened.height - 1 : 0), [0, 0, 80], 14);
  });

  it("reads software and camera from EXIF", async () => {
    const exif = { IFD0: { Software: "Pixel Studio 3", Make: "ACME", Model: "One" } };
    const { file } = await open(await source(image).jpeg().withExif(exif).toBuffer());
    expect(file).toMatchObject({ hasExif: true, exifSoftware: "Pixel Studio 3", exifCamera: "ACME One" });
  });

  it.each([
    ["CMYK JPEG", source(image).toColourspace("cmyk").jpeg({ quality: 95 }), 40],
    ["16-bit PNG", source(image).toColourspace("rgb16").png(), 1],
    ["palette PNG", source(image).png({ palette: true }), 40],
    ["progressive JPEG", source(image).jpeg({ progressive: true, quality: 95 }), 14],
  ] as const)("opens %s as eight-bit sRGB", async (_what, made, tolerance) => {
    const opened = await open(await made.toBuffer());
    expect(opened.data).toHaveLength(60 * 40 * 3);
    expectNear(pixel(opened, 30, 20), [130, 131, 80], tolerance);
  });

  it("opens grey as three equal channels", async () => {
    const opened = await open(await source(image).greyscale().jpeg().toBuffer());
    const [red, green, blue] = pixel(opened, 30, 20);
    expect([green, blue]).toEqual([red, red]);
  });

  it("puts a background under transparency", async () => {
    const clear = await sharp({
      create: { width: 16, height: 16, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0 } },
    })
      .png()
      .toBuffer();
    expect(pixel(await open(clear), 4, 4)).toEqual([255, 255, 255]);
    expect(pixel(await open(clear, { background: "#204060" }), 4, 4)).toEqual([32, 64, 96]);
  });

  it("shrinks to longSideMax and enlarges to longSideMin, and reports the scale", async () => {
    const large = await source(gradient(1200, 600)).jpeg().toBuffer();
    expect(await open(large, { longSideMax: 300 })).toMatchObject({ width: 300, height: 150, scale: 0.25 });
    expect(await open(jpeg, { longSideMin: 120 })).toMatchObject({ width: 120, height: 80, scale: 2 });
    expect(await open(jpeg, { longSideMin: 50, longSideMax: 100 })).toMatchObject({ width: 60, scale: 1 });
  });

  it("shrinks a rotated image by its upright sides", async () => {
    const tagged = await source(gradient(1200, 600)).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect(await open(tagged, { longSideMax: 300 })).toMatchObject({ width: 150, height: 300, scale: 0.25 });
  });

  it.each([
    ["GIF", Buffer.from("GIF89a\x01\0\x01\0\0\0\0"), "gif"],
    ["PDF", Buffer.from("%PDF-1.7\n%\xff\xff\xff\xff\n"), "pdf"],
    ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), "svg"],
    ["HEIC", Buffer.from("\0\0\0\x18ftypheic"), "heic"],
    ["HEIF", Buffer.from("\0\0\0\x18ftypmsf1"), "heif"],
    ["TIFF", Buffer.from("II*\0\x08\0\0\0"), "tiff"],
  ])("refuses %s before a decoder reads it, and names it", async (_what, bytes, sent) => {
    await expect(open(bytes)).rejects.toMatchObject({ code: "image_unsupported", facts: { sent } });
  });

  it("refuses an animated PNG, because the verified frame would be ambiguous", async () => {
    const control = Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]);
    expect(await codeOf(pngOf(4, 4, [pngChunk("acTL", control)]))).toBe("image_unsupported");
  });

  it("refuses an arithmetic JPEG, whose decode has no limit of time", async () => {
    for (const marker of [0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]) {
      const arithmetic = Buffer.from(jpeg);
      arithmetic[arithmetic.indexOf(Buffer.from([0xff, 0xc0])) + 1] = marker;
      await expect(open(arithmetic)).rejects.toMatchObject({
        code: "image_unsupported",
        facts: { reason: "arithmetic coding" },
      });
    }
  });

  it("refuses an image bomb quickly, by its header", async () => {
    const start = performance.now();
    expect(await codeOf(pngOf(50_000, 50_000))).toBe("image_too_large");
    expect(await codeOf(claimSize(jpeg, 60_000, 60_000))).toBe("image_too_large");
    expect(await codeOf(claimSize(jpeg, 65_535, 65_535))).toBe("image_too_large");
    expect(await codeOf(pngOf(3_001, 1))).toBe("image_too_large");
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it("refuses too many bytes and too many scans", async () => {
    expect(await codeOf(Buffer.concat([jpeg, Buffer.alloc(200_000)]))).toBe("image_too_large");
    const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
    const scans = Array.from({ length: 65 }, () => jpeg.subarray(scan, -2));
    expect(await codeOf(Buffer.concat([jpeg.subarray(0, scan), ...scans]).subarray(0, 199_000))).toBe(
      "image_too_large",
    );
  });

  it("refuses a truncated file that a viewer would show half grey", async () => {
    for (const whole of [jpeg, png]) {
      for (const share of [0.3, 0.6, 0.9, 0.98]) {
        expect(await codeOf(whole.subarray(0, Math.floor(whole.length * share)))).toBe("image_unreadable");
      }
    }
    expect(await codeOf(new Uint8Array())).toBe("image_unreadable");
    expect(await codeOf(pngOf(0, 10))).toBe("image_unreadable");
  });

  it("returns an image or a declared failure for any mutation of an image, within a second", async () => {
    const exif = await source(image)
      .jpeg()
      .withExif({ IFD0: { Software: "x" } })
      .toBuffer();
    const mutation = fc.record({
      base: fc.constantFrom(jpeg, png, exif),
      edits: fc.array(
        fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.integer({ min: 0, max: 255 })),
        {
          maxLength: 12,
        },
      ),
      keep: fc.double({ min: 0.01, max: 1, noNaN: true }),
      longSideMax: fc.constantFrom(undefined, 16, 500),
    });
    await fc.assert(
      fc.asyncProperty(mutation, async ({ base, edits, keep, longSideMax }) => {
        const bytes = Buffer.from(base);
        for (const [place, value] of edits) bytes[Math.floor(place * bytes.length)] = value;
        const start = performance.now();
        const code = await codeOf(
          bytes.subarray(0, Math.ceil(keep * bytes.length)),
          longSideMax === undefined ? {} : { longSideMax },
        );
        expect(["opened", "image_unreadable", "image_unsupported", "image_too_large"]).toContain(code);
        expect(performance.now() - start).toBeLessThan(1000);
      }),
      { numRuns: 400 },
    );
  });
});
