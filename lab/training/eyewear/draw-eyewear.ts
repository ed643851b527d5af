import type { Mesh } from "../../../src/judging/face/engine/mesh.ts";
import type { Image } from "../../../src/machine/imaging/image.ts";
import { distanceToLens } from "./lens.ts";
import { eyewearPlane, type Plane } from "./plane.ts";
import type { EyewearStyle } from "./style.ts";

type Pixel = [red: number, green: number, blue: number];

/**
 * Draws glasses on a face with known landmarks, rotated and foreshortened like the head. The image is copied.
 */
export const drawEyewear = (image: Image, mesh: Mesh, style: EyewearStyle): Image => {
  const plane = eyewearPlane(mesh, style);
  const data = Uint8Array.from(image.data);
  const [left, top, right, bottom] = plane.reach.map(Math.round);
  for (let y = Math.max(0, top!); y < Math.min(image.height, bottom!); y++) {
    for (let x = Math.max(0, left!); x < Math.min(image.width, right!); x++) {
      const at = 3 * (y * image.width + x);
      const pixel: Pixel = [data[at]!, data[at + 1]!, data[at + 2]!];
      paint(pixel, style, plane, x, y);
      for (let channel = 0; channel < 3; channel++) {
        data[at + channel] = Math.max(0, Math.min(255, Math.round(pixel[channel]!)));
      }
    }
  }
  return { ...image, data };
};

/** Order: shadow, the view through the lens, reflections on it, the frame. */
const paint = (pixel: Pixel, style: EyewearStyle, plane: Plane, x: number, y: number): void => {
  const [u, v] = plane.toEyewear(x, y);
  const [across, down] = [Math.abs(u) - style.centerX, v - style.centerY];
  const far = distanceToLens(style.lens, across, down);
  const soft = plane.pixel;
  castShadow(pixel, style, distanceToLens(style.lens, across, down - 0.1));
  const inside = within(-far, soft);
  if (inside > 0) {
    look(pixel, style, down, inside);
    reflect(pixel, style, u, v, inside);
  }
  const frame = Math.max(
    rimCover(style, far, across, down, soft),
    bridgeCover(style, u, v, soft),
    style.hasTemples ? plane.templeCover(x, y) : 0,
  );
  if (frame > 0) lay(pixel, frameColour(style, u, v), frame);
};

/** 0 outside, 1 inside, with a straight edge of width two `soft` between. */
const within = (distance: number, soft: number): number =>
  Math.max(0, Math.min(1, 0.5 + distance / (2 * soft)));

const lay = (pixel: Pixel, colour: readonly number[], share: number): void => {
  for (let channel = 0; channel < 3; channel++) {
    pixel[channel] = pixel[channel]! * (1 - share) + colour[channel]! * share;
  }
};

const castShadow = (pixel: Pixel, { shadow, rim }: EyewearStyle, far: number): void => {
  const strength = shadow * Math.min(1, rim.thickness / 0.08) * Math.exp(-((far / 0.12) ** 2));
  for (let channel = 0; channel < 3; channel++) {
    pixel[channel]! *= 1 - strength;
  }
};

const look = (pixel: Pixel, { passes, lens }: EyewearStyle, down: number, inside: number): void => {
  const lower = Math.max(0, Math.min(1, 0.5 + down / (2 * lens.halfHeight)));
  for (let channel = 0; channel < 3; channel++) {
    const share = passes.top[channel]! * (1 - lower) + passes.foot[channel]! * lower;
    pixel[channel]! *= 1 + (share - 1) * inside;
  }
};

const reflect = (
  pixel: Pixel,
  { mirrored, glare }: EyewearStyle,
  u: number,
  v: number,
  inside: number,
): void => {
  const upper = Math.max(0, Math.min(1, 0.7 - v));
  lay(pixel, mirrored.colour, mirrored.strength * upper * inside);
  const across = (u - Math.sign(u) - glare.at * 0.5 + glare.slope * v) / glare.width;
  lay(pixel, [250, 250, 255], glare.strength * Math.exp(-(across ** 4)) * inside);
};

const rimCover = (
  { rim, lens }: EyewearStyle,
  far: number,
  across: number,
  down: number,
  soft: number,
): number => {
  if (rim.kind === "none") {
    // A cut edge of glass is a faint line, and the screws are visible at both ends.
    const screw = Math.abs(across) > lens.halfWidth * 0.85 && Math.abs(down) < 0.1;
    return within(0.012 - Math.abs(far), soft) * (screw ? 0.9 : 0.25);
  }
  const isOpen = rim.kind === "half" && down > lens.halfHeight * 0.25;
  return within(rim.thickness / 2 - Math.abs(far - rim.thickness / 4), soft) * (isOpen ? 0.06 : 1);
};

const bridgeCover = (
  { bridgeY, centerX, lens, rim }: EyewearStyle,
  u: number,
  v: number,
  soft: number,
): number => {
  const half = centerX - lens.halfWidth * 0.8;
  const arch = bridgeY - 0.05 + 0.12 * (u / half) ** 2;
  const thickness = Math.max(0.03, rim.thickness * 0.6);
  return Math.abs(u) < half && distanceIsOutside(lens, centerX, u, v)
    ? within(thickness - Math.abs(v - arch), soft)
    : 0;
};

const distanceIsOutside = (lens: EyewearStyle["lens"], centerX: number, u: number, v: number): boolean =>
  distanceToLens(lens, Math.abs(u) - centerX, v) > 0;

const frameColour = ({ rim, lens }: EyewearStyle, u: number, v: number): Pixel => {
  const lit = rim.gloss * Math.max(0, Math.sin(5 * u + 3 * v)) ** 6 + 0.12 * (-v / lens.halfHeight);
  const spot = rim.spots * Math.max(0, Math.sin(17 * u + 3 * Math.sin(11 * v)) * Math.sin(13 * v));
  const [red, green, blue] = rim.colour.map((value) => value * (1 + 0.3 * lit) + 180 * Math.max(0, lit));
  return [red! + spot * 90, green! + spot * 50, blue! + spot * 15];
};
