import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { signWith } from "#support/signing/pdf/append";
import { makePdf } from "#support/signing/pdf/make-pdf";
import { openPdf } from "./open-pdf.ts";

const font = readFileSync(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"));

const chunk = (kind: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(kind), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A PNG with alpha whose data may be larger than its header states. */
const png = (width: number, height: number, data = Buffer.alloc(height * (width * 4 + 1), 0)): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const mark = Buffer.from("89504e470d0a1a0a", "hex");
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(data)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([mark, ...parts]);
};

const sign = async (bytes: Buffer, format: "png" | "jpeg" = "png") => {
  const file = await openPdf(makePdf());
  const visible = {
    pageNumber: 1,
    position: [10, 10, 110, 50],
    lines: [],
    font,
    image: { bytes, format },
  } as const;
  signWith(file, { visible });
  return Buffer.from(file.revisions()[0] ?? []).toString("latin1");
};

const refused = (reason: string) =>
  expect.objectContaining({ code: "signature_image_unreadable", facts: { reason } });

test("a PNG keeps its alpha as a mask", async () => {
  expect(await sign(png(20, 10))).toContain("/SMask");
});

/** A grey JPEG. */
const jpeg = (width: number, height: number, isProgressive = false): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: "#808080" } })
    .jpeg({ progressive: isProgressive })
    .toBuffer();

/** The JPEG with the other marker of its frame: C3, lossless, is one that viewers of PDF do not read. */
const withFrame = (bytes: Buffer, marker: number): Buffer => {
  const at = bytes.indexOf(Buffer.from("ffc0", "hex"));
  return Buffer.concat([bytes.subarray(0, at + 1), Buffer.from([marker]), bytes.subarray(at + 2)]);
};

/** The JPEG whose frame states these sides. */
const withSides = (bytes: Buffer, width: number, height: number): Buffer => {
  const changed = Buffer.from(bytes);
  const at = changed.indexOf(Buffer.from("ffc0", "hex"));
  changed.writeUInt16BE(height, at + 5);
  changed.writeUInt16BE(width, at + 7);
  return changed;
};

test.each([false, true])("a JPEG is embedded as it was sent, progressive: %s", async (isProgressive) => {
  const image = await jpeg(30, 20, isProgressive);
  const written = await sign(image, "jpeg");
  expect(written).toContain("/DCTDecode");
  expect(written).toContain(image.toString("latin1"));
  expect(written).toMatch(/\/Width 30\b/u);
  expect(written).toMatch(/\/Height 20\b/u);
});

test("a JPEG with too many pixels, or of a kind that no viewer reads, is refused", async () => {
  const image = await jpeg(30, 20);
  await expect(sign(withSides(image, 2000, 2000), "jpeg")).resolves.toContain("/DCTDecode");
  await expect(sign(withSides(image, 2001, 2000), "jpeg")).rejects.toEqual(refused("too_many_pixels"));
  await expect(sign(withSides(image, 10_001, 1), "jpeg")).rejects.toEqual(refused("too_many_pixels"));
  await expect(sign(withSides(image, 0, 20), "jpeg")).rejects.toEqual(refused("empty"));
  await expect(sign(withFrame(image, 0xc3), "jpeg")).rejects.toEqual(refused("unsupported_jpeg"));
});

test("pixels are limited before the image is decoded", async () => {
  await expect(sign(png(2001, 2000, Buffer.alloc(10)))).rejects.toEqual(refused("too_many_pixels"));
  await expect(sign(png(10_001, 1, Buffer.alloc(10)))).rejects.toEqual(refused("too_many_pixels"));
  await expect(sign(png(0, 10, Buffer.alloc(10)))).rejects.toEqual(refused("empty"));
});

test("an image that inflates to more than its header states is refused", async () => {
  await expect(sign(png(10, 10, Buffer.alloc(5_000_000)))).rejects.toEqual(refused("damaged"));
});

test.each([
  ["png", "no_png", Buffer.from("hello")],
  ["jpeg", "no_jpeg", Buffer.from("hello")],
  ["jpeg", "no_jpeg", png(2, 2)],
  ["jpeg", "cut_off", Buffer.from("ffd8ffe00004000000000000000000000000".slice(0, 12), "hex")],
  ["png", "cut_off", png(20, 10).subarray(0, 50)],
] as const)("a %s that is none is refused: %s", async (format, reason, bytes) => {
  await expect(sign(bytes, format)).rejects.toEqual(refused(reason));
});
