import { seededRandom } from "#contract/statistics/random";
import type { Image } from "#machine/imaging/image";
import { bilinear, type Colour } from "./canvas.ts";
import { boxBlur, cameraFrames, expose } from "./photograph.ts";
import { drawScene } from "./scene.ts";
import { makeSmoothNoise } from "./smooth-noise.ts";

const frames = [...cameraFrames, [640, 480]] as const;

/**
 * A person in front of a camera: a portrait (head and shoulders, upright, filling its image) blended into a
 * scene along a soft outline, with the chest below it, then light, blur and noise. The same seed gives the
 * same image.
 */
export const drawSelfie = (portrait: Image, seed: number): Image => {
  const random = seededRandom(seed);
  const [width, height] = frames[Math.floor(random() * frames.length)]!;
  const depthBlur = Math.floor(random() * 5);
  const sharpScene = drawScene(width, height, seed + 11);
  const scene = depthBlur === 0 ? sharpScene : boxBlur(sharpScene, depthBlur);
  const size = Math.min(width, height) * (0.55 + 0.4 * random());
  const left = (width - size) * (0.42 + 0.16 * random());
  const top = (height - size) * (0.3 + 0.6 * random());
  layPerson(scene, portrait, { left, top, size }, seed);
  return expose(scene, {
    noise: 1 + 4 * random(),
    blurPx: random() < 0.3 ? 1 : 0,
    falloff: 0.65 + 0.35 * random(),
    seed: seed + 5,
  });
};

/** Position of the square portrait in the frame, in pixels. */
export type PersonPlace = { readonly left: number; readonly top: number; readonly size: number };

/**
 * Opacity of the person at a point of the portrait, 0…1, in shares of the portrait: an egg for head and hair,
 * a neck and sloping shoulders, with soft borders. Coarse: it leaves a rim of the portrait's own background.
 */
export const personAt = (u: number, v: number): number => {
  const head = 1 - Math.hypot((u - 0.5) / 0.37, (v - 0.46) / (v < 0.46 ? 0.45 : 0.5));
  const shoulderTop = 0.8 + 0.9 * Math.max(0, Math.abs(u - 0.5) - 0.16) ** 1.4;
  const body = v - shoulderTop;
  const neck = v > 0.6 && v < 0.95 ? 0.2 - Math.abs(u - 0.5) : -1;
  return Math.min(1, Math.max(0, 0.5 + 12 * Math.max(0.5 * head, body, neck)));
};

/** Draws head and shoulders, and the clothes that continue below the portrait's border. */
const layPerson = (scene: Image, portrait: Image, place: PersonPlace, seed: number): void => {
  const { left, top, size } = place;
  const noise = makeSmoothNoise(seed + 7);
  const clothes = meanOfLowerEdge(portrait);
  for (let y = Math.max(0, Math.floor(top)); y < scene.height; y++) {
    const v = (y - top) / size;
    for (let x = 0; x < scene.width; x++) {
      const u = (x - left) / size;
      const share = personAt(u, v);
      if (share === 0) continue;
      const fold = 0.8 + 0.4 * noise(u * 9 + v * 2, v * 5);
      // The portrait's lower border must leave no straight line across the chest.
      const cloth = Math.min(1, Math.max(0, (Math.max(v, 2 * Math.abs(u - 0.5)) - 0.84) / 0.12));
      const at = (y * scene.width + x) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const seen = bilinear(portrait, u * portrait.width, v * portrait.height, channel);
        const person = seen + (clothes[channel]! * fold - seen) * cloth;
        scene.data[at + channel] = scene.data[at + channel]! * (1 - share) + person * share;
      }
    }
  }
};

const meanOfLowerEdge = ({ width, height, data }: Image): Colour => {
  const sum = [0, 0, 0];
  const from = Math.floor(0.96 * height) * width;
  const end = width * height;
  for (let i = from; i < end; i++) {
    for (let channel = 0; channel < 3; channel++) sum[channel]! += data[i * 3 + channel]!;
  }
  return [sum[0]! / (end - from), sum[1]! / (end - from), sum[2]! / (end - from)];
};
