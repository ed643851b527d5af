import type { Manifest, Slot } from "./manifest.ts";
import { ModelRefused } from "./refusal.ts";

type Input = Manifest["input"];

/** A network that tells live persons from attacks on a crop about the face. */
export type LivenessSpec = {
  readonly input: Input;
  readonly side: number;
  readonly crop: NonNullable<Input["crop"]>;
  readonly output: Manifest["output"];
};

/** Slots into which this release can put a model. */
export const servedSlots: ReadonlySet<Slot> = new Set<Slot>(["liveness"]);

/** The slot of this name. Throws ModelRefused for one that this release does not have. */
export const slotNamed = (word: string): Slot => {
  const slot = [...servedSlots].find((one) => one === word);
  if (slot !== undefined) return slot;
  throw new ModelRefused(`There is no slot ${word}: ${[...servedSlots].join(", ")}`);
};

/** What this release cannot do with a model of this manifest, in words; undefined where it serves. */
export const findUnserved = (manifest: Manifest): string | undefined => {
  if (!servedSlots.has(manifest.slot)) return `this release has no place for a ${manifest.slot} yet`;
  return findUnservedLiveness(manifest);
};

const findUnservedLiveness = ({ input, output }: Manifest): string | undefined => {
  if (input.crop === undefined) return "its manifest does not say how the face is cropped (input.crop)";
  if (sideOf(input) === undefined) return "its input is not square and fixed";
  if (output.kind === "scalar") return undefined;
  if (output.kind !== "logits" && output.kind !== "probabilities") {
    return `its output is ${output.kind}; of liveness logits, probabilities or a scalar are read`;
  }
  const { size, index } = output;
  if (size === undefined || index === undefined || index >= size) {
    return "its manifest does not say how many classes there are and which is live (output.size, output.index)";
  }
  return undefined;
};

/** Height and width of the input, where they are equal and fixed. */
const sideOf = ({ layout, shape }: Input): number | undefined => {
  const [height, width] = layout === "NCHW" ? shape.slice(2) : shape.slice(1, 3);
  return typeof height === "number" && height === width ? height : undefined;
};

/** What the liveness slot needs of a manifest. Throws Error for one that `findUnserved` would refuse. */
export const livenessSpecOf = (manifest: Manifest): LivenessSpec => {
  const { input, output } = manifest;
  const side = sideOf(input);
  if (findUnserved(manifest) !== undefined || side === undefined || input.crop === undefined) {
    throw new Error(`${manifest.name} does not serve as liveness`);
  }
  return { input, side, crop: input.crop, output };
};
