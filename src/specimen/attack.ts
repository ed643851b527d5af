import type { Image, Quad } from "#imaging/image";
import { fill, painted, plain, rectangle, roundRectangle } from "./canvas.ts";
import { expose, lay } from "./photograph.ts";
import { makeSmoothNoise } from "./smooth-noise.ts";

/**
 * Presentation attacks on a selfie, made by code: pictures of a picture. They carry what the real ones carry (an
 * edge, a grid, glare, flatness), but they are drawings: figures on them say nothing of real attacks.
 */

/** A selfie shown on a telephone that is held before the camera: bezel, sub-pixel grid, glare, a dim room. */
export const showOnScreen = (selfie: Image, seed: number): Image => {
  const noise = makeSmoothNoise(seed);
  const scene = painted(1080, 1440, (x, y) => {
    const shade = 88 + 46 * noise(x / 300, y / 300) + 10 * noise(x / 40, y / 40);
    return [shade, shade * 0.96, shade * 0.88];
  });
  const device = drawDevice(selfie);
  const quad: Quad = [
    [148, 176],
    [918, 150],
    [944, 1290],
    [126, 1318],
  ];
  addGlare(device, seed + 1);
  lay(scene, device, quad);
  return expose(scene, { noise: 2.2, blurPx: 1, falloff: 0.9, seed });
};

/** A lamp's soft reflection across the glass, and the blue cast of a back light. */
const addGlare = (device: Image, seed: number): void => {
  const noise = makeSmoothNoise(seed);
  for (let y = 0; y < device.height; y++) {
    for (let x = 0; x < device.width; x++) {
      const away = Math.abs(x * 0.6 + y - device.height * 0.72) / 150;
      const shine = away < 1 ? 34 * noise(x / 200, y / 200) * (1 - away) : 0;
      const at = (y * device.width + x) * 3;
      device.data[at] = Math.min(255, device.data[at]! + shine);
      device.data[at + 1] = Math.min(255, device.data[at + 1]! + shine);
      device.data[at + 2] = Math.min(255, device.data[at + 2]! + shine + 6);
    }
  }
};

/** A dark telephone whose screen is lit by red, green and blue stripes of its own pitch. */
const drawDevice = (selfie: Image): Image => {
  const device = plain(1000, 1420, [24, 24, 28]);
  fill(device, [roundRectangle(6, 6, 988, 1408, 84)], [12, 12, 14]);
  const [left, top, width, height] = [44, 130, 912, 1160];
  fill(device, [rectangle(left, top, width, height)], [0, 0, 0]);
  lay(device, cutTo(selfie, width / height), [
    [left, top],
    [left + width, top],
    [left + width, top + height],
    [left, top + height],
  ]);
  for (let y = top; y < top + height; y++) {
    for (let x = left; x < left + width; x++) {
      const at = (y * device.width + x) * 3;
      const lit = x % 3;
      const row = y % 3 === 2 ? 0.62 : 1.08;
      for (let channel = 0; channel < 3; channel++) {
        const own = channel === lit ? 1.5 : 0.72;
        device.data[at + channel] = Math.min(255, 10 + device.data[at + channel]! * own * row);
      }
    }
  }
  return device;
};

/** The middle of a picture in another shape, width over height. */
const cutTo = (image: Image, ratio: number): Image => {
  const width = Math.min(image.width, Math.round(image.height * ratio));
  const height = Math.min(image.height, Math.round(image.width / ratio));
  const left = Math.floor((image.width - width) / 2);
  const top = Math.floor((image.height - height) / 2);
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * image.width + left) * 3;
    data.set(image.data.subarray(from, from + width * 3), y * width * 3);
  }
  return { width, height, data };
};
