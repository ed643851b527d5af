import type { GreyImage } from "#machine/imaging/image";
import type { Manifest } from "#machine/models/manifest";
import type { Network } from "#machine/networks/model";
import { type Levels, type Plane, planesOf } from "../added-levels.ts";
import { type DecodedLine, decodeCtc } from "./ctc.ts";
import { inReadingOrder } from "./reading-order.ts";
import { resampleRows } from "./resample.ts";

/** A text recogniser of the PP-OCR family that the operator added. */
export type AddedTextRecogniser = {
  readonly name: string;
  /** SHA-256 of its file, hex. */
  readonly hash: string;
  readonly spec: {
    readonly input: Levels;
    /** Height of a line in px. */
    readonly height: number;
    readonly output: Pick<Manifest["output"], "name">;
    /** The text of each class; class 0 is the blank. */
    readonly characters: readonly string[];
  };
  readonly run: Network["run"];
};

/** A strip with one upright line, as its red, green and blue channels. */
export type ColourStrip = readonly [red: GreyImage, green: GreyImage, blue: GreyImage];

/** Reads strips in their order. */
export type RecogniseColour = (strips: readonly ColourStrip[]) => Promise<readonly DecodedLine[]>;

/**
 * Widths over heights: PP-OCR pads shorter lines to 320 px at 48 px height; above the maximum it is no line.
 */
const aspects = { min: 320 / 48, max: 40 } as const;
/** The networks return one column per eight pixels. */
const stride = 8;

const toStride = (pixels: number): number => Math.ceil(pixels / stride) * stride;

const clamped = (level: number): number => Math.min(255, Math.max(0, level));

/** The line at the network's height; the rest of the width stays 0, as in training. */
const inputOf = (strip: ColourStrip, planes: readonly Plane[], height: number) => {
  const [{ width: across, height: down }] = strip;
  const width = Math.max(1, Math.min(height * aspects.max, Math.ceil((across * height) / down)));
  const rowLength = toStride(Math.max(width, height * aspects.min));
  const data = new Float32Array(3 * height * rowLength);
  for (const [place, { colour, mean, scale }] of planes.entries()) {
    const values = resampleRows(strip[colour], 0, down, width, height);
    for (let i = 0; i < values.length; i++) {
      const row = place * height + Math.floor(i / width);
      data[row * rowLength + (i % width)] = (clamped(values[i]!) - mean) * scale;
    }
  }
  return { data, dims: [1, 3, height, rowLength] };
};

/**
 * Makes a reader with an added recogniser, line by line. Throws when the output has another shape than
 * expected.
 */
export const makeRecogniseColour = ({ run, spec }: AddedTextRecogniser): RecogniseColour => {
  const { characters, height, output } = spec;
  const planes = planesOf(spec.input);
  const classes = characters.length;
  const readOne = async (strip: ColourStrip): Promise<DecodedLine> => {
    const input = inputOf(strip, planes, height);
    const outputs = await run(input);
    const answer = output.name === undefined ? Object.values(outputs)[0] : outputs[output.name];
    const [, columns = 0, values] = answer?.dims ?? [];
    if (answer === undefined || values !== classes || answer.data.length !== columns * classes) {
      throw new Error(`The text recogniser answered ${answer?.dims.join("x")} for ${input.dims.join("x")}`);
    }
    const scores = { data: answer.data, at: 0, columns, classes };
    const { text, confidence } = decodeCtc(scores, { characters, values: "probabilities" });
    return { text: inReadingOrder(text).normalize("NFC"), confidence };
  };
  return async (strips) => {
    const lines: DecodedLine[] = [];
    for (const strip of strips) lines.push(await readOne(strip));
    return lines;
  };
};
