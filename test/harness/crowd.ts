import type { Image } from "../../src/imaging/image.ts";
import { seededRandom } from "../../src/statistics/random.ts";
import { imaging, persons } from "./pictures.ts";

const longSide = 360;
/** Places on either axis between which the light of a drawn stranger changes. */
const lights = 4;

/** One picture under light of its own: to a network that sees coarse colours alone, another person. */
const relight = (image: Image, random: () => number): Image => {
  const gains = Float32Array.from({ length: lights * lights * 3 }, () => 0.25 + random());
  const gainAt = (x: number, y: number, channel: number): number => {
    const [u, v] = [(x / image.width) * (lights - 1), (y / image.height) * (lights - 1)];
    const [i, j] = [Math.min(lights - 2, Math.floor(u)), Math.min(lights - 2, Math.floor(v))];
    const at = (dx: number, dy: number) => gains[((j + dy) * lights + i + dx) * 3 + channel]!;
    const [p, q] = [u - i, v - j];
    return (at(0, 0) * (1 - p) + at(1, 0) * p) * (1 - q) + (at(0, 1) * (1 - p) + at(1, 1) * p) * q;
  };
  const data = Uint8Array.from(image.data, (value, n) => {
    const pixel = Math.floor(n / 3);
    const gain = gainAt(pixel % image.width, Math.floor(pixel / image.width), n % 3);
    return Math.min(255, value * gain);
  });
  return { ...image, data };
};

/** So many pictures of strangers, none of whom exists, for a network that sees no more than coarse colours. */
export const drawCrowd = async (count: number): Promise<readonly Uint8Array[]> => {
  const random = seededRandom(7);
  const opened = await Promise.all(Object.values(persons).map((bytes) => imaging.open(bytes)));
  const faces = await Promise.all(
    opened.map((image) => {
      const scale = longSide / Math.max(image.width, image.height);
      return imaging.resize(image, Math.round(image.width * scale), Math.round(image.height * scale));
    }),
  );
  const crowd: Uint8Array[] = [];
  for (let i = 0; i < count; i++) {
    crowd.push(await imaging.encodeJpeg(relight(faces[i % faces.length]!, random), 90));
  }
  return crowd;
};
