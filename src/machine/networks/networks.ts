import { InferenceSession, Tensor as OrtTensor } from "onnxruntime-node";
import { freeMemory } from "#contract/free-memory";
import type { PixelMemory } from "#machine/imaging/pixel-memory";
import { keptNetworks } from "./kept-networks.ts";
import type { Ledger } from "./ledger.ts";
import { byModel, type ModelName, modelNames, type Network, type Networks, type Tensor } from "./model.ts";
import { modelHash } from "./model-files.ts";
import { sessionOptions } from "./session-options.ts";

/** Number of runs of one network and their total time. */
export type Timing = { readonly runs: number; readonly ms: number };
/** By the name of the network; the operator names the added ones. */
export type Timings = Readonly<Record<string, Timing>>;

/** A network outside the ledger: an ONNX file that an operator added. */
export type AddedFile = {
  /** Name and version, as in decisions. */
  readonly name: string;
  readonly hash: string;
  /** In memory that is not shared with another thread. */
  readonly read: () => Uint8Array;
  /** Shape of the trial run at start. */
  readonly trialDims: readonly number[];
};

export type OpenedNetworks = {
  readonly networks: Networks;
  /** In the given order. */
  readonly added: readonly Network<string>[];
  /** Runs since the last call. */
  readonly takeTimings: () => Timings;
  /**
   * Opens every network and runs it once, so that no request pays for it. Throws Error where a file does not
   * match the ledger.
   */
  readonly warmUp: () => Promise<void>;
};

/**
 * From this size on, the memory of the thread takes an output over: maps and letters, but no vector or
 * landmarks of a face, which results may hold (at most 6 kB).
 */
const largeOutputBytes = 64 * 1024;

const runSession = async (
  session: InferenceSession,
  { data, dims }: Tensor,
  takeFloats: PixelMemory["takeFloats"],
): Promise<Readonly<Record<string, Tensor>>> => {
  const [inputName] = session.inputNames;
  if (inputName === undefined) throw new Error("The network has no input");
  const outputs = await session.run({ [inputName]: new OrtTensor("float32", data, dims) });
  const named = Object.entries(outputs).map(([name, output]): [string, Tensor] => {
    if (!(output.data instanceof Float32Array)) throw new Error(`The output ${name} is not of floats`);
    const isLarge = output.data.byteLength >= largeOutputBytes;
    return [name, { data: isLarge ? takeFloats(output.data) : output.data, dims: output.dims }];
  });
  return Object.fromEntries(named);
};

/**
 * Returns a network's ONNX file, in memory that is not shared with another thread (onnxruntime accepts no
 * other).
 */
type ReadOnnx = (name: ModelName) => Promise<Uint8Array>;

/**
 * Runs work that must not be cut off: the end of a thread inside onnxruntime ends the process
 * (machine/threads/unbroken.ts).
 */
export type RunWhole = <Value>(work: () => Promise<Value>) => Promise<Value>;

/** Of the thread that runs the networks. */
export type NetworkOptions = {
  /** In a thread that may be ended. By default a run is called as it is. */
  readonly runWhole?: RunWhole;
  /** Takes large outputs over. By default they stay as the runtime made them. */
  readonly takeFloats?: PixelMemory["takeFloats"];
};

/** Opens a session at the first run, and counts runs and time. */
const makeNetwork = <Name extends string>(
  name: Name,
  hash: string,
  readBytes: () => Promise<Uint8Array>,
  timings: Map<string, Timing>,
  { runWhole = (work) => work(), takeFloats = (data) => data }: NetworkOptions,
): Network<Name> => {
  let session: Promise<InferenceSession> | undefined;
  const run: Network["run"] = async (input) => {
    session ??= readBytes().then((bytes) => runWhole(() => InferenceSession.create(bytes, sessionOptions)));
    const opened = await session;
    const start = performance.now();
    const outputs = await runWhole(() => runSession(opened, input, takeFloats));
    if (input.isKept !== true) freeMemory(input.data);
    const { runs, ms } = timings.get(name) ?? { runs: 0, ms: 0 };
    timings.set(name, { runs: runs + 1, ms: ms + performance.now() - start });
    return outputs;
  };
  return { name, hash, run };
};

const tryOut = async ({ run }: Pick<Network, "run">, dims: readonly number[]): Promise<void> => {
  await run({ data: new Float32Array(dims.reduce((product, dim) => product * dim, 1)), dims });
};

/** Converts the files of the packages. Loaded only here: threads of the service get converted files. */
const fromPackages =
  (ledger: Ledger): ReadOnnx =>
  async (name) =>
    (await import("./network-files.ts")).readNetwork(name, ledger[name], keptNetworks);

/**
 * The networks of the calling thread: those of the ledger, by default from its files, and added ones. Each
 * opens at its first run.
 *
 * @example
 * ```ts
 * import { ledger } from "#machine/networks/ledger";
 * import { openNetworks } from "#machine/networks/networks";
 *
 * const { networks } = openNetworks(ledger);
 * const input = { data: new Float32Array(256 * 256 * 3), dims: [1, 256, 256, 3] };
 * console.log(await networks.blazeface.run(input));
 * ```
 */
export const openNetworks = (
  ledger: Ledger,
  readOnnx: ReadOnnx = fromPackages(ledger),
  addedFiles: readonly AddedFile[] = [],
  options: NetworkOptions = {},
): OpenedNetworks => {
  const timings = new Map<string, Timing>();
  const networks: Networks = byModel((name) =>
    makeNetwork(name, modelHash(ledger[name]), () => readOnnx(name), timings, options),
  );
  const added = addedFiles.map(({ name, hash, read }) =>
    makeNetwork(name, hash, async () => read(), timings, options),
  );
  const takeTimings = (): Timings => {
    const taken = Object.fromEntries(timings);
    timings.clear();
    return taken;
  };
  const warmUp: OpenedNetworks["warmUp"] = async () => {
    for (const name of modelNames) await tryOut(networks[name], ledger[name].trialDims);
    for (const [i, network] of added.entries()) await tryOut(network, addedFiles[i]!.trialDims);
    takeTimings();
  };
  return { networks, added, takeTimings, warmUp };
};
