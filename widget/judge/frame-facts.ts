/** A region in pixels. */
export type Region = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** A small frame: RGBA by row, as a canvas gives it. */
export type SmallFrame = {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray;
};

/** Brightness of each pixel, 0 to 255 (ITU-R BT.601), and its width. */
export type GreyFrame = { readonly width: number; readonly height: number; readonly grey: Uint8Array };

export const greyOf = ({ width, height, rgba }: SmallFrame): GreyFrame => {
  const grey = new Uint8Array(width * height);
  for (let i = 0, at = 0; i < grey.length; i++, at += 4) {
    grey[i] = 0.299 * rgba[at]! + 0.587 * rgba[at + 1]! + 0.114 * rgba[at + 2]!;
  }
  return { width, height, grey };
};

/** Whole pixels of a region inside the frame. */
export const insideOf = (
  { x, y, width, height }: Region,
  frame: { readonly width: number; readonly height: number },
): Region => {
  const [left, top] = [Math.max(0, Math.round(x)), Math.max(0, Math.round(y))];
  return {
    x: left,
    y: top,
    width: Math.max(0, Math.min(frame.width, Math.round(x + width)) - left),
    height: Math.max(0, Math.min(frame.height, Math.round(y + height)) - top),
  };
};

export type LightFacts = {
  /** Median brightness. */
  readonly median: number;
  /** Share of pixels that are burnt out. */
  readonly burntShare: number;
};

/** From here a pixel has no detail left. */
const burntFrom = 250;

export const lightOf = ({ width, grey }: GreyFrame, region: Region): LightFacts => {
  const counts = new Uint32Array(256);
  for (let y = region.y; y < region.y + region.height; y++) {
    for (let x = region.x; x < region.x + region.width; x++) {
      const value = grey[y * width + x]!;
      counts[value] = counts[value]! + 1;
    }
  }
  const total = region.width * region.height;
  let [median, below] = [0, counts[0]!];
  while (below * 2 < total && median < 255) below += counts[++median]!;
  const burnt = counts.subarray(burntFrom).reduce((sum, count) => sum + count, 0);
  return { median, burntShare: total === 0 ? 0 : burnt / total };
};

/**
 * Sharpness of a region: variance of the Laplacian over the variance of the brightness, so that a dark or
 * pale frame is not called blurred. A plain region has 0.
 */
export const sharpnessOf = ({ width, grey }: GreyFrame, region: Region): number => {
  let [sum, squares, laplacian, laplacianSquares, count] = [0, 0, 0, 0, 0];
  for (let y = region.y + 1; y < region.y + region.height - 1; y++) {
    for (let x = region.x + 1; x < region.x + region.width - 1; x++) {
      const at = y * width + x;
      const value = grey[at]!;
      const edge = 4 * value - grey[at - 1]! - grey[at + 1]! - grey[at - width]! - grey[at + width]!;
      sum += value;
      squares += value * value;
      laplacian += edge;
      laplacianSquares += edge * edge;
      count++;
    }
  }
  if (count === 0) return 0;
  const variance = squares / count - (sum / count) ** 2;
  return variance < 1 ? 0 : (laplacianSquares / count - (laplacian / count) ** 2) / variance;
};

/**
 * Mean change of a region since the frame before, less the change of its mean: a light that flickers is no
 * movement.
 */
export const changeOf = (frame: GreyFrame, before: GreyFrame | undefined, region: Region): number => {
  if (before === undefined || before.grey.length !== frame.grey.length) return 0;
  let [sum, count] = [0, 0];
  const each = (act: (difference: number) => void): void => {
    for (let y = region.y; y < region.y + region.height; y++) {
      for (let x = region.x; x < region.x + region.width; x++) {
        const at = y * frame.width + x;
        act(frame.grey[at]! - before.grey[at]!);
      }
    }
  };
  each((difference) => {
    sum += difference;
    count++;
  });
  if (count === 0) return 0;
  const mean = sum / count;
  let changed = 0;
  each((difference) => {
    changed += Math.abs(difference - mean);
  });
  return changed / count;
};

/** Most colour of a frame: an infrared camera has none. Mean distance of the channels from their mean. */
export const colourOf = ({ rgba }: SmallFrame): number => {
  let sum = 0;
  for (let at = 0; at < rgba.length; at += 4) {
    const [r, g, b] = [rgba[at]!, rgba[at + 1]!, rgba[at + 2]!];
    sum += Math.max(r, g, b) - Math.min(r, g, b);
  }
  return rgba.length === 0 ? 0 : sum / (rgba.length / 4);
};
