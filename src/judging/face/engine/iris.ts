import type { Image, Imaging, Point } from "#machine/imaging/image";
import type { Network } from "#machine/networks/model";
import { applyAffine, distance, squareWindow } from "./geometry.ts";
import { flat, type Mesh, meshIndex } from "./mesh.ts";

/**
 * One eye. `openness` = mean lid distance over eye width: .14-.29 open, under .12 closed or looking down
 * (docs/measurements/attributes.md).
 */
export type Eye = { readonly openness: number; readonly irisCenter: Point; readonly irisDiameterPx: number };

const side = 64;
const contourPoints = 71;
const windowScale = 2.3;

/** Runs the iris network on both eyes; the person's right eye (left in the image) first. */
export const makeReadEyes = (imaging: Imaging, iris: Network) => {
  const readEye = async (image: Image, outer: Point, inner: Point, mirrored: boolean): Promise<Eye> => {
    const center: Point = [(outer[0] + inner[0]) / 2, (outer[1] + inner[1]) / 2];
    const [from, to] = mirrored ? [inner, outer] : [outer, inner];
    const radians = Math.atan2(to[1] - from[1], to[0] - from[0]);
    const matrix = squareWindow(center, windowScale * distance(outer, inner), radians, side);
    const input = imaging.warpAffine(image, matrix, side, side);
    if (mirrored) mirror(input, side);
    for (let i = 0; i < input.length; i++) {
      input[i]! /= 255;
    }
    const outputs = await iris.run({ data: input, dims: [1, side, side, 3] });
    const values = irisValues(Object.values(outputs).map(({ data }) => data));
    const point = (i: number): Point => {
      const u = values[3 * i]!;
      return applyAffine(matrix, mirrored ? side - 1 - u : u, values[3 * i + 1]!);
    };
    return eyeOf(point);
  };
  return async (image: Image, mesh: Mesh): Promise<readonly [right: Eye, left: Eye]> => {
    const at = (i: number): Point => flat(mesh.points[i]!);
    const [outerRight, innerRight] = meshIndex.rightEyeCorners;
    const [innerLeft, outerLeft] = meshIndex.leftEyeCorners;
    const right = await readEye(image, at(outerRight), at(innerRight), false);
    const left = await readEye(image, at(outerLeft), at(innerLeft), true);
    return [right, left];
  };
};

/** The network returns the eye contour and the iris as one vector of 76 points, or as two of 71 and 5. */
const irisValues = (outputs: readonly Float32Array[]): Float32Array => {
  const joined = new Float32Array(3 * (contourPoints + 5));
  const total = outputs.reduce((sum, { length }) => sum + length, 0);
  if (total !== joined.length) {
    throw new Error(`the iris network gave ${total} values, expected ${joined.length}`);
  }
  let at = 0;
  for (const values of outputs.toSorted((a, b) => b.length - a.length)) {
    joined.set(values, at);
    at += values.length;
  }
  return joined;
};

/**
 * Contour: 0 and 8 are the corners, 1-7 the lower lid, 9-15 the upper lid; 71 the iris centre, 72-75 its rim.
 */
const eyeOf = (point: (i: number) => Point): Eye => {
  let gap = 0;
  for (let i = 0; i < 7; i++) {
    gap += distance(point(9 + i), point(1 + i));
  }
  return {
    openness: gap / 7 / distance(point(0), point(8)),
    irisCenter: point(contourPoints),
    irisDiameterPx: (distance(point(72), point(74)) + distance(point(73), point(75))) / 2,
  };
};

/**
 * Mirrors an interleaved square of three channels left to right, in place: a copy of a face would need half a
 * megabyte.
 */
export const mirror = (pixels: Float32Array, size: number): void => {
  for (let y = 0; y < size; y++) {
    let left = y * size * 3;
    let right = left + (size - 1) * 3;
    for (; left < right; left += 3, right -= 3) {
      for (let channel = 0; channel < 3; channel++) {
        const kept = pixels[left + channel]!;
        pixels[left + channel] = pixels[right + channel]!;
        pixels[right + channel] = kept;
      }
    }
  }
};
