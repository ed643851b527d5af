import type { OnnxFacts } from "#machine/networks/onnx-facts";
import { findCharacters } from "./dictionary.ts";
import type { Manifest, Slot } from "./manifest.ts";
import { ModelRefused } from "./refusal.ts";

type Input = Manifest["input"];

/** A network that separates live persons from attacks on a crop around the face. */
export type LivenessSpec = {
  readonly input: Input;
  readonly side: number;
  readonly crop: NonNullable<Input["crop"]>;
  readonly output: Manifest["output"];
};

/** A network that maps an aligned face to a vector. */
export type RecogniserSpec = {
  readonly input: Input;
  readonly side: number;
  /** Positions of the five facial points in the input. */
  readonly align: readonly Point[];
  readonly output: Manifest["output"];
  readonly size: number;
};

type Point = readonly [x: number, y: number];

/** Slots that this release serves. */
export const servedSlots: ReadonlySet<Slot> = new Set<Slot>([
  "face-detector",
  "face-recogniser",
  "liveness",
  "text-detector",
  "text-recogniser",
  "document-corners",
]);

/** A detector of the YuNet family. */
export type DetectorSpec = {
  readonly input: Input;
  /** Length of the sides; absent: any multiple of 32. */
  readonly side?: number;
};

/** The slot of this name. Throws ModelRefused for an unknown slot. */
export const slotNamed = (word: string): Slot => {
  const slot = [...servedSlots].find((one) => one === word);
  if (slot !== undefined) return slot;
  throw new ModelRefused(`There is no slot ${word}: ${[...servedSlots].join(", ")}`);
};

/** The reason why this release cannot use a model of this manifest, in words; undefined where it can. */
export const findUnserved = (manifest: Manifest): string | undefined => {
  if (!servedSlots.has(manifest.slot)) return `this release has no use yet for the slot ${manifest.slot}`;
  if (manifest.slot === "text-detector") return findUnservedText(manifest);
  if (manifest.slot === "text-recogniser") return findUnservedLines(manifest);
  if (manifest.slot === "document-corners") return findUnservedCorners(manifest);
  if (manifest.slot === "face-recogniser") return findUnservedRecogniser(manifest);
  return manifest.slot === "face-detector" ? findUnservedDetector(manifest) : findUnservedLiveness(manifest);
};

const findUnservedText = ({ input, output }: Manifest): string | undefined => {
  if (output.kind !== "db") return `its output is ${output.kind}; a text-detector needs db`;
  const isFree = input.shape.slice(2).every((dim) => typeof dim === "string");
  return input.layout === "NCHW" && isFree ? undefined : "its input is not N x C x H x W with free sides";
};

/** Heights of a line, px: lower lines lose diacritics, higher lines cost time without gain. */
const lineHeights = { min: 16, max: 128 } as const;

const findUnservedLines = ({ input, output }: Manifest): string | undefined => {
  if (output.kind !== "ctc") return `its output is ${output.kind}; a text-recogniser needs ctc`;
  const [, planes, height, width] = input.shape;
  const isHigh = typeof height === "number" && height >= lineHeights.min && height <= lineHeights.max;
  return input.layout === "NCHW" && planes === 3 && isHigh && typeof width === "string"
    ? undefined
    : `its input is not N x 3 x H x W with a height of ${lineHeights.min} to ${lineHeights.max} and a free width`;
};

const findUnservedCorners = ({ input, output }: Manifest): string | undefined => {
  if (output.kind !== "heatmap") return `its output is ${output.kind}; document-corners needs heatmap`;
  return input.layout === "NCHW" && input.shape[1] === 3 && sideOf(input) !== undefined
    ? undefined
    : "its input is not N x 3 x H x W with equal, fixed sides";
};

const findUnservedDetector = ({ input, output }: Manifest): string | undefined => {
  if (output.kind !== "yunet") return `its output is ${output.kind}; a face-detector needs yunet`;
  const isFree = input.shape.slice(2).every((dim) => typeof dim === "string");
  const side = sideOf(input);
  const isSquare = isFree || (side !== undefined && side % 32 === 0);
  return input.layout === "NCHW" && isSquare
    ? undefined
    : "its input is not N x C x H x W with free sides, or equal ones of a multiple of 32";
};

