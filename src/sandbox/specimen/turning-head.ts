import type { Image } from "#machine/imaging/image";
import type { Colour } from "./canvas.ts";
import type { FaceScan } from "./face-scan.ts";
import { drawPatch, type PatchGrid } from "./patch-grid.ts";
import type { Vector } from "./solid.ts";

/** What is before the camera: the head itself, or a print of it. A bent print lies around an upright can. */
export const headKinds = ["head", "flat", "bent", "folded"] as const;
export type HeadKind = (typeof headKinds)[number];

/** One frame of a capture. Angles in degrees. */
export type HeadPose = {
  /** Positive to the left of the person, which is right in the image. */
  readonly yaw: number;
  /** Positive downwards. */
  readonly pitch: number;
  readonly roll?: number;
  readonly distanceCm?: number;
  /** How far the middle of the thing is from the middle of the image: right and down. */
  readonly shiftCm?: readonly [right: number, down: number];
};

export type HeadFrame = {
  readonly width: number;
  readonly height: number;
  /** The wall behind: its colour at a place, in shares of the frame. */
  readonly wall: (u: number, v: number) => Colour;
  /** Factor of all light on the thing. */
  readonly light?: number;
};

/** Radius of the can, and the angle of each half of a sheet that is folded along the nose. */
const bendRadiusCm = 8;
const foldDegrees = 25;
/** A front camera: 55° across the short side of its frame. */
const focalShare = 0.97;
/** A head turns about the neck, a sheet about its own middle. */
const neckCm = -8;
const usualDistanceCm = 45;

/**
 * Draws a scanned head, or a print of it, as a camera sees it at a pose. The same arguments give the same
 * image.
 */
export const drawTurningHead = (scan: FaceScan, kind: HeadKind, pose: HeadPose, frame: HeadFrame): Image => {
  const { width, height } = frame;
  const image = wallOf(frame);
  const focal = focalShare * Math.min(width, height);
  const place = placing(pose, kind === "head" ? neckCm : 0);
  const distance = pose.distanceCm ?? usualDistanceCm;
  const grid = gridOf(scan, kind, ([x, y, z]) => {
    const [right, down, near] = place([x, y, z]);
    const depth = distance - near;
    return [width / 2 + (focal * right) / depth, 0.46 * height + (focal * down) / depth, depth];
  });
  drawPatch(image, grid, scan.portrait, frame.light ?? 1);
  return image;
};

const wallOf = ({ width, height, wall }: HeadFrame): Image => {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [red, green, blue] = wall(x / width, y / height);
      const at = (y * width + x) * 3;
      data[at] = red;
      data[at + 1] = green;
      data[at + 2] = blue;
    }
  }
  return { width, height, data };
};

/** The rotation of a pose about a pivot behind the eyes, then its shift. */
const placing = ({ yaw, pitch, roll = 0, shiftCm = [0, 0] }: HeadPose, pivotCm: number) => {
  const [a, b, c] = [yaw, pitch, roll].map((degrees) => (degrees * Math.PI) / 180);
  const [cosA, sinA, cosB, sinB] = [Math.cos(a!), Math.sin(a!), Math.cos(b!), Math.sin(b!)];
  const [cosC, sinC] = [Math.cos(c!), Math.sin(c!)];
  return ([x, y, z]: Vector): Vector => {
    const near = z - pivotCm;
    const [x1, z1] = [x * cosA + near * sinA, near * cosA - x * sinA];
    const [y1, z2] = [y * cosB + z1 * sinB, z1 * cosB - y * sinB];
    return [x1 * cosC - y1 * sinC + shiftCm[0], x1 * sinC + y1 * cosC + shiftCm[1], z2 + pivotCm];
  };
};

/** The projected places of the scan's pixels: of the head, or of a life-size print. */
const gridOf = (
  { portrait, pixelCm, places }: FaceScan,
  kind: HeadKind,
  project: (place: Vector) => Vector,
): PatchGrid => {
  const { width, height } = portrait;
  const projected = new Float32Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const [column, row] = [i % width, Math.floor(i / width)];
    const place: Vector =
      kind === "head"
        ? [places[3 * i]!, places[3 * i + 1]!, places[3 * i + 2]!]
        : onSheet(kind, (column - width / 2) * pixelCm, (row - 0.43 * height) * pixelCm);
    const [x, y, depth] = project(place);
    projected[3 * i] = x;
    projected[3 * i + 1] = y;
    projected[3 * i + 2] = depth;
  }
  return { width, height, projected, gapMax: kind === "head" ? 4 : Number.POSITIVE_INFINITY };
};

const onSheet = (kind: Exclude<HeadKind, "head">, x: number, y: number): Vector => {
  if (kind === "flat") return [x, y, 0];
  if (kind === "bent") {
    const angle = Math.max(-1.4, Math.min(1.4, x / bendRadiusCm));
    return [bendRadiusCm * Math.sin(angle), y, -bendRadiusCm * (1 - Math.cos(angle))];
  }
  const angle = (foldDegrees * Math.PI) / 180;
  return [x * Math.cos(angle), y, -Math.abs(x) * Math.sin(angle)];
};
