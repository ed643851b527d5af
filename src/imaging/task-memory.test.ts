import { expect, it } from "vitest";
import type { Image } from "./image.ts";
import { makeImaging } from "./imaging.ts";
import { defaultImagingLimits } from "./limits.ts";
import { makeTaskMemory } from "./task-memory.ts";

const plain = makeImaging({ limits: defaultImagingLimits });
const drawn: Image = { width: 40, height: 30, data: new Uint8Array(40 * 30 * 3).fill(90) };
const quad = [
  [0, 0],
  [39, 0],
  [39, 29],
  [0, 29],
] as const;

it("frees all pixels of a task at its end, and leaves encoded images and images from elsewhere", async () => {
  const { noting, freeing } = makeTaskMemory();
  const imaging = noting(plain);
  const pixels: (Uint8Array | Float32Array)[] = [];
  const task = freeing(async (image: Image) => {
    const jpeg = await imaging.encodeJpeg(image, 90);
    const opened = await imaging.open(jpeg);
    const images = [
      opened,
      await imaging.resize(opened, 20, 15),
      imaging.toGrey(opened),
      imaging.crop(opened, { x: 1, y: 1, width: 9, height: 9 }),
      imaging.rotate(opened, 1),
      imaging.rectify(opened, quad, 20, 20),
      imaging.rectifyGrey(opened, quad, 20, 20),
      // An image that has the size already comes back as it is.
      await imaging.resize(opened, opened.width, opened.height),
      await imaging.resize(image, image.width, image.height),
    ];
    pixels.push(
      ...images.slice(0, -1).map(({ data }) => data),
      imaging.warpAffine(opened, [1, 0, 0, 0, 1, 0], 8, 8),
    );
    expect(pixels.every(({ length }) => length > 0)).toBe(true);
    return jpeg;
  });
  const jpeg = await task(drawn);
  expect(pixels.map(({ length }) => length)).toEqual(pixels.map(() => 0));
  expect(drawn.data).toHaveLength(40 * 30 * 3);
  expect((await plain.open(jpeg)).width).toBe(40);
});

it("frees the pixels of a task that fails", async () => {
  const { noting, freeing } = makeTaskMemory();
  const imaging = noting(plain);
  const grey: Uint8Array[] = [];
  const task = freeing(async (image: Image) => {
    grey.push(imaging.toGrey(image).data);
    throw new Error("unreadable");
  });
  await expect(task(drawn)).rejects.toThrow("unreadable");
  expect(grey.map(({ length }) => length)).toEqual([0]);
});
