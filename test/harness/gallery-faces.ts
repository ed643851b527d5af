import { seededRandom } from "#contract/statistics/random";
import type { Image } from "#machine/imaging/image";
import { imaging, persons } from "./images.ts";

const longSide = 360;
/** Light positions on either axis of a drawn impostor. */
const lights = 4;

/** One image under its own light: to a network of coarse colours, another person. */
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

/** Draws impostors, none of whom exists, for a network that resolves only coarse colours. */
export const drawImpostorImages = async (count: number): Promise<readonly Uint8Array[]> => {
  const random = seededRandom(7);
  const opened = await Promise.all(Object.values(persons).map((bytes) => imaging.open(bytes)));
  const faces = await Promise.all(
    opened.map((image) => {
      const scale = longSide / Math.max(image.width, image.height);
      return imaging.resize(image, Math.round(image.width * scale), Math.round(image.height * scale));
    }),
  );
  const images: Uint8Array[] = [];
  for (let i = 0; i < count; i++) {
    images.push(await imaging.encodeJpeg(relight(faces[i % faces.length]!, random), 90));
  }
  return images;
};
