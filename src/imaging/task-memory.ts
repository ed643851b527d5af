import { freeMemory } from "#contract/free-memory";
import type { Imaging } from "./image.ts";

type Pixels = Uint8Array | Float32Array;

type Task<Input, Result> = (input: Input) => Promise<Result>;

/**
 * Frees the pixels of a task when it ends. Left to the garbage collector, a few megabytes of them start a collection of the whole heap
 * every second or third face: a sixth of its processor time.
 *
 * `noting` gives an imaging that remembers what it makes, and `freeing` wraps a task of a thread that runs one at a time. No pixels of
 * that imaging may be in the result of a task or be kept for a later one. Encoded images may: they are not remembered.
 */
export const makeTaskMemory = () => {
  const made: Pixels[] = [];
  const note = <Made extends { readonly data: Uint8Array }>(image: Made): Made => {
    made.push(image.data);
    return image;
  };
  const noting = (imaging: Imaging): Imaging => ({
    ...imaging,
    open: async (bytes, options) => note(await imaging.open(bytes, options)),
    resize: async (image, width, height) => {
      const resized = await imaging.resize(image, width, height);
      return resized === image ? image : note(resized);
    },
    toGrey: (image) => note(imaging.toGrey(image)),
    crop: (image, box) => note(imaging.crop(image, box)),
    rotate: (image, quarterRotations) => note(imaging.rotate(image, quarterRotations)),
    warpAffine: (...wish) => {
      const pixels = imaging.warpAffine(...wish);
      made.push(pixels);
      return pixels;
    },
    rectify: (...wish) => note(imaging.rectify(...wish)),
    rectifyGrey: (...wish) => note(imaging.rectifyGrey(...wish)),
  });
  const freeing =
    <Input, Result>(task: Task<Input, Result>): Task<Input, Result> =>
    async (input) => {
      try {
        return await task(input);
      } finally {
        for (const pixels of made.splice(0)) freeMemory(pixels);
      }
    };
  return { noting, freeing };
};
