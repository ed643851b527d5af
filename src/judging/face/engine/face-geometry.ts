import type { Image, Point } from "#machine/imaging/image";
import type { MeasuredFace } from "../measurement.ts";
import { distance } from "./geometry.ts";
import { flat, type Mesh, meshCenter, meshIndex } from "./mesh.ts";
import { poseOf } from "./pose.ts";

/** Pixels between the centres of the eyes. */
export const eyeCentersApart = (mesh: Mesh): number =>
  distance(meshCenter(mesh, meshIndex.rightEye), meshCenter(mesh, meshIndex.leftEye));

/** The measures of a face that follow from its landmarks alone. */
export const geometryOf = (
  mesh: Mesh,
  image: Image,
): Pick<MeasuredFace, "box" | "pose" | "outsideShare" | "mouthOpenness" | "borderMargin"> => {
  const xs = mesh.points.map(([x]) => x);
  const ys = mesh.points.map(([, y]) => y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const isOutside = (x: number, y: number): boolean =>
    x < 0 || y < 0 || x >= image.width || y >= image.height;
  return {
    box: { x: left, y: top, width: right - left, height: bottom - top },
    pose: poseOf(mesh),
    mouthOpenness: mouthOpennessOf(mesh),
    outsideShare: mesh.points.filter(([x, y]) => isOutside(x, y)).length / mesh.points.length,
    borderMargin: Math.min(left, top, image.width - right, image.height - bottom) / (right - left),
  };
};

const mouthOpennessOf = (mesh: Mesh): number => {
  const [upper, lower] = meshIndex.innerLips.map((i) => flat(mesh.points[i]!));
  const [rightEye, leftEye] = [meshCenter(mesh, meshIndex.rightEye), meshCenter(mesh, meshIndex.leftEye)];
  const between: Point = [(rightEye[0] + leftEye[0]) / 2, (rightEye[1] + leftEye[1]) / 2];
  return distance(upper!, lower!) / Math.max(1, distance(between, flat(mesh.points[meshIndex.chin]!)));
};
