import * as fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { gradient, source } from "#support/imaging/images";
import {
  type AvifShape,
  avifOf,
  extendedWebp,
  losslessWebp,
  lossyWebp,
  movie,
} from "#support/imaging/other-files";
import { makeImaging } from "./imaging.ts";
import { defaultImagingLimits as limits } from "./limits.ts";

const { open } = makeImaging({ limits });
const image = gradient(60, 40);
const webp = await source(image).webp({ quality: 95 }).toBuffer();
const exact = await source(image).webp({ lossless: true }).toBuffer();
const avif = await source(image).avif({ quality: 90, effort: 0 }).toBuffer();
const clear = sharp({
  create: { width: 60, height: 40, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0 } },
});
const all = {
  webp,
  "lossless webp": exact,
  "clear webp": await clear.clone().webp().toBuffer(),
  "tagged webp": await source(image)
    .webp()
    .withExif({ IFD0: { Software: "x" } })
    .toBuffer(),
  avif,
  "clear avif": await clear.clone().avif({ effort: 0 }).toBuffer(),
  "tagged avif": await source(image)
    .avif({ effort: 0 })
    .withExif({ IFD0: { Software: "x" } })
    .toBuffer(),
};

const failureOf = async (bytes: Uint8Array): Promise<Pick<Failure, "code" | "facts"> | undefined> => {
  try {
    await open(bytes, { longSideMax: 256 });
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
};

const codeOf = async (bytes: Uint8Array): Promise<string> => (await failureOf(bytes))?.code ?? "opened";

const webpDefaults = { pixelsMax: limits.pixelsMax };
const avifDefaults = { pixelsMax: limits.avifPixelsMax };

describe("WebP and AVIF", () => {
  it.each(Object.entries(all))("are opened with the facts of the file: %s", async (name, bytes) => {
    const opened = await open(bytes);
    expect(opened).toMatchObject({ width: 60, height: 40, scale: 1 });
    expect(opened.data).toHaveLength(60 * 40 * 3);
    const format = name.endsWith("avif") ? "avif" : "webp";
    expect(opened.file).toMatchObject({ format, bytes: bytes.length, hasExif: name.startsWith("tagged") });
    expect(opened.file).not.toHaveProperty("jpegQuality");
    const blue = opened.data[2]!;
    expect(Math.abs(blue - (name.startsWith("clear") ? 255 : 80))).toBeLessThanOrEqual(14);
  });

  it("are opened without loss where they have none", async () => {
    expect(Buffer.from((await open(exact)).data).equals(Buffer.from(image.data))).toBe(true);
  });

  it.each([
    ["webp", (tagged: ReturnType<typeof source>) => tagged.webp()],
    ["avif", (tagged: ReturnType<typeof source>) => tagged.avif({ effort: 0 })],
  ] as const)("are rotated upright: %s", async (_, encode) => {
    for (const orientation of [3, 6]) {
      const tagged = await encode(source(image)).withMetadata({ orientation }).toBuffer();
      const opened = await open(tagged);
      expect([opened.width, opened.height]).toEqual(orientation === 6 ? [40, 60] : [60, 40]);
      // The first pixel of the file, without red, is now at the right edge.
      const right = 3 * (orientation === 6 ? opened.width - 1 : opened.width * opened.height - 1);
      expect(opened.data[right]!).toBeLessThan(25);
    }
  });

  it("are refused where they are cut, never shown in part", async () => {
    for (const whole of Object.values(all)) {
      for (const share of [0.3, 0.6, 0.9, 0.98]) {
        expect(await codeOf(whole.subarray(0, Math.floor(whole.length * share)))).toBe("image_unreadable");
      }
    }
  });

  it("are refused with several frames", async () => {
    const pages = [image, image].map((page, n) =>
      source({ ...page, data: page.data.map((value) => (n === 0 ? value : 255 - value)) })
        .png()
        .toBuffer(),
    );
    const frames = sharp(await Promise.all(pages), { join: { animated: true } });
    const animated = await frames.webp({ delay: [100, 100], loop: 0 }).toBuffer();
    const hidden = Buffer.from(animated);
    // The flag of the animation, removed: the chunks of the frames are still there.
    hidden[20]! &= ~0x02;
    for (const bytes of [animated, hidden, extendedWebp(60, 40, { flags: 0x02 })]) {
      expect(await failureOf(bytes)).toMatchObject({
        code: "image_unsupported",
        facts: { reason: "more than one frame" },
      });
    }
  });
});

describe("an AVIF", () => {
  const still: AvifShape = { width: 60, height: 40 };

  it.each<readonly [string, string, string | undefined, AvifShape]>([
    ["a sequence", "image_unsupported", "more than one frame", { ...still, boxes: [movie] }],
    ["hidden frames", "image_unsupported", "no plain still picture", { ...still, frames: 2 }],
    ["no frame", "image_unsupported", "no plain still picture", { ...still, frames: 0 }],
    ["a video's head", "image_unsupported", "no plain still picture", { ...still, isReduced: false }],
    ["a grid", "image_unsupported", "tiles", { ...still, types: ["grid", "av01", "av01"] }],
    ["an overlay", "image_unsupported", "tiles", { ...still, types: ["av01", "iovl"] }],
    ["an image of another codec", "image_unsupported", "tiles", { ...still, types: ["hvc1"] }],
    ["five images", "image_unsupported", "tiles", { ...still, types: Array<string>(5).fill("av01") }],
    ["65 items", "image_unreadable", undefined, { ...still, types: Array<string>(65).fill("av01") }],
    ["no item", "image_unreadable", undefined, { ...still, types: [] }],
  ])("with %s is refused before a decoder reads it", async (_, code, reason, shape) => {
    expect(await failureOf(avifOf(shape))).toMatchObject({ code, ...(reason && { facts: { reason } }) });
  });

  it("of four images passes the check of the header, and fails for its missing pixels alone", async () => {
    for (const count of [1, 4]) {
      const types = Array<string>(count).fill("av01");
      expect(await failureOf(avifOf({ ...still, types }))).toMatchObject({
        code: "image_unreadable",
        facts: {},
      });
    }
  });

  it.each(["heic", "heix", "avis", "mif1"])("of the brand %s is refused by its name", async (brand) => {
    expect(await failureOf(avifOf({ ...still, brand }))).toMatchObject({
      code: "image_unsupported",
      facts: { sent: brand === "avis" ? "avif-sequence" : brand === "mif1" ? "heif" : "heic" },
    });
  });
});

describe("the size that a header states", () => {
  const sideUpTo = (max: number) =>
    fc.oneof(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 3_000, max: 3_200 }),
      fc.integer({ min: Math.min(max, 16_370), max: Math.min(max, 16_400) }),
      fc.integer({ min: 1, max }),
    );

  const refusalOf = (width: number, height: number, pixelsMax: number) => {
    const { sideMax, sideMin } = limits;
    if (width * height > pixelsMax || Math.max(width, height) > sideMax) {
      return { code: "image_too_large", facts: { width, height, pixelsMax, sideMax } };
    }
    return Math.min(width, height) < sideMin
      ? { code: "image_unreadable", facts: { width, height, sideMin } }
      : undefined;
  };

  it.each([
    ["lossy WebP", 2 ** 14 - 1, lossyWebp, webpDefaults],
    ["lossless WebP", 2 ** 14, losslessWebp, webpDefaults],
    [
      "extended WebP",
      2 ** 24,
      (w: number, h: number) => extendedWebp(w, h, { inner: lossyWebp(1, 1) }),
      webpDefaults,
    ],
    ["AVIF", 2 ** 16, (width: number, height: number) => avifOf({ width, height }), avifDefaults],
  ] as const)("gets its own refusal or is decoded, in every %s", async (_, max, make, { pixelsMax }) => {
    await fc.assert(
      fc.asyncProperty(sideUpTo(max), sideUpTo(max), async (width, height) => {
        const refusal = refusalOf(width, height, pixelsMax);
        const failure = await failureOf(make(width, height));
        if (refusal === undefined) expect(["image_unreadable", undefined]).toContain(failure?.code);
        else expect(failure).toMatchObject(refusal);
      }),
      { numRuns: 200 },
    );
  });

  it("counts the pixels of the frame too, where a canvas states fewer", async () => {
    expect(await codeOf(extendedWebp(64, 64, { inner: lossyWebp(16_383, 16_383) }))).toBe("image_too_large");
  });

  it("of an AVIF is 12 megapixels at most", async () => {
    const sizes = [
      [4096, 3072],
      [4096, 3073],
    ] as const;
    const found = [];
    for (const [width, height] of sizes) found.push(await codeOf(avifOf({ width, height })));
    expect(found).toEqual(["image_unreadable", "image_too_large"]);
  });
});