const findUnservedLiveness = ({ input, output }: Manifest): string | undefined => {
  if (input.crop === undefined) return "its manifest lacks the crop of the face (input.crop)";
  if (sideOf(input) === undefined) return "its input is not square and fixed";
  if (output.kind === "scalar") return undefined;
  if (output.kind !== "logits" && output.kind !== "probabilities") {
    return `its output is ${output.kind}; liveness needs logits, probabilities or a scalar`;
  }
  const { size, index } = output;
  if (size === undefined || index === undefined || index >= size) {
    return "its manifest lacks the number of classes and the live class (output.size, output.index)";
  }
  return undefined;
};

/** Height and width of the input, where they are equal and fixed. */
const sideOf = ({ layout, shape }: Input): number | undefined => {
  const [height, width] = layout === "NCHW" ? shape.slice(2) : shape.slice(1, 3);
  return typeof height === "number" && height === width ? height : undefined;
};

/** The liveness slot's part of a manifest. Throws Error for a manifest that `findUnserved` refuses. */
export const livenessSpecOf = (manifest: Manifest): LivenessSpec => {
  const { input, output } = manifest;
  const side = sideOf(input);
  if (findUnserved(manifest) !== undefined || side === undefined || input.crop === undefined) {
    throw new Error(`${manifest.name} does not serve as liveness`);
  }
  return { input, side, crop: input.crop, output };
};

/** The face detector slot's part of a manifest. Throws Error for a manifest that `findUnserved` refuses. */
export const detectorSpecOf = (manifest: Manifest): DetectorSpec => {
  if (findUnserved(manifest) !== undefined)
    throw new Error(`${manifest.name} does not serve as face-detector`);
  const side = sideOf(manifest.input);
  return { input: manifest.input, ...(side !== undefined && { side }) };
};

/** The text detector slot's part of a manifest. Throws Error for a manifest that `findUnserved` refuses. */
export const textDetectorSpecOf = (manifest: Manifest): { readonly input: Input } => {
  if (findUnserved(manifest) !== undefined)
    throw new Error(`${manifest.name} does not serve as text-detector`);
  return { input: manifest.input };
};

/** A network that locates the four corners of a document. */
export type CornersSpec = {
  readonly input: Input;
  readonly side: number;
  readonly output: Manifest["output"];
};

/** The corners slot's part of a manifest. Throws Error for a manifest that `findUnserved` refuses. */
export const cornersSpecOf = (manifest: Manifest): CornersSpec => {
  const { input, output } = manifest;
  const side = sideOf(input);
  if (findUnserved(manifest) !== undefined || side === undefined) {
    throw new Error(`${manifest.name} does not serve as document-corners`);
  }
  return { input, side, output };
};

/** A network that reads lines of printed text. */
export type TextRecogniserSpec = {
  readonly input: Input;
  /** Height of a line, px. */
  readonly height: number;
  readonly output: Manifest["output"];
  /** The character of each class; class 0 is the blank. */
  readonly characters: readonly string[];
};

/** The text recogniser slot's part of a manifest and of its file. Throws Error for a refused one. */
export const textRecogniserSpecOf = (
  manifest: Manifest,
  metadata: OnnxFacts["metadata"],
): TextRecogniserSpec => {
  const { input, output } = manifest;
  const height = input.shape[2];
  const characters = findCharacters(metadata);
  if (findUnserved(manifest) !== undefined || typeof height !== "number" || characters === undefined) {
    throw new Error(`${manifest.name} does not serve as text-recogniser`);
  }
  return { input, height, output, characters };
};

/**
 * Lengths of a recogniser's output: shorter vectors separate no two people, longer ones do not fit into
 * one-to-many search.
 */
const embeddingSizes = { min: 16, max: 1152 } as const;

const findUnservedRecogniser = (manifest: Manifest): string | undefined =>
  findRecogniserSpec(manifest) === undefined
    ? `it needs input.align, a square input, output.kind embedding and an output.size of ${embeddingSizes.min} to ${embeddingSizes.max}`
    : undefined;

/** The recogniser slot's part of a manifest; undefined where the manifest lacks it. */
export const findRecogniserSpec = ({ slot, input, output }: Manifest): RecogniserSpec | undefined => {
  const side = sideOf(input);
  const { align } = input;
  const isWhole = slot === "face-recogniser" && output.kind === "embedding";
  const { size = 0 } = output;
  const isSized = size >= embeddingSizes.min && size <= embeddingSizes.max;
  if (!isWhole || side === undefined || align === undefined || !isSized) return undefined;
  return { input, side, align, output, size };
};
