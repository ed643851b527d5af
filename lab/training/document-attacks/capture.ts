import { gaussianBlur } from "../../../src/judging/document/reading/locate/gaussian-blur.ts";
import type { Image, Point, Quad } from "../../../src/machine/imaging/image.ts";
import { painted } from "../../../src/sandbox/specimen/canvas.ts";
import { drawTable, expose } from "../../../src/sandbox/specimen/photograph.ts";
import { makeSmoothNoise } from "../../../src/sandbox/specimen/smooth-noise.ts";
import { laySurface, type Surface } from "../../../src/sandbox/specimen/surface.ts";

/** A flat object that shows a page. */
export type Shown = {
  readonly surface: Surface;
  /** Width over height of the whole object. */
  readonly ratio: number;
  /** Margins around the page, as shares of the object's width and height on either side. */
  readonly margin: readonly [across: number, down: number];
};

export type Capture = {
  readonly image: Image;
  /** The page's corners in the object, upper left first. */
  readonly quad: Quad;
};

/** Phone frames in pixels, reduced to the size that services ask for. */
const frames = [
  [2016, 1512],
  [1920, 1080],
  [1600, 1200],
] as const;

/** The image of an object on a ground, from a hand-held camera under a coloured lamp. */
export const takeImage = ({ surface, ratio, margin }: Shown, random: () => number, seed: number): Capture => {
  const [width, height] = frames[Math.floor(random() * frames.length)]!;
  const scene = drawGround(width, height, random, seed);
  const outer = heldAt(scene, random, ratio);
  laySurface(scene, surface, outer);
  const place = projection(outer);
  const [across, down] = margin;
  const quad: Quad = [
    place(across, down),
    place(1 - across, down),
    place(1 - across, 1 - down),
    place(across, 1 - down),
  ];
  const warmth = random() - 0.3;
  const lamp = [1 + 0.08 * warmth, 1, 1 - 0.14 * warmth];
  const lit = painted(width, height, (x, y) => {
    const at = (y * width + x) * 3;
    return [scene.data[at]! * lamp[0]!, scene.data[at + 1]!, scene.data[at + 2]! * lamp[2]!];
  });
  // No lens or colour filter is sharper: without this blur the resampling of the drawing looks like a screen.
  const soft = gaussianBlur(lit, 0.6 + 0.7 * random());
  const image = expose(soft, {
    noise: 1 + 3.5 * random(),
    blurPx: 0,
    falloff: 0.7 + 0.3 * random(),
    seed: seed + 5,
  });
  return { image, quad };
};

/** Completely in the frame, rotated by up to six degrees, in perspective. */
const heldAt = ({ width, height }: Image, random: () => number, ratio: number): Quad => {
  const angle = 0.2 * (random() - 0.5);
  const [cos, sin] = [Math.cos(angle), Math.abs(Math.sin(angle))];
  const across = Math.min(width / (cos + sin / ratio), height / (sin + cos / ratio));
  const wide = (0.75 + 0.19 * random()) * across;
  const corner = (sideX: number, sideY: number): Point => {
    const nearer = 1 + 0.05 * (random() - 0.5);
    const [x, y] = [(sideX * wide * nearer) / 2, (sideY * wide * nearer) / ratio / 2];
    return [width / 2 + x * cos - y * Math.sin(angle), height / 2 + x * Math.sin(angle) + y * cos];
  };
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
};

/** Wood, cloth or a pale table. */
const drawGround = (width: number, height: number, random: () => number, seed: number): Image => {
  const kind = Math.floor(random() * 3);
  if (kind === 0) return drawTable(width, height, seed);
  const noise = makeSmoothNoise(seed + 3);
  const base = kind === 1 ? [40 + 80 * random(), 40 + 80 * random(), 50 + 90 * random()] : [196, 190, 182];
  const grain = kind === 1 ? 26 : 10;
  return painted(width, height, (x, y) => {
    const rough = grain * (noise(x / 3, y / 3) - 0.5) + grain * (noise(x / 160, y / 160) - 0.5);
    return [base[0]! + rough, base[1]! + rough, base[2]! + rough];
  });
};

/** Maps a position of a flat object, 0…1 across and down, into the image (Heckbert 1989, 2.2.3). */
export const projection = ([a, b, c, d]: Quad): ((u: number, v: number) => Point) => {
  const [sumX, sumY] = [a[0] - b[0] + c[0] - d[0], a[1] - b[1] + c[1] - d[1]];
  const [x1, y1, x2, y2] = [b[0] - c[0], b[1] - c[1], d[0] - c[0], d[1] - c[1]];
  const determinant = x1 * y2 - x2 * y1;
  const g = (sumX * y2 - x2 * sumY) / determinant;
  const h = (x1 * sumY - sumX * y1) / determinant;
  const along = (i: 0 | 1, u: number, v: number): number =>
    ((b[i] - a[i] + g * b[i]) * u + (d[i] - a[i] + h * d[i]) * v + a[i]) / (g * u + h * v + 1);
  return (u, v) => [along(0, u, v), along(1, u, v)];
};
