import type { Image, Imaging } from "../../../src/machine/imaging/image.ts";

type Random = () => number;

/** Distance between the eyes, pixels: from the smallest that the engine judges to that of a webcam. */
const eyeDistancePx = [20, 75] as const;
const jpegQuality = [35, 92] as const;

/**
 * Degrades the image like poorer cameras and files: smaller, softer, in another light, once more through
 * JPEG. Generated portraits are sharper and better lit than real captures.
 */
export const worsen = async (
  imaging: Imaging,
  image: Image,
  eyesApartPx: number,
  random: Random,
): Promise<Image> => {
  const wanted = eyeDistancePx[0] * (eyeDistancePx[1] / eyeDistancePx[0]) ** random();
  const scale = Math.min(1, wanted / eyesApartPx);
  const soft = 1 + 0.7 * random() ** 2;
  const sized = (share: number) => [
    Math.max(48, Math.round(image.width * share)),
    Math.max(48, Math.round(image.height * share)),
  ];
  const [smallWidth, smallHeight] = sized(scale / soft);
  const [width, height] = sized(scale);
  const small = await imaging.resize(image, smallWidth!, smallHeight!);
  const lit = relight(await imaging.resize(small, width!, height!), random);
  const quality = Math.round(jpegQuality[0] + (jpegQuality[1] - jpegQuality[0]) * random());
  return imaging.open(await imaging.encodeJpeg(lit, quality));
};

/** Gamma, gain and colour cast; one image in ten is grey. */
const relight = (image: Image, random: Random): Image => {
  const gamma = 0.75 + 0.6 * random();
  const gain = 0.75 + 0.5 * random();
  const cast = [0, 1, 2].map(() => gain * (0.9 + 0.2 * random()));
  const isGrey = random() < 0.1;
  const curve = cast.map((by) =>
    Uint8Array.from({ length: 256 }, (_, value) => Math.min(255, 255 * by * (value / 255) ** gamma)),
  );
  const data = image.data.map((value, i) => curve[i % 3]![value]!);
  if (isGrey) {
    for (let i = 0; i < data.length; i += 3) {
      const grey = Math.round(0.299 * data[i]! + 0.587 * data[i + 1]! + 0.114 * data[i + 2]!);
      data.fill(grey, i, i + 3);
    }
  }
  return { ...image, data };
};
