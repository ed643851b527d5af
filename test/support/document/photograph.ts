import { normalDeviate, seededRandom } from "#contract/statistics/random";
import { gaussianBlur } from "#judging/document/reading/locate/gaussian-blur";
import type { Image, Point, Quad } from "#machine/imaging/image";

/** Settings of a photograph of a drawn card. Shares refer to the size of the frame or the card. */
export type Shot = {
  readonly width: number;
  readonly height: number;
  /** Longer side of the card as a share of the maximum that fits the frame. */
  readonly share: number;
  readonly rotationDegrees: number;
  readonly tilt: number;
  readonly blurPx: number;
  readonly noise: number;
  readonly light: number;
  readonly seed: number;
};

export type Photograph = { readonly image: Image; readonly quad: Quad };

/** Backgrounds: wood, dark cloth, pale paper, tiles. */
const grounds: readonly Point3[] = [
  [120, 85, 55],
  [60, 62, 68],
  [205, 200, 190],
  [150, 160, 170],
];

type Point3 = readonly [number, number, number];

/** Photographs a card on a drawn background: seen at an angle, with uneven light, blur and sensor noise. */
export const photograph = (card: Image, shot: Shot): Photograph => {
  const random = seededRandom(shot.seed);
  const scale = Math.min((shot.width * shot.share) / card.width, (shot.height * shot.share) / card.height);
  const small = scale < 0.75 ? boxReduce(card, scale) : card;
  const quad = quadOf(card, scale, shot, random);
  const ground = drawGround(shot.width, shot.height, Math.floor(random() * grounds.length));
  paste(small, quad, ground);
  const blurred = shot.blurPx > 0 ? gaussianBlur(ground, shot.blurPx) : ground;
  return { image: expose(blurred, shot, random), quad };
};

const quadOf = (card: Image, scale: number, shot: Shot, random: () => number): Quad => {
  const angle = (shot.rotationDegrees * Math.PI) / 180;
  const bend = (): number => 1 + (random() * 2 - 1) * shot.tilt;
  const corner = (sx: number, sy: number): Point => {
    const x = ((sx * card.width) / 2) * scale * bend();
    const y = ((sy * card.height) / 2) * scale * bend();
    return [
      shot.width / 2 + x * Math.cos(angle) - y * Math.sin(angle),
      shot.height / 2 + x * Math.sin(angle) + y * Math.cos(angle),
    ];
  };
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
};

const drawGround = (width: number, height: number, kind: number): Image => {
  const base = grounds[kind]!;
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const wave =
        kind === 0
          ? 18 * Math.sin(y * 0.05 + 3 * Math.sin(x * 0.004)) + 6 * Math.sin(y * 0.31 + x * 0.01)
          : kind === 3
            ? (((x >> 6) + (y >> 6)) & 1) * 14
            : 4 * Math.sin(x * 0.01) * Math.sin(y * 0.013);
      for (let channel = 0; channel < 3; channel++) {
        data[(y * width + x) * 3 + channel] = clamp(base[channel]! + wave);
      }
    }
  }
  return { width, height, data };
};

const clamp = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));

/** Shrinks by area average, because thin lines of a shrunk card must not alias. */
const boxReduce = (image: Image, scale: number): Image => {
  const width = Math.round(image.width * scale);
  const height = Math.round(image.height * scale);
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const top = Math.floor(y / scale);
    const bottom = Math.max(top + 1, Math.min(image.height, Math.floor((y + 1) / scale)));
    for (let x = 0; x < width; x++) {
      const left = Math.floor(x / scale);
      const right = Math.max(left + 1, Math.min(image.width, Math.floor((x + 1) / scale)));
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (let v = top; v < bottom; v++) {
          for (let u = left; u < right; u++) {
            sum += image.data[(v * image.width + u) * 3 + channel]!;
          }
        }
        data[(y * width + x) * 3 + channel] = sum / ((bottom - top) * (right - left));
      }
    }
  }
  return { width, height, data };
};

/**
 * For each background pixel inside the quadrilateral, copies the card's pixel under it, bilinear (inverse of
 * Heckbert's square map).
 */
const paste = (card: Image, quad: Quad, ground: Image): void => {
  const inverse = inverseProjection(quad);
  const xs = quad.map(([x]) => x);
  const ys = quad.map(([, y]) => y);
  const yEnd = Math.min(ground.height - 1, Math.ceil(Math.max(...ys)));
  const xEnd = Math.min(ground.width - 1, Math.ceil(Math.max(...xs)));
  for (let y = Math.max(0, Math.floor(Math.min(...ys))); y <= yEnd; y++) {
    for (let x = Math.max(0, Math.floor(Math.min(...xs))); x <= xEnd; x++) {
      const [s, t] = inverse(x, y);
      if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
        sample(card, s * (card.width - 1), t * (card.height - 1), ground.data, (y * ground.width + x) * 3);
      }
    }
  }
};

const sample = (card: Image, x: number, y: number, target: Uint8Array, at: number): void => {
  const left = Math.min(card.width - 2, Math.floor(x));
  const top = Math.min(card.height - 2, Math.floor(y));
  const fx = x - left;
  const fy = y - top;
  const i = (top * card.width + left) * 3;
  const j = i + card.width * 3;
  for (let channel = 0; channel < 3; channel++) {
    const upper = card.data[i + channel]! * (1 - fx) + card.data[i + 3 + channel]! * fx;
    const lower = card.data[j + channel]! * (1 - fx) + card.data[j + 3 + channel]! * fx;
    target[at + channel] = clamp(upper * (1 - fy) + lower * fy);
  }
};

const inverseProjection = ([a, b, c, d]: Quad): ((x: number, y: number) => Point) => {
  const sx = a[0] - b[0] + c[0] - d[0];
  const sy = a[1] - b[1] + c[1] - d[1];
  const det = (b[0] - c[0]) * (d[1] - c[1]) - (d[0] - c[0]) * (b[1] - c[1]);
  const g = (sx * (d[1] - c[1]) - (d[0] - c[0]) * sy) / det;
  const h = ((b[0] - c[0]) * sy - sx * (b[1] - c[1])) / det;
  const [m0, m1, m2] = [b[0] - a[0] + g * b[0], d[0] - a[0] + h * d[0], a[0]];
  const [m3, m4, m5] = [b[1] - a[1] + g * b[1], d[1] - a[1] + h * d[1], a[1]];
  return (x, y) => {
    const p = m0 - g * x;
    const q = m1 - h * x;
    const r = m3 - g * y;
    const u = m4 - h * y;
    const w = p * u - q * r;
    return [((x - m2) * u - q * (y - m5)) / w, (p * (y - m5) - (x - m2) * r) / w];
  };
};

const expose = (image: Image, shot: Shot, random: () => number): Image => {
  const lightX = random();
  const lightY = random();
  const data = new Uint8Array(image.data.length);
  for (let y = 0; y < image.height; y++) {
    const down = y / image.height - lightY;
    for (let x = 0; x < image.width; x++) {
      const across = x / image.width - lightX;
      const light = 1 - shot.light * Math.sqrt(across * across + down * down);
      for (let channel = 0; channel < 3; channel++) {
        const i = (y * image.width + x) * 3 + channel;
        data[i] = clamp(image.data[i]! * light + normalDeviate(random) * shot.noise);
      }
    }
  }
  return { width: image.width, height: image.height, data };
};