describe("any change of a WebP or AVIF", () => {
  it("gives an image or a declared failure, within a second", async () => {
    const change = fc.record({
      base: fc.constantFrom(...Object.values(all)),
      edits: fc.array(
        fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.integer({ min: 0, max: 255 })),
        { maxLength: 12 },
      ),
      keep: fc.constantFrom(1, 1, 1, 0.99, 0.5),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ base, edits, keep }) => {
        const bytes = Buffer.from(base);
        for (const [place, value] of edits) bytes[Math.floor(place * bytes.length)] = value;
        const start = performance.now();
        const code = await codeOf(bytes.subarray(0, Math.ceil(keep * bytes.length)));
        expect(["opened", "image_unreadable", "image_unsupported", "image_too_large"]).toContain(code);
        expect(performance.now() - start).toBeLessThan(1000);
      }),
      { numRuns: 400 },
    );
  });

  it("is read to its end and no further, whatever the bytes are", async () => {
    const start = fc.constantFrom(webp.subarray(0, 12), avif.subarray(0, 32), avif.subarray(0, 200));
    await fc.assert(
      fc.asyncProperty(start, fc.uint8Array({ maxLength: 300 }), async (head, tail) => {
        expect(await codeOf(Buffer.concat([head, tail]))).toMatch(/^image_/);
      }),
      { numRuns: 300 },
    );
  });
});
