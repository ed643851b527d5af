/** A tensor with its shape, row-major. */
export type Tensor = { readonly data: Float32Array; readonly dims: readonly number[] };

/**
 * The input of a run. The run takes over the memory of its data and frees it: left to the garbage collector,
 * inputs of half a megabyte cost a collection of the whole heap every third face. `isKept`: the caller uses
 * the data again.
 */
export type NetworkInput = Tensor & { readonly isKept?: boolean };

/** A loaded network in this thread. One input; outputs by name. */
export type Network<Name extends string = ModelName> = {
  readonly name: Name;
  /** SHA-256 of the weights file(s), hex, as in the ledger. */
  readonly hash: string;
  readonly run: (input: NetworkInput) => Promise<Readonly<Record<string, Tensor>>>;
};

/** Names of the bundled networks; the ledger holds file, hash, licence and provenance of each. */
export const modelNames = [
  "blazeface",
  "facemesh",
  "iris",
  "dlib-resnet",
  "faceres",
  "text-detector",
  "mrz-line",
  "text-line",
  "card-finder",
] as const;

export type ModelName = (typeof modelNames)[number];

/** One value for each network. */
export const byModel = <Value>(valueOf: (name: ModelName) => Value): Readonly<Record<ModelName, Value>> => ({
  blazeface: valueOf("blazeface"),
  facemesh: valueOf("facemesh"),
  iris: valueOf("iris"),
  "dlib-resnet": valueOf("dlib-resnet"),
  faceres: valueOf("faceres"),
  "text-detector": valueOf("text-detector"),
  "mrz-line": valueOf("mrz-line"),
  "text-line": valueOf("text-line"),
  "card-finder": valueOf("card-finder"),
});

/** The loaded networks of one worker thread. */
export type Networks = { readonly [name in ModelName]: Network };
