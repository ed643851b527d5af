import type { Image, Imaging, Point, Quad } from "#machine/imaging/image";
import type { Manifest } from "#machine/models/manifest";
import type { Network, Tensor } from "#machine/networks/model";
import { type Levels, planesOf } from "../added-levels.ts";
import { scaleCorners } from "./geometry.ts";

/** A network that the operator added: it computes one map for each corner of a document. */
export type AddedCornerFinder = {
  readonly name: string;
  /** SHA-256 of its file, hex. */
  readonly hash: string;
  readonly spec: {
    readonly input: Levels;
    /** Side length of its input in pixels. */
    readonly side: number;
    readonly output: Pick<Manifest["output"], "name">;
  };
  readonly run: Network["run"];
};

/**
 * The corners of a document in the order of the maps, in pixels of the image; undefined when a corner is
 * missing.
 */
export type ReadCorners = (image: Image) => Promise<Quad | undefined>;

/** A map whose maximum is lower shows no corner (the releases of DocAligner use .1 to .3). */
const peakMin = 0.3;
/**
 * The corner is the weighted mean of the cells around the maximum: the radius in cells, and the minimum as a
 * share of the peak.
 */
const reach = 4;
const countedShare = 0.5;

const inputOf = ({ data, width, height }: Image, levels: Levels): Tensor => {
  const pixels = width * height;
  const values = new Float32Array(3 * pixels);
  for (const [place, { colour, mean, scale }] of planesOf(levels).entries()) {
    for (let i = 0; i < pixels; i++) values[place * pixels + i] = (data[3 * i + colour]! - mean) * scale;
  }
  return { data: values, dims: [1, 3, height, width] };
};

const peakOf = (map: Float32Array): number => {
  let peak = 0;
  for (let i = 1; i < map.length; i++) if (map[i]! > map[peak]!) peak = i;
  return peak;
};

const cornerOf = (map: Float32Array, columns: number, rows: number): Point | undefined => {
  const peak = peakOf(map);
  const highest = map[peak]!;
  if (!(highest >= peakMin)) return undefined;
  const [column, row] = [peak % columns, Math.floor(peak / columns)];
  let [sum, across, down] = [0, 0, 0];
  for (let y = Math.max(0, row - reach); y <= Math.min(rows - 1, row + reach); y++) {
    for (let x = Math.max(0, column - reach); x <= Math.min(columns - 1, column + reach); x++) {
      const value = map[y * columns + x]!;
      if (value < highest * countedShare) continue;
      sum += value;
      across += value * x;
      down += value * y;
    }
  }
  return [across / sum, down / sum];
};

/**
 * Reads corners with an added network, which gets the image stretched to a square. Throws when the output has
 * another shape.
 */
export const makeReadCorners =
  (imaging: Pick<Imaging, "resize">, { run, spec }: AddedCornerFinder): ReadCorners =>
  async (image) => {
    const { side, input, output } = spec;
    const outputs = await run(inputOf(await imaging.resize(image, side, side), input));
    const answer = output.name === undefined ? Object.values(outputs)[0] : outputs[output.name];
    const [, corners = 0, rows = 0, columns = 0] = answer?.dims ?? [];
    const size = rows * columns;
    if (answer === undefined || corners < 4 || answer.data.length !== corners * size) {
      throw new Error(`The network of corners answered ${answer?.dims.join("x")} for ${side}x${side}`);
    }
    const cornerAt = (place: number): Point | undefined =>
      cornerOf(answer.data.subarray(place * size, (place + 1) * size), columns, rows);
    const [a, b, c, d] = [cornerAt(0), cornerAt(1), cornerAt(2), cornerAt(3)];
    return a && b && c && d && scaleCorners([a, b, c, d], image.width / columns, image.height / rows);
  };
