import type { OnnxFacts } from "#inference/onnx-facts";
import type { TrialReport } from "#inference/trial";
import { findSymbols } from "./dictionary.ts";
import type { Manifest } from "./manifest.ts";

/** Where operators may come from: ONNX itself, its classic machine learning, and the runtime's own additions. */
const knownDomains: ReadonlySet<string> = new Set(["", "ai.onnx", "ai.onnx.ml", "com.microsoft"]);

/** What is wrong with a file before anything of it runs; undefined where nothing is. */
export const findDanger = ({ domains, operatorSets, hasExternalData }: OnnxFacts): string | undefined => {
  const unknown = [...new Set([...domains, ...Object.keys(operatorSets)])].filter(
    (domain) => !knownDomains.has(domain),
  );
  if (unknown.length > 0) return `it uses operators of an unknown set: ${unknown.join(", ")}`;
  return hasExternalData
    ? "its weights lie in other files, which the hash does not cover: ask for a file that holds them"
    : undefined;
};

/** A free side is tried with this many pixels: a multiple of every stride that is in use. */
const freeSide = 320;

/** Dimensions with which a model is tried: one picture, free sides of 320 px. */
export const trialDims = ({ input }: Manifest): readonly number[] =>
  input.shape.map((dim, axis) => (typeof dim === "number" ? dim : axis === 0 ? 1 : freeSide));

const isEqual = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);

/** What in a trial contradicts the manifest; undefined where the model is as its manifest says. */
export const findMisfit = (
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
  if (output.kind === "yunet") return findMisfitYunet(manifest, outputs);
  const told = output.name === undefined ? outputs[0] : outputs.find(({ name }) => name === output.name);
  if (told === undefined) {
    return `its outputs are ${outputs.map(({ name }) => name).join(", ")}; the manifest says ${output.name}`;
  }
  return output.kind === "ctc"
    ? findMisfitLines(output, told, findSymbols(metadata))
    : findMisfitOutput(manifest, told);
};

type Output = TrialReport["outputs"][number];

const findMisfitOutput = (manifest: Manifest, told: Output): string | undefined => {
  const { output } = manifest;
  const shape = told.dims.join(" x ");
  if (told.type !== "float32") return `its output is of ${told.type}, not of float32`;
  if (!told.isFinite) return "a trial gave values that are no numbers";
  if (output.kind === "heatmap") return findMisfitCorners(told);
  if (output.kind === "db") return findMisfitMap(trialDims(manifest), told);
  const size = told.dims.slice(1).reduce((product, dim) => product * dim, 1);
  const wanted = output.kind === "scalar" ? 1 : output.size;
  if (wanted !== undefined && size !== wanted)
    return `its output is ${shape}; the manifest says ${wanted} values`;
  if (output.kind === "probabilities" && output.size !== undefined) {
    if (!isProbabilities(told))
      return `its output (${told.min} to ${told.max}, sum ${told.sum}) is no probabilities: logits?`;
  }
  const isFlat = output.kind !== "scalar" && size > 1 && told.min === told.max;
  return isFlat ? "a trial gave the same number everywhere" : undefined;
};

const isProbabilities = ({ min, max, sum }: Output): boolean =>
  min >= 0 && max <= 1 && Math.abs(sum - 1) < 1e-3;

/** A probability for each class in each column of the line, and a character for each class. */
const findMisfitLines = (
  { size }: Manifest["output"],
  told: Output,
  symbols: readonly string[] | undefined,
): string | undefined => {
  const [lines, columns = 0, classes] = told.dims;
  if (told.type !== "float32") return `its output is of ${told.type}, not of float32`;
  if (!told.isFinite) return "a trial gave values that are no numbers";
  if (told.dims.length !== 3 || lines !== 1 || columns === 0) {
    return `its output is ${told.dims.join(" x ")}; that of a text recogniser is 1 x columns x classes`;
  }
  if (symbols === undefined) return "its file holds no list of characters (metadata `character`, one a line)";
  if (symbols.length !== classes) {
    return `its file lists ${symbols.length - 2} characters, with blank and space ${symbols.length} classes; its output has ${classes}`;
  }
  if (size !== undefined && size !== classes)
    return `its output has ${classes} classes; the manifest says ${size}`;
  return isProbabilities(told)
    ? undefined
    : `its output (${told.min} to ${told.max}, sum ${told.sum}) is no probabilities: logits?`;
};

/** A map with fewer places tells no corner. */
const mapSideMin = 16;

/** A map for each of the four corners; of further ones nothing is read. */
const findMisfitCorners = ({ dims }: Output): string | undefined => {
  const [one, corners = 0, rows = 0, columns = 0] = dims;
  const isWhole = dims.length === 4 && one === 1 && corners >= 4 && Math.min(rows, columns) >= mapSideMin;
  return isWhole
    ? undefined
    : `its output is ${dims.join(" x ")}; that of document-corners is 1 x 4 or more x rows x columns of ${mapSideMin} or more`;
};

/** A probability for each pixel of the input. */
const findMisfitMap = (dims: readonly number[], told: Output): string | undefined => {
  const wanted = [1, 1, ...dims.slice(2)];
  if (!isEqual(told.dims, wanted)) {
    return `its output is ${told.dims.join(" x ")}; that of a text detector is ${wanted.join(" x ")}`;
  }
  return told.min < 0 || told.max > 1 ? "its output is no map of probabilities" : undefined;
};

const strides = [8, 16, 32] as const;
const yunetValues = { cls: 1, obj: 1, bbox: 4, kps: 10 } as const;

/** Twelve outputs: what each of three grids says in each cell. */
const findMisfitYunet = (manifest: Manifest, outputs: readonly Output[]): string | undefined => {
  const [, , height = 0, width = 0] = trialDims(manifest);
  for (const stride of strides) {
    for (const [kind, values] of Object.entries(yunetValues)) {
      const told = outputs.find(({ name }) => name === `${kind}_${stride}`);
      const wanted = [1, (height / stride) * (width / stride), values];
      if (told === undefined || !isEqual(told.dims, wanted) || !told.isFinite) {
        return `its output ${kind}_${stride} is ${told?.dims.join(" x ") ?? "missing"}; that of a YuNet is ${wanted.join(" x ")}`;
      }
    }
  }
  return undefined;
};
