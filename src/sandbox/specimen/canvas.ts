import type { Image, Point } from "#machine/imaging/image";

/** Red, green, blue, 0…255. */
export type Colour = readonly [number, number, number];

/** A closed ring of points in pixels; a point is filled when the rings of a shape wind around it. */
export type Ring = readonly Point[];

export const plain = (width: number, height: number, [red, green, blue]: Colour): Image => {
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < data.length; at += 3) {
    data[at] = red;
    data[at + 1] = green;
    data[at + 2] = blue;
  }
  return { width, height, data };
};

/** A new image: `paint` gives the colour of each pixel from its position. */
export const painted = (width: number, height: number, paint: (x: number, y: number) => Colour): Image => {
  const data = new Uint8ClampedArray(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [red, green, blue] = paint(x, y);
      const at = (y * width + x) * 3;
      data[at] = red;
      data[at + 1] = green;
      data[at + 2] = blue;
    }
  }
  return { width, height, data: new Uint8Array(data.buffer) };
};

/** Samples per scanline; the coverage along it is exact. */
const scans = 4;

/**
 * Fills rings with one colour, antialiased, by the non-zero winding rule. `opacity` 0…1. Draws into the
 * image: a page takes thousands of fills, and a copy for each would cost seconds.
 */
export const fill = (image: Image, rings: readonly Ring[], colour: Colour, opacity = 1): void => {
  const ys = rings.flatMap((ring) => ring.map(([, y]) => y));
  const top = Math.max(0, Math.floor(Math.min(...ys)));
  const bottom = Math.min(image.height - 1, Math.floor(Math.max(...ys)));
  const crossed = crossingsOf(rings, top, (bottom + 1 - top) * scans);
  const coverage = new Float32Array(image.width);
  for (let y = top; y <= bottom; y++) {
    coverage.fill(0);
    for (let scan = 0; scan < scans; scan++) coverScan(coverage, crossed[(y - top) * scans + scan]!);
    blendRow(image, y, coverage, colour, opacity);
  }
};

type Crossing = { readonly x: number; readonly direction: 1 | -1 };

const coverScan = (coverage: Float32Array, found: readonly Crossing[]): void => {
  const crossings = found.toSorted((one, other) => one.x - other.x);
  let winding = 0;
  for (let index = 0; index + 1 < crossings.length; index++) {
    winding += crossings[index]!.direction;
    if (winding !== 0) {
      coverSpan(coverage, crossings[index]!.x, crossings[index + 1]!.x);
    }
  }
};

/**
 * Where the rings cross each of the scans below `top`. Each edge is compared only with the scans that it can
 * cross.
 */
const crossingsOf = (
  rings: readonly Ring[],
  top: number,
  count: number,
): readonly (readonly Crossing[])[] => {
  const crossed = Array.from({ length: count }, (): Crossing[] => []);
  for (const ring of rings) {
    let [fromX, fromY] = ring[ring.length - 1]!;
    for (const [toX, toY] of ring) {
      const first = Math.max(0, Math.floor((Math.min(fromY, toY) - top) * scans) - 1);
      const last = Math.min(count - 1, Math.ceil((Math.max(fromY, toY) - top) * scans));
      for (let scan = first; scan <= last; scan++) {
        const y = top + (scan + 0.5) / scans;
        if (fromY <= y === toY <= y) continue;
        const x = fromX + ((y - fromY) * (toX - fromX)) / (toY - fromY);
        crossed[scan]!.push({ x, direction: toY > fromY ? 1 : -1 });
      }
      fromX = toX;
      fromY = toY;
    }
  }
  return crossed;
};

const coverSpan = (coverage: Float32Array, from: number, to: number): void => {
  const left = Math.max(0, from);
  const right = Math.min(coverage.length, to);
  for (let x = Math.floor(left); x < right; x++) {
    coverage[x]! += (Math.min(right, x + 1) - Math.max(left, x)) / scans;
  }
};

const blendRow = (image: Image, y: number, coverage: Float32Array, colour: Colour, opacity: number): void => {
  for (let x = 0; x < image.width; x++) {
    const share = Math.min(1, coverage[x]!) * opacity;
    if (share > 0) {
      const at = (y * image.width + x) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const below = image.data[at + channel]!;
        image.data[at + channel] = below + (colour[channel]! - below) * share + 0.5;
      }
    }
  }
};

/** The ring of an upright rectangle. */
export const rectangle = (x: number, y: number, width: number, height: number): Ring => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];

/** The ring of a rectangle with round corners. */
export const roundRectangle = (x: number, y: number, width: number, height: number, radius: number): Ring =>
  [
    { centreX: x + width - radius, centreY: y + radius, from: -90 },
    { centreX: x + width - radius, centreY: y + height - radius, from: 0 },
    { centreX: x + radius, centreY: y + height - radius, from: 90 },
    { centreX: x + radius, centreY: y + radius, from: 180 },
  ].flatMap(({ centreX, centreY, from }) =>
    [0, 15, 30, 45, 60, 75, 90].map((degrees): Point => {
      const angle = ((from + degrees) * Math.PI) / 180;
      return [centreX + radius * Math.cos(angle), centreY + radius * Math.sin(angle)];
    }),
  );

/** Bilinear value between pixels; positions beyond the image take the border's value. */
export const bilinear = ({ data, width, height }: Image, x: number, y: number, channel: number): number => {
  const left = x < 0 ? 0 : x > width - 1 ? width - 1 : x | 0;
  const top = y < 0 ? 0 : y > height - 1 ? height - 1 : y | 0;
  const right = left + 1 < width ? 3 : 0;
  const at = (top * width + left) * 3 + channel;
  const below = top + 1 < height ? at + width * 3 : at;
  const alongX = x > left ? x - left : 0;
  const alongY = y > top ? y - top : 0;
  const upper = data[at]! + alongX * (data[at + right]! - data[at]!);
  const lower = data[below]! + alongX * (data[below + right]! - data[below]!);
  return upper + alongY * (lower - upper);
};
