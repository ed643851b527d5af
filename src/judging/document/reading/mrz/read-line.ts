import type { GreyImage } from "#machine/imaging/image";
import type { Network, Tensor } from "#machine/networks/model";
import { cropLine, type Strip } from "../ocr/crop-line.ts";
import { writeNormalised } from "../ocr/normalise-line.ts";
import { resampleRows } from "../ocr/resample.ts";
import type { LineBand } from "../ocr/text-lines.ts";
import { inkRows } from "./ink-rows.ts";
import { classes, type GreedyText, greedyText, type Posterior, posteriorOf } from "./posterior.ts";

/** The network's output for one line. Positions are u and v in the frame of the requested line. */
export type ReadLine = {
  readonly posterior: Posterior;
  readonly greedy: GreedyText;
  /** u of the centre of each greedy character. */
  readonly centres: readonly number[];
  /** Height of the ink, px. */
  readonly inkHeight: number;
  /** Distance from the requested line down to the ink's centre, px. */
  readonly shift: number;
};

export type LineReader = (
  image: GreyImage,
  angle: number,
  line: LineBand,
  margins: CropMargins,
) => Promise<ReadLine>;

/**
 * Margins of a line crop, in line heights: above and below together, and at each end. `ink` is the share of
 * the ink's height to keep above and below it; `stretch` is the width given to the network over the natural
 * width. Training varies both (.1 to .5, .86 to 1.14).
 */
export type CropMargins = {
  readonly tall: number;
  readonly ends: number;
  readonly ink?: number;
  readonly stretch?: number;
};

const inputHeight = 32;
/** The network returns one column per four pixels. */
const stride = 4;
const widthLimits = { min: 64, max: 1400 } as const;
/** Padded with white. */
const inputOf = (
  strip: Strip,
  top: number,
  bottom: number,
  stretch: number,
): Tensor & { readonly width: number } => {
  const width = Math.round((stretch * strip.width * inputHeight) / (bottom - top));
  const fitted = Math.max(widthLimits.min, Math.min(widthLimits.max, width));
  const values = resampleRows(strip, top, bottom, fitted, inputHeight);
  const padded = Math.ceil(fitted / stride) * stride;
  const data = new Float32Array(padded * inputHeight).fill(1);
  writeNormalised(values, fitted, inputHeight, { data, at: 0, rowLength: padded });
  return { data, dims: [1, 1, inputHeight, padded], width: fitted };
};

/** Reads single lines with the MRZ line network. Throws when the output has another shape than expected. */
export const makeReadLine =
  (network: Network): LineReader =>
  async (image, angle, line, { tall, ends, ink = 0.3, stretch = 1 }) => {
    const wide = { ...line, from: line.from - ends * line.height, to: line.to + ends * line.height };
    const strip = cropLine(image, angle, wide, line.height * tall);
    const [first, last] = inkRows(strip);
    const inkHeight = Math.max(6, last - first + 1);
    const top = Math.round(first - ink * inkHeight);
    const bottom = Math.round(last + ink * inkHeight) + 1;
    const input = inputOf(strip, top, bottom, stretch);
    const [answer] = Object.values(await network.run(input));
    const columns = input.dims[3]! / stride;
    if (answer?.data.length !== columns * classes) {
      throw new Error(`The line network answered ${answer?.dims.join("x")} for ${input.dims.join("x")}`);
    }
    const posterior = posteriorOf(answer.data, columns);
    const greedy = greedyText(posterior);
    const uOf = (column: number) => strip.u0 + (column * stride * strip.width) / input.width;
    return {
      posterior,
      greedy,
      centres: greedy.centres.map(uOf),
      inkHeight,
      shift: (first + last + 1) / 2 - strip.height / 2,
    };
  };
