import { type Mesh, type MeshPoint, meshIndex } from "../../../src/judging/face/engine/mesh.ts";
import type { EyewearStyle } from "./style.ts";

type Vector = readonly [number, number, number];

/** Position of the glasses in the image. */
export type Plane = {
  /**
   * From a pixel to the lens coordinates: `u` along the eyes, `v` down, in halves of the distance between the
   * eyes.
   */
  readonly toEyewear: (x: number, y: number) => readonly [u: number, v: number];
  /** Share of the pixel covered by an arm of the glasses. */
  readonly templeCover: (x: number, y: number) => number;
  /** One pixel in those units. */
  readonly pixel: number;
  /** Pixels that may change: left, top, right, bottom. */
  readonly reach: readonly [number, number, number, number];
};

/** Landmarks beside the eyes where the arms pass, at the height of the ends of the brows. */
const templeIndex = { right: 127, left: 356 } as const;
/** The arms continue behind the landmark, towards the ear. */
const templeReach = 1.12;

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const scaled = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

const middleOf = (mesh: Mesh, indices: readonly number[]): Vector => {
  const sum = indices.reduce<MeshPoint>(
    ([x, y, z], i) => {
      const point = mesh.points[i]!;
      return [x + point[0], y + point[1], z + point[2]];
    },
    [0, 0, 0],
  );
  return scaled(sum, 1 / indices.length);
};

/** Axes of the face, each of half the distance between the eyes: along the eyes, down, and to the camera. */
const axesOf = (mesh: Mesh, tilt: number) => {
  const [right, left] = [middleOf(mesh, meshIndex.rightEye), middleOf(mesh, meshIndex.leftEye)];
  const along = scaled(minus(left, right), 0.5);
  const size = Math.hypot(...along);
  const face = minus(mesh.points[meshIndex.chin]!, mesh.points[meshIndex.forehead]!);
  const upright = minus(face, scaled(along, dot(face, along) / size ** 2));
  const down = scaled(upright, size / Math.hypot(...upright));
  const [sin, cos] = [Math.sin(tilt), Math.cos(tilt)];
  const rotation = (a: Vector, b: Vector): Vector => [
    a[0] * cos + b[0] * sin,
    a[1] * cos + b[1] * sin,
    a[2] * cos + b[2] * sin,
  ];
  return {
    middle: scaled([right[0] + left[0], right[1] + left[1], right[2] + left[2]], 0.5),
    along: rotation(along, down),
    down: rotation(down, scaled(along, -1)),
    out: scaled(cross(along, down), -1 / size),
    size,
  };
};

/** Orthographic, like the depth of FaceMesh. */
export const eyewearPlane = (mesh: Mesh, style: EyewearStyle): Plane => {
  const { middle, along, down, out, size } = axesOf(mesh, style.tiltRadians);
  const depthAt = (u: number): number => style.depth - style.wrap * u * u;
  const place = (u: number, v: number): readonly [number, number] => {
    const depth = depthAt(u);
    const low = v + style.slip;
    return [
      middle[0] + u * along[0] + low * down[0] + depth * out[0],
      middle[1] + u * along[1] + low * down[1] + depth * out[1],
    ];
  };
  const area = along[0] * down[1] - along[1] * down[0];
  const toEyewear = (x: number, y: number): readonly [number, number] => {
    let [u, v] = [0, 0];
    // The wrap bends the plane slightly: three corrections converge to a hundredth of a pixel.
    for (let round = 0; round < 3; round++) {
      const depth = depthAt(u);
      const [dx, dy] = [x - middle[0] - depth * out[0], y - middle[1] - depth * out[1]];
      u = (dx * down[1] - dy * down[0]) / area;
      v = (along[0] * dy - along[1] * dx) / area - style.slip;
    }
    return [u, v];
  };
  const hinge = style.centerX + style.lens.halfWidth * 0.97;
  const hingeY = style.centerY - style.lens.halfHeight * 0.45;
  const arms = [
    { from: place(-hinge, hingeY), to: mesh.points[templeIndex.right]!, sign: -1 },
    { from: place(hinge, hingeY), to: mesh.points[templeIndex.left]!, sign: 1 },
  ].filter(({ from, to, sign }) => sign * ((to[0] - from[0]) * along[0] + (to[1] - from[1]) * along[1]) > 0);
  const half = Math.max(0.04, style.rim.thickness * 0.6) * size;
  const templeCover = (x: number, y: number): number =>
    Math.max(0, ...arms.map(({ from, to }) => half + 0.5 - distanceToArm(x, y, from, to)).map(clamp));
  const reach = 3.2 * size;
  return {
    toEyewear,
    templeCover,
    pixel: 0.5 / size,
    reach: [middle[0] - reach, middle[1] - reach, middle[0] + reach, middle[1] + reach],
  };
};

const clamp = (value: number): number => Math.max(0, Math.min(1, value));

const distanceToArm = (
  x: number,
  y: number,
  [fromX, fromY]: readonly [number, number],
  [toX, toY]: MeshPoint,
): number => {
  const [alongX, alongY] = [(toX - fromX) * templeReach, (toY - fromY) * templeReach];
  const square = Math.max(alongX ** 2 + alongY ** 2, 1e-6);
  const share = clamp(((x - fromX) * alongX + (y - fromY) * alongY) / square);
  return Math.hypot(x - fromX - share * alongX, y - fromY - share * alongY);
};
