import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { gradient, pngChunk, source } from "#support/imaging/images";
import { makeImaging } from "../imaging.ts";
import { defaultImagingLimits } from "../limits.ts";
import { makeKeepPixels } from "./keep-pixels.ts";
import { writeOrientation } from "./orientation.ts";
import { stripImage } from "./strip-image.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });
const keepPixels = makeKeepPixels(imaging);
const secret = "Secret-of-a-person";
const formats = ["jpeg", "png", "webp", "avif"] as const;

/** An image with EXIF texts, a place, XMP and a profile of colour, and with its orientation. */
const encode = async (format: (typeof formats)[number], orientation = 1): Promise<Buffer> =>
  await source(gradient(48, 32))
    .withMetadata({
      orientation,
      exif: {
        IFD0: { Software: secret, Make: secret, ImageDescription: secret },
        IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 3230/100" },
      },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${secret}</x:xmpmeta>`)
    .withIccProfile("p3")
    .toFormat(format, format === "avif" ? { quality: 60, effort: 0 } : {})
    .toBuffer();

const pixelsOf = async (bytes: Uint8Array) => {
  const { width, height, data } = await imaging.open(bytes);
  return { width, height, data: Buffer.from(data) };
};

const holdsSecret = (bytes: Uint8Array): boolean => Buffer.from(bytes).includes(secret);

describe.each(formats)("a kept %s", (format) => {
  it("has the same pixels and colours, and nothing of its metadata", async () => {
    const sent = await encode(format);
    expect(holdsSecret(sent)).toBe(true);
    const kept = stripImage(sent)!;
    expect(holdsSecret(kept)).toBe(false);
    expect(await pixelsOf(kept)).toEqual(await pixelsOf(sent));
    const metadata = await sharp(kept).metadata();
    expect(metadata.xmp?.some((byte) => byte !== 0) ?? false).toBe(false);
    expect(metadata.icc?.length).toBe((await sharp(sent).metadata()).icc?.length);
    // Once more changes nothing.
    expect(Buffer.from(stripImage(kept)!).equals(Buffer.from(kept))).toBe(true);
  });

  it.each([1, 3, 6, 8])("is shown upright to a receiver, orientation %i", async (orientation) => {
    const sent = await encode(format, orientation);
    const kept = stripImage(sent)!;
    const shown = (bytes: Uint8Array) => sharp(bytes).autoOrient().raw().toBuffer();
    expect((await shown(kept)).equals(await shown(sent))).toBe(true);
    expect(await pixelsOf(kept)).toEqual(await pixelsOf(sent));
  });

  it("that was cut off is encoded anew or refused, and never kept with a part that was not read", async () => {
    const sent = await encode(format);
    for (const share of [0.3, 0.7, 0.95]) {
      const cut = sent.subarray(0, Math.floor(sent.length * share));
      const kept = await keepPixels({ bytes: cut }).catch(() => undefined);
      if (kept !== undefined) expect(holdsSecret(kept)).toBe(false);
    }
  });
});

describe("bytes that are no pixels", () => {
  it.each(["jpeg", "png", "webp"] as const)("go from behind the end of a %s", async (format) => {
    const sent = await encode(format);
    const kept = stripImage(Buffer.concat([sent, Buffer.from(secret)]))!;
    expect(holdsSecret(kept)).toBe(false);
    expect(await pixelsOf(kept)).toEqual(await pixelsOf(sent));
  });

  it("go from free boxes and unnamed bytes of an AVIF", async () => {
    const sent = await encode("avif");
    const box = Buffer.concat([Buffer.of(0, 0, 0, 8 + secret.length), Buffer.from(`free${secret}`)]);
    const kept = stripImage(Buffer.concat([sent, box]))!;
    expect(holdsSecret(kept)).toBe(false);
    expect(kept.length).toBe(sent.length);
    expect(await pixelsOf(kept)).toEqual(await pixelsOf(sent));
  });

  it("go from comments and every application segment of a JPEG", async () => {
    const sent = await encode("jpeg");
    for (let marker = 0xe0; marker <= 0xfe; marker++) {
      if (marker > 0xef && marker < 0xfe) continue;
      const extra = Buffer.concat([Buffer.of(0xff, marker, 0, secret.length + 2), Buffer.from(secret)]);
      const kept = stripImage(Buffer.concat([sent.subarray(0, 2), extra, sent.subarray(2)]))!;
      expect(holdsSecret(kept), `marker ${marker}`).toBe(false);
      expect(await pixelsOf(kept)).toEqual(await pixelsOf(sent));
    }
  });

  it("go from every other chunk of a PNG", async () => {
    const sent = await encode("png");
    for (const type of ["tEXt", "zTXt", "iTXt", "tIME", "prVt", "eXIf"]) {
      const extra = pngChunk(type, Buffer.from(secret));
      const kept = stripImage(Buffer.concat([sent.subarray(0, 33), extra, sent.subarray(33)]))!;
      expect(holdsSecret(kept), type).toBe(false);
    }
  });

  it("go from a progressive JPEG with several scans, and its pixels stay", async () => {
    const sent = await source(gradient(64, 64))
      .jpeg({ progressive: true })
      .withMetadata({ exif: { IFD0: { Make: secret } } })
      .toBuffer();
    const kept = stripImage(sent)!;
    expect(holdsSecret(kept)).toBe(false);
    expect(await pixelsOf(kept)).toEqual(await pixelsOf(sent));
  });
});

it("a JPEG of another form is encoded anew, without its metadata", async () => {
  const sent = await encode("jpeg");
  // Bytes between two segments, which decoders skip.
  const second = 4 + sent.readUInt16BE(4);
  const odd = Buffer.concat([sent.subarray(0, second), Buffer.from(secret), sent.subarray(second)]);
  expect(stripImage(odd)).toBeUndefined();
  const kept = await keepPixels({ bytes: odd }).catch(() => undefined);
  if (kept !== undefined) expect(holdsSecret(kept)).toBe(false);
});

it("an orientation is written as it is read", () => {
  const block = writeOrientation(6);
  expect(block.length).toBe(26);
  expect(block.readUInt16BE(18)).toBe(6);
});
