import type { OnnxFacts } from "#machine/networks/onnx-facts";
import type { TrialReport } from "#machine/networks/trial";
import { findCharacters } from "./dictionary.ts";
import type { Manifest } from "./manifest.ts";

/** Accepted operator domains: ONNX itself, its classic machine learning, and the runtime's own additions. */
const knownDomains: ReadonlySet<string> = new Set(["", "ai.onnx", "ai.onnx.ml", "com.microsoft"]);

/** The reason to refuse a file before any of it runs; undefined where there is none. */
export const findDanger = ({ domains, operatorSets, hasExternalData }: OnnxFacts): string | undefined => {
  const unknown = [...new Set([...domains, ...Object.keys(operatorSets)])].filter(
    (domain) => !knownDomains.has(domain),
  );
  if (unknown.length > 0) return `it uses operators of an unknown set: ${unknown.join(", ")}`;
  return hasExternalData
    ? "its weights lie in other files, which the hash does not cover: use a file that holds them"
    : undefined;
};

/** Pixels of a free side in a trial: a multiple of every stride in use. */
const freeSide = 320;

/** Input dimensions of the trial of a model: one image, free sides of 320 px. */
export const trialDims = ({ input }: Manifest): readonly number[] =>
  input.shape.map((dim, axis) => (typeof dim === "number" ? dim : axis === 0 ? 1 : freeSide));

const isEqual = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);

/** The contradiction between a trial and the manifest; undefined where the model matches its manifest. */
export const findMismatch = (
  manifest: Manifest,
  { inputs, outputs }: TrialReport,
  metadata: OnnxFacts["metadata"],
): string | undefined => {
  const { input, output } = manifest;
  const taken = input.name === undefined ? inputs[0] : inputs.find(({ name }) => name === input.name);
  if (inputs.length !== 1 || taken === undefined) {
    return `its inputs are ${inputs.map(({ name }) => name).join(", ")}; the manifest says one, ${input.name ?? "whatever its name"}`;
  }
  if (taken.type !== "float32") return `its input is of ${taken.type}, not of float32`;
  const wrongDim = input.shape.findIndex(
    (dim, axis) =>
      typeof taken.dims[axis] === "number" && typeof dim === "number" && dim !== taken.dims[axis],
  );
  if (wrongDim >= 0 || taken.dims.length !== input.shape.length) {
    return `its input is ${taken.dims.join(" x ")}; the manifest says ${input.shape.join(" x ")}`;
  }
  if (output.kind === "yunet") return findMismatchYunet(manifest, outputs);
  const actual = output.name === undefined ? outputs[0] : outputs.find(({ name }) => name === output.name);
  if (actual === undefined) {
    return `its outputs are ${outputs.map(({ name }) => name).join(", ")}; the manifest says ${output.name}`;
  }
  return output.kind === "ctc"
    ? findMismatchLines(output, actual, findCharacters(metadata))
    : findMismatchOutput(manifest, actual);
};

type Output = TrialReport["outputs"][number];

const findMismatchOutput = (manifest: Manifest, actual: Output): string | undefined => {
  const { output } = manifest;
  const shape = actual.dims.join(" x ");
  if (actual.type !== "float32") return `its output is of ${actual.type}, not of float32`;
  if (!actual.isFinite) return "a trial gave values that are no numbers";
  if (output.kind === "heatmap") return findMismatchCorners(actual);
  if (output.kind === "db") return findMismatchMap(trialDims(manifest), actual);
  const size = actual.dims.slice(1).reduce((product, dim) => product * dim, 1);
  const wanted = output.kind === "scalar" ? 1 : output.size;
  if (wanted !== undefined && size !== wanted)
    return `its output is ${shape}; the manifest says ${wanted} values`;
  if (output.kind === "probabilities" && output.size !== undefined) {
    if (!isProbabilities(actual))
      return `its output (${actual.min} to ${actual.max}, sum ${actual.sum}) is no probabilities: logits?`;
  }
  const isFlat = output.kind !== "scalar" && size > 1 && actual.min === actual.max;
  return isFlat ? "a trial gave the same number everywhere" : undefined;
};

const isProbabilities = ({ min, max, sum }: Output): boolean =>
  min >= 0 && max <= 1 && Math.abs(sum - 1) < 1e-3;

/** Checks for a probability of each class in each column of the line, and a character for each class. */
const findMismatchLines = (
  { size }: Manifest["output"],
  actual: Output,
  characters: readonly string[] | undefined,
): string | undefined => {
  const [lines, columns = 0, classes] = actual.dims;
  if (actual.type !== "float32") return `its output is of ${actual.type}, not of float32`;
  if (!actual.isFinite) return "a trial gave values that are no numbers";
  if (actual.dims.length !== 3 || lines !== 1 || columns === 0) {
    return `its output is ${actual.dims.join(" x ")}; that of a text recogniser is 1 x columns x classes`;
  }
  if (characters === undefined)
    return "its file holds no list of characters (metadata `character`, one a line)";
  if (characters.length !== classes) {
    return `its file lists ${characters.length - 2} characters, with blank and space ${characters.length} classes; its output has ${classes}`;
  }
  if (size !== undefined && size !== classes)
    return `its output has ${classes} classes; the manifest says ${size}`;
  return isProbabilities(actual)
    ? undefined
    : `its output (${actual.min} to ${actual.max}, sum ${actual.sum}) is no probabilities: logits?`;
};

/** Smallest side of a map that can locate a corner. */
const mapSideMin = 16;

/** Checks for a map for each of the four corners; further maps are ignored. */
const findMismatchCorners = ({ dims }: Output): string | undefined => {
  const [one, corners = 0, rows = 0, columns = 0] = dims;
  const isWhole = dims.length === 4 && one === 1 && corners >= 4 && Math.min(rows, columns) >= mapSideMin;
  return isWhole
    ? undefined
    : `its output is ${dims.join(" x ")}; that of document-corners is 1 x 4 or more x rows x columns of ${mapSideMin} or more`;
};

/** Checks for a probability for each pixel of the input. */
const findMismatchMap = (dims: readonly number[], actual: Output): string | undefined => {
  const wanted = [1, 1, ...dims.slice(2)];
  if (!isEqual(actual.dims, wanted)) {
    return `its output is ${actual.dims.join(" x ")}; that of a text detector is ${wanted.join(" x ")}`;
  }
  return actual.min < 0 || actual.max > 1 ? "its output is no map of probabilities" : undefined;
};

const strides = [8, 16, 32] as const;
const yunetValues = { cls: 1, obj: 1, bbox: 4, kps: 10 } as const;

/** Checks for twelve outputs: four values for each cell of three grids. */
const findMismatchYunet = (manifest: Manifest, outputs: readonly Output[]): string | undefined => {
  const [, , height = 0, width = 0] = trialDims(manifest);
  for (const stride of strides) {
    for (const [kind, values] of Object.entries(yunetValues)) {
      const actual = outputs.find(({ name }) => name === `${kind}_${stride}`);
      const wanted = [1, (height / stride) * (width / stride), values];
      if (actual === undefined || !isEqual(actual.dims, wanted) || !actual.isFinite) {
        return `its output ${kind}_${stride} is ${actual?.dims.join(" x ") ?? "missing"}; that of a YuNet is ${wanted.join(" x ")}`;
      }
    }
  }
  return undefined;
};
