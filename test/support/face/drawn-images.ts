import { packFrames } from "#judging/face/engine/frames";
import type { MeasureFace } from "#judging/face/measurement";
import type { Image, Imaging } from "#machine/imaging/image";
import { altered, covered, sideBySide } from "./altered.ts";
import { imageOf, recaptured } from "./images.ts";

/** What draws an image: the decoder, and the engine that finds the face which is covered. */
export type DrawingEngine = { readonly imaging: Imaging; readonly measure: MeasureFace };

type Draw = (engine: DrawingEngine) => Promise<Uint8Array>;

const grey = (side: number): Image => ({
  width: side,
  height: side,
  data: new Uint8Array(3 * side * side).fill(128),
});

/** An image on grey ground of this height. */
const onGround = (image: Image, height: number): Image => {
  const data = new Uint8Array(3 * image.width * height).fill(128);
  data.set(image.data);
  return { width: image.width, height, data };
};

/** Two images side by side, the second one scaled. */
const beside =
  (one: string, two: string, scale: number): Draw =>
  async ({ imaging }) => {
    const [left, whole] = [await imaging.open(imageOf(one)), await imaging.open(imageOf(two))];
    const [width, height] = [whole.width, whole.height].map((side) => Math.round(side * scale));
    const right = await imaging.resize(whole, width!, height!);
    const tallest = Math.max(left.height, right.height);
    return await imaging.encodeJpeg(sideBySide(onGround(left, tallest), onGround(right, tallest)), 92);
  };

/** An image reduced by this factor, and enlarged again to its size where it shall be blurred. */
const shrunken =
  (name: string, by: number, isEnlarged: boolean): Draw =>
  async ({ imaging }) =>
    await altered(imaging, imageOf(name), async (image) => {
      const small = await imaging.resize(image, Math.round(image.width / by), Math.round(image.height / by));
      return isEnlarged ? await imaging.resize(small, image.width, image.height) : small;
    });

/** A black bar over the eyes of the face. */
const withDarkLenses =
  (name: string): Draw =>
  async ({ imaging, measure }) => {
    const measured = await measure(imageOf(name), {});
    if (measured.kind !== "measured" || measured.face === undefined) throw new Error("No face was found");
    const { x, y, width, height } = measured.face.box;
    const bar = {
      x: x + 0.08 * width,
      y: y + 0.26 * height,
      width: Math.round(0.84 * width),
      height: 0.16 * height,
    };
    return await altered(imaging, imageOf(name), (image) => covered(image, bar, [8, 8, 8]));
  };

const twice =
  (name: string): Draw =>
  async ({ imaging }) =>
    await altered(imaging, imageOf(name), (image) => sideBySide(image, image));

const frames =
  (...names: readonly string[]): Draw =>
  async () =>
    packFrames(names.map(imageOf));

/** Images that the http lane sends and that no package has, by name. */
export const drawnImages = {
  "a smaller face beside the subject": beside("cage.jpg", "franck_04035.jpg", 0.6),
  "two faces of one size": beside("cage.jpg", "franck_04035.jpg", 1),
  "one face twice": twice("franck_01829.jpg"),
  "a face on a telephone": (engine) => recaptured(engine, "franck_04035.jpg"),
  "a face far away": shrunken("cage.jpg", 12, false),
  "a face out of focus": shrunken("cage.jpg", 20, true),
  "a face with dark lenses": withDarkLenses("franck_04035.jpg"),
  "a grey wall": ({ imaging }) => imaging.encodeJpeg(grey(300), 90),
  "three frames": frames("franck_02159.jpg", "franck_04035.jpg", "franck_04117.jpg"),
  "two frames": frames("franck_04035.jpg", "franck_04117.jpg"),
} as const satisfies Readonly<Record<string, Draw>>;

export type DrawnImage = keyof typeof drawnImages;

const drawn = new Map<DrawnImage, Promise<Uint8Array>>();

/** Draws an image of a name, once for all test files of a worker. */
export const drawImage = (engine: DrawingEngine, name: DrawnImage): Promise<Uint8Array> => {
  const image = drawn.get(name) ?? drawnImages[name](engine);
  drawn.set(name, image);
  return image;
};
