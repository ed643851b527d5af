import { describe, expect, it } from "vitest";
import { altered } from "#support/face/altered";
import { imageOf, openFaceEngine } from "#support/face/images";
import { measureCompression } from "./compression.ts";

const { imaging } = openFaceEngine();
/** An image without its own compression grid. */
const fresh = await imaging
  .open(imageOf("franck_02159.jpg"))
  .then((image) => imaging.resize(image, 560, 448));
const measured = async (bytes: Uint8Array) => {
  const opened = await imaging.open(bytes);
  return measureCompression(imaging, opened)?.doubleQuantisation;
};

describe("measureCompression", () => {
  it.each([70, 80, 90])(
    "finds no pattern in an image that was compressed once, at quality %i",
    async (quality) => {
      expect(await measured(await imaging.encodeJpeg(fresh, quality))).toBeLessThan(0.35);
    },
  );

  it.each([
    [60, 80],
    [70, 90],
    [75, 85],
    [85, 92],
  ] as const)("finds the pattern of quality %i followed by %i", async (first, second) => {
    const once = await imaging.open(await imaging.encodeJpeg(fresh, first));
    expect(await measured(await imaging.encodeJpeg(once, second))).toBeGreaterThan(0.6);
  });

  it("is missing for a PNG, a downscaled image and a small image", async () => {
    expect(await measured(await imaging.encodePng(fresh))).toBeUndefined();
    const small = await altered(imaging, imageOf("franck_02159.jpg"), (image) =>
      imaging.resize(image, 160, 128),
    );
    expect(await measured(small)).toBeUndefined();
    const opened = await imaging.open(await imaging.encodeJpeg(fresh, 90));
    expect(measureCompression(imaging, { ...opened, scale: 0.5 })).toBeUndefined();
  });
});
