import type { Image, Quad } from "#machine/imaging/image";
import { bilinear } from "./canvas.ts";
import { backProjection } from "./photograph.ts";

/**
 * Colour of a point of a flat object, 0…1 across and down; written to `rgb`. False where the object has a
 * hole or ends.
 */
export type Surface = (u: number, v: number, rgb: Float64Array) => boolean;

/** Samples per pixel along each side. Few, because the sensor's own grid must interfere with a surface's. */
const samples = 2;

/**
 * Projects a flat object onto a scene, corners on `quad`, with several samples per pixel. Changes the scene.
 */
export const laySurface = (scene: Image, surface: Surface, quad: Quad): void => {
  const back = backProjection(quad, 1, 1);
  const xs = quad.map(([x]) => x);
  const ys = quad.map(([, y]) => y);
  const right = Math.min(scene.width - 1, Math.ceil(Math.max(...xs)));
  const bottom = Math.min(scene.height - 1, Math.ceil(Math.max(...ys)));
  const rgb = new Float64Array(3);
  const sum = new Float64Array(3);
  for (let y = Math.max(0, Math.floor(Math.min(...ys))); y <= bottom; y++) {
    for (let x = Math.max(0, Math.floor(Math.min(...xs))); x <= right; x++) {
      sum.fill(0);
      let inside = 0;
      for (let sample = 0; sample < samples * samples; sample++) {
        const sceneX = x + ((sample % samples) + 0.5) / samples;
        const sceneY = y + (Math.floor(sample / samples) + 0.5) / samples;
        const w = back[6] * sceneX + back[7] * sceneY + 1;
        const u = (back[0] * sceneX + back[1] * sceneY + back[2]) / w;
        const v = (back[3] * sceneX + back[4] * sceneY + back[5]) / w;
        if (u < 0 || v < 0 || u >= 1 || v >= 1 || !surface(u, v, rgb)) continue;
        inside++;
        for (let channel = 0; channel < 3; channel++) sum[channel]! += rgb[channel]!;
      }
      mix(scene, (y * scene.width + x) * 3, sum, inside);
    }
  }
};

const mix = ({ data }: Image, at: number, sum: Float64Array, inside: number): void => {
  const count = samples * samples;
  if (inside === 0) return;
  for (let channel = 0; channel < 3; channel++) {
    const value = (sum[channel]! + data[at + channel]! * (count - inside)) / count;
    data[at + channel] = Math.min(255, Math.max(0, value + 0.5));
  }
};

/** How a medium reproduces light and colour. */
export type Medium = {
  /** Light where the image is black: glass reflects, ink is grey. 0…255. */
  readonly lift: number;
  readonly gain: number;
  /** Share of the image's chroma that remains. */
  readonly chroma: number;
  readonly grid?: Grid;
  /** Centre, radius and strength of a lamp's reflection, in shares of the image. */
  readonly glare?: {
    readonly u: number;
    readonly v: number;
    readonly radius: number;
    readonly light: number;
  };
};

/** A screen's stripes of red, green and blue, or a print's dots. */
export type Grid = {
  readonly kind: "stripes" | "dots";
  /** Cells across the shown image, and down. */
  readonly across: number;
  readonly down: number;
  /** 0…1: how strongly a cell's light varies. */
  readonly depth: number;
};

/** An image as a medium shows it, cropped to the medium's shape (`ratio`, width over height). */
export const shownImage = (image: Image, medium: Medium, ratio: number): Surface => {
  const own = image.width / image.height;
  const [scaleU, scaleV] = own > ratio ? [ratio / own, 1] : [1, own / ratio];
  const { lift, gain, chroma, grid, glare } = medium;
  const cells = new Float64Array(3).fill(1);
  return (u, v, rgb) => {
    const x = (0.5 + (u - 0.5) * scaleU) * image.width;
    const y = (0.5 + (v - 0.5) * scaleV) * image.height;
    for (let channel = 0; channel < 3; channel++) rgb[channel] = bilinear(image, x, y, channel);
    const grey = 0.299 * rgb[0]! + 0.587 * rgb[1]! + 0.114 * rgb[2]!;
    const shine = glare ? glareAt(glare, u, v) : 0;
    if (grid) lightCells(grid, u, v, cells);
    for (let channel = 0; channel < 3; channel++) {
      const colour = grey + (rgb[channel]! - grey) * chroma;
      rgb[channel] = lift + gain * colour * cells[channel]! + shine;
    }
    return true;
  };
};

/** Each ink's screen of dots is rotated against the others, as printers do. */
const inks = [1, 2, 3].map((ink) => ({ cos: Math.cos(0.26 * ink), sin: Math.sin(0.26 * ink) }));

/** Writes the light of each channel's cell. */
const lightCells = ({ kind, across, down, depth }: Grid, u: number, v: number, cells: Float64Array): void => {
  const [x, y] = [u * across, v * down];
  if (kind === "dots") {
    for (let channel = 0; channel < 3; channel++) {
      const { cos, sin } = inks[channel]!;
      const [a, b] = [x * cos - y * sin, x * sin + y * cos];
      cells[channel] = 1 + depth * Math.cos(2 * Math.PI * a) * Math.cos(2 * Math.PI * b);
    }
    return;
  }
  const row = 1 + 0.5 * depth * Math.cos(2 * Math.PI * y);
  for (let channel = 0; channel < 3; channel++) {
    cells[channel] = (1 + depth * Math.cos(2 * Math.PI * (x - channel / 3))) * row;
  }
};

const glareAt = (
  { u: atU, v: atV, radius, light }: NonNullable<Medium["glare"]>,
  u: number,
  v: number,
): number => {
  const away = Math.hypot(u - atU, v - atV) / radius;
  return away < 1 ? light * (1 - away) ** 2 : 0;
};
