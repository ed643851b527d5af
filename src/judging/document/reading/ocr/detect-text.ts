import type { Image, Imaging } from "#machine/imaging/image";
import type { Network, Tensor } from "#machine/networks/model";
import { type Levels, type Plane, planesOf } from "../added-levels.ts";
import type { TextBox } from "./text-box.ts";
import { boxesOfMap, type TextMap } from "./text-map.ts";

/** A text detector of the DB family that the operator added. */
export type AddedTextDetector = {
  readonly name: string;
  /** SHA-256 of its file, hex. */
  readonly hash: string;
  readonly spec: { readonly input: Levels };
  readonly run: Network["run"];
};

/** Mean and deviation of ImageNet for PP-OCR v4, the bundled detector. */
const bundledLevels: Levels = {
  channels: "RGB",
  mean: [0.485 * 255, 0.456 * 255, 0.406 * 255],
  scale: [1 / (0.229 * 255), 1 / (0.224 * 255), 1 / (0.225 * 255)],
};

/** The network halves its input five times. */
const grid = 32;

export type DetectOptions = {
  /** Longer side of the network's input, px; a smaller image is enlarged to it. */
  readonly longSide: number;
  /**
   * Gives the network the image rotated by 90 degrees, because it was trained on horizontal text. The boxes
   * are in the given image.
   */
  readonly rotated?: boolean;
};

export type DetectText = (image: Image, options: DetectOptions) => Promise<readonly TextBox[]>;

const toGrid = (pixels: number): number => Math.max(grid, Math.round(pixels / grid) * grid);

/** The network's input value for each level of a plane. */
const tableOf = ({ mean, scale }: Plane): Float32Array =>
  Float32Array.from({ length: 256 }, (_, value) => (value - mean) * scale);

/**
 * Makes the planes in the network's order. Rotated: column by column from the bottom, a quarter rotation
 * clockwise.
 */
const makeInputOf = (levels: Levels): ((image: Image, rotated: boolean) => Tensor) => {
  const [low, middle, high] = planesOf(levels);
  const [first, second, third] = [tableOf(low), tableOf(middle), tableOf(high)];
  const [from0, from2] = [low.colour, high.colour];
  // Each row is one call of a function, because the engine optimises a function after some calls.
  const writeRow = (planes: Float32Array, { data, width, height }: Image, y: number, rotated: boolean) => {
    const pixels = width * height;
    const step = rotated ? height : 1;
    let to = rotated ? height - 1 - y : y * width;
    for (let from = 3 * y * width, end = from + 3 * width; from < end; from += 3, to += step) {
      planes[to] = first[data[from + from0]!]!;
      planes[pixels + to] = second[data[from + 1]!]!;
      planes[2 * pixels + to] = third[data[from + from2]!]!;
    }
  };
  return (image, rotated) => {
    const { width, height } = image;
    const planes = new Float32Array(3 * width * height);
    for (let y = 0; y < height; y++) writeRow(planes, image, y, rotated);
    return { data: planes, dims: rotated ? [1, 3, width, height] : [1, 3, height, width] };
  };
};

const unturn = (data: Float32Array, width: number, height: number): Float32Array => {
  const upright = new Float32Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      upright[y * width + x] = data[x * height + (height - 1 - y)]!;
    }
  }
  return upright;
};

/**
 * Makes the text detector with the network that the operator added, else with the bundled PP-OCR v4. Throws
 * when the output has another shape than the input.
 */
export const makeDetectText = (
  imaging: Pick<Imaging, "resize">,
  bundled: Pick<Network, "run">,
  added?: AddedTextDetector,
): DetectText => {
  const { run } = added ?? bundled;
  const inputOf = makeInputOf(added?.spec.input ?? bundledLevels);
  return async (image, { longSide, rotated = false }) => {
    const scale = longSide / Math.max(image.width, image.height);
    const small = await imaging.resize(image, toGrid(image.width * scale), toGrid(image.height * scale));
    const [answer] = Object.values(await run(inputOf(small, rotated)));
    if (answer?.data.length !== small.width * small.height) {
      throw new Error(
        `The text detector answered ${answer?.dims.join("x")} for ${small.width}x${small.height}`,
      );
    }
    const data = rotated ? unturn(answer.data, small.width, small.height) : answer.data;
    const map: TextMap = { width: small.width, height: small.height, data };
    return boxesOfMap(map, image.width / small.width, image.height / small.height);
  };
};
