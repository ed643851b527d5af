import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Box, Image, Imaging } from "#machine/imaging/image";

const require = createRequire(import.meta.url);

/** A group photograph of the package face-api, read from its npm folder; numbers 1 to 6. */
export const groupPhotograph = (number: number): Uint8Array => {
  const folder = path.dirname(require.resolve("@vladmandic/face-api/package.json"));
  return readFileSync(path.join(folder, "demo", `sample${number}.jpg`));
};

/** A JPEG of an image changed by `change`. */
export const altered = async (
  imaging: Imaging,
  bytes: Uint8Array,
  change: (image: Image) => Image | Promise<Image>,
): Promise<Uint8Array> => imaging.encodeJpeg(await change(await imaging.open(bytes)), 92);

/** One colour over a part of an image. */
export const covered = (image: Image, { x, y, width, height }: Box, colour: readonly number[]): Image => {
  const data = Uint8Array.from(image.data);
  for (let row = Math.round(y); row < y + height; row++) {
    for (let column = Math.round(x); column < x + width; column++) {
      data.set(colour, (row * image.width + column) * 3);
    }
  }
  return { width: image.width, height: image.height, data };
};

/** Two images of one height side by side. */
export const sideBySide = (left: Image, right: Image): Image => {
  const width = left.width + right.width;
  const data = new Uint8Array(width * left.height * 3);
  for (let row = 0; row < left.height; row++) {
    data.set(left.data.subarray(row * left.width * 3, (row + 1) * left.width * 3), row * width * 3);
    data.set(
      right.data.subarray(row * right.width * 3, (row + 1) * right.width * 3),
      (row * width + left.width) * 3,
    );
  }
  return { width, height: left.height, data };
};
