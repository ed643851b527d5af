import type { Box, Image, Imaging, Point } from "#machine/imaging/image";
import type { DetectorSpec } from "#machine/models/serve-slot";
import type { Tensor } from "#machine/networks/model";
import {
  borderGrey,
  type Detect,
  type Detection,
  type DetectionLimits,
  mergeOverlapping,
} from "./detection.ts";
import { tensorOf } from "./network-input.ts";

/** A face detector added by the operator. */
export type DetectorNetwork = {
  readonly name: string;
  /** SHA-256 of its file, hex. */
  readonly hash: string;
  readonly spec: DetectorSpec;
  readonly run: (input: Tensor) => Promise<Readonly<Record<string, Tensor>>>;
};

const strides = [8, 16, 32] as const;
/** Long side of a free input: faces of 1.5 % of it are found, in 8 ms on one thread. */
const sideMax = 640;
const sideMin = 256;

/** A free input is as long as the image, within bounds, so that small images cost less. */
const sideOf = ({ side }: DetectorSpec, extent: number): number =>
  side ?? Math.min(sideMax, Math.max(sideMin, Math.ceil(extent / 32) * 32));

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

const valuesOf = (outputs: Readonly<Record<string, Tensor>>, name: string): Float32Array => {
  const tensor = outputs[name];
  if (tensor === undefined) throw new Error(`the face detector has no output ${name}`);
  return tensor.data;
};

/**
 * Decodes the three grids of YuNet, in pixels of the input (Wu, Peng, Yu 2023; libfacedetection.train). The
 * score is the root of class times object, the middle is an offset from the cell's corner, sizes are
 * logarithms, all in strides.
 */
const decodeYunet = (
  outputs: Readonly<Record<string, Tensor>>,
  side: number,
  scoreMin: number,
): readonly Detection[] =>
  strides.flatMap((stride) => {
    const cells = side / stride;
    const [cls, obj] = [valuesOf(outputs, `cls_${stride}`), valuesOf(outputs, `obj_${stride}`)];
    const [boxes, points] = [valuesOf(outputs, `bbox_${stride}`), valuesOf(outputs, `kps_${stride}`)];
    const found: Detection[] = [];
    for (let i = 0; i < cells * cells; i++) {
      const score = Math.sqrt(clamp(cls[i]!) * clamp(obj[i]!));
      if (!(score >= scoreMin)) continue;
      const place = (dx: number, dy: number): Point => [
        ((i % cells) + dx) * stride,
        (Math.floor(i / cells) + dy) * stride,
      ];
      const [x, y] = place(boxes[4 * i]!, boxes[4 * i + 1]!);
      const [width, height] = [Math.exp(boxes[4 * i + 2]!) * stride, Math.exp(boxes[4 * i + 3]!) * stride];
      if (!Number.isFinite(x + y + width + height)) continue;
      found.push({
        score,
        box: { x: x - width / 2, y: y - height / 2, width, height },
        keypoints: Array.from({ length: 5 }, (_, k) =>
          place(points[10 * i + 2 * k]!, points[10 * i + 2 * k + 1]!),
        ),
      });
    }
    return found;
  });

/**
 * The square that BlazeFace would return for the same face; it gives the window of the landmark network.
 * Measured on 191 images of LFW: YuNet's box is .878 as wide and 1.219 as high, its middle .096 of the side
 * further up.
 */
const squareOf = ({ x, y, width, height }: Box): Box => {
  const side = Math.sqrt((width / 0.878) * (height / 1.219));
  return {
    x: x + width / 2 - side / 2,
    y: y + height / 2 + 0.096 * side - side / 2,
    width: side,
    height: side,
  };
};

/**
 * Finds face candidates with a YuNet, in the same form as BlazeFace, so that the rest of the search does not
 * depend on the detector. Its five points are coarse; the alignment uses FaceMesh in both cases.
 */
export const makeDetectYunet =
  (imaging: Imaging, { spec, run }: DetectorNetwork, limits: DetectionLimits): Detect =>
  async (image: Image, border: number) => {
    const longest = Math.max(image.width, image.height);
    const extent = longest * (1 + 2 * border);
    const side = sideOf(spec, extent);
    const pixels = extent / side;
    const offset = (pixels - 1) / 2 - border * longest;
    const fill = border > 0 ? borderGrey : 0;
    const window = imaging.warpAffine(image, [pixels, 0, offset, 0, pixels, offset], side, side, fill);
    const outputs = await run(tensorOf(window, side, spec.input));
    const toImage = ([u, v]: Point): Point => [u * pixels - border * longest, v * pixels - border * longest];
    const merged = mergeOverlapping(decodeYunet(outputs, side, limits.scoreMin), limits.overlapMax);
    return merged.map(({ score, box, keypoints }) => {
      const [x, y] = toImage([box.x, box.y]);
      const inImage = { x, y, width: box.width * pixels, height: box.height * pixels };
      return { score, box: squareOf(inImage), keypoints: keypoints.map(toImage) };
    });
  };
