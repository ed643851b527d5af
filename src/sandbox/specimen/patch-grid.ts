import type { Image } from "#machine/imaging/image";

/**
 * A surface as a grid of places, one for each pixel of its texture: x and y in pixels of the drawing, then
 * the depth.
 */
export type PatchGrid = {
  readonly width: number;
  readonly height: number;
  /** NaN where the surface ends. */
  readonly projected: Float32Array;
  /** Neighbours further apart in depth belong to different surfaces: nothing is drawn between them. */
  readonly gapMax: number;
};

/** Draws the surface, the nearest part in front. Changes the image. */
export const drawPatch = (image: Image, grid: PatchGrid, texture: Image, light: number): void => {
  const depths = new Float32Array(image.width * image.height).fill(Number.POSITIVE_INFINITY);
  const target = { image, depths, texture, light };
  for (let row = 0; row + 1 < grid.height; row++) {
    for (let column = 0; column + 1 < grid.width; column++) {
      const first = row * grid.width + column;
      const [second, third, fourth] = [first + 1, first + grid.width, first + grid.width + 1];
      drawTriangle(target, grid, first, second, third);
      drawTriangle(target, grid, second, fourth, third);
    }
  }
};

type Target = {
  readonly image: Image;
  readonly depths: Float32Array;
  readonly texture: Image;
  readonly light: number;
};

/**
 * Colours and depths between the corners by their barycentric shares: a triangle covers a few pixels alone.
 */
const drawTriangle = (target: Target, grid: PatchGrid, a: number, b: number, c: number): void => {
  const { projected, gapMax } = grid;
  const [ax, ay, az] = [projected[3 * a]!, projected[3 * a + 1]!, projected[3 * a + 2]!];
  const [bx, by, bz] = [projected[3 * b]!, projected[3 * b + 1]!, projected[3 * b + 2]!];
  const [cx, cy, cz] = [projected[3 * c]!, projected[3 * c + 1]!, projected[3 * c + 2]!];
  const gap = Math.max(az, bz, cz) - Math.min(az, bz, cz);
  const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  // A surface seen from behind has a negative area, one beside the head is no number.
  if (!(gap < gapMax) || !(area > 1e-6)) return;
  const { width, height } = target.image;
  const right = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx)));
  const bottom = Math.min(height - 1, Math.floor(Math.max(ay, by, cy)));
  for (let y = Math.max(0, Math.ceil(Math.min(ay, by, cy))); y <= bottom; y++) {
    for (let x = Math.max(0, Math.ceil(Math.min(ax, bx, cx))); x <= right; x++) {
      const shareB = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area;
      const shareC = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area;
      const shareA = 1 - shareB - shareC;
      if (shareA < -edge || shareB < -edge || shareC < -edge) continue;
      const depth = shareA * az + shareB * bz + shareC * cz;
      const at = y * width + x;
      if (depth >= target.depths[at]!) continue;
      target.depths[at] = depth;
      paint(target, at, [a, b, c], [shareA, shareB, shareC]);
    }
  }
};

/** Rounding leaves no gap between neighbours. */
const edge = 1e-4;

const paint = (
  { image, texture, light }: Target,
  at: number,
  [a, b, c]: readonly [number, number, number],
  [shareA, shareB, shareC]: readonly [number, number, number],
): void => {
  const { data } = texture;
  for (let channel = 0; channel < 3; channel++) {
    const colour =
      shareA * data[3 * a + channel]! + shareB * data[3 * b + channel]! + shareC * data[3 * c + channel]!;
    image.data[3 * at + channel] = Math.min(255, Math.max(0, light * colour + 0.5));
  }
};
