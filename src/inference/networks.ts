import { InferenceSession, Tensor as OrtTensor } from "onnxruntime-node";
import type { Ledger } from "./ledger.ts";
import { byModel, type ModelName, modelNames, type Network, type Networks, type Tensor } from "./model.ts";
import { modelHash } from "./model-files.ts";
import { readNetwork } from "./network-files.ts";
import { sessionOptions } from "./session-options.ts";

/** Runs of one network and the time they took together. */
export type Timing = { readonly runs: number; readonly ms: number };
export type Timings = Readonly<Partial<Record<ModelName, Timing>>>;

export type OpenedNetworks = {
  readonly networks: Networks;
  /** Runs since the last call. */
  readonly takeTimings: () => Timings;
  /** Opens every network and runs it once, so that no request pays for it. Throws Error where the ledger does not hold. */
  readonly warmUp: () => Promise<void>;
};

const runSession = async (
  session: InferenceSession,
  { data, dims }: Tensor,
): Promise<Readonly<Record<string, Tensor>>> => {
  const [inputName] = session.inputNames;
  if (inputName === undefined) throw new Error("The network has no input");
  const outputs = await session.run({ [inputName]: new OrtTensor("float32", data, dims) });
  const named = Object.entries(outputs).map(([name, output]): [string, Tensor] => {
    if (!(output.data instanceof Float32Array)) throw new Error(`The output ${name} is not of floats`);
    return [name, { data: output.data, dims: output.dims }];
  });
  return Object.fromEntries(named);
};

/** Gives a network's ONNX file, in memory that is not shared with another thread (onnxruntime takes no other). */
type ReadOnnx = (name: ModelName) => Promise<Uint8Array>;

/** The networks of the calling thread. Each is opened at its first run, by default from the files of the ledger. */
export const openNetworks = (
  ledger: Ledger,
  readOnnx: ReadOnnx = (name) => readNetwork(name, ledger[name]),
): OpenedNetworks => {
  let timings = new Map<ModelName, Timing>();
  const open = (name: ModelName): Network => {
    let session: Promise<InferenceSession> | undefined;
    const run: Network["run"] = async (input) => {
      session ??= readOnnx(name).then((bytes) => InferenceSession.create(bytes, sessionOptions));
      const opened = await session;
      const start = performance.now();
      const outputs = await runSession(opened, input);
      const { runs, ms } = timings.get(name) ?? { runs: 0, ms: 0 };
      timings.set(name, { runs: runs + 1, ms: ms + performance.now() - start });
      return outputs;
    };
    return { name, hash: modelHash(ledger[name]), run };
  };
  const networks: Networks = byModel(open);
  const takeTimings = (): Timings => {
    const taken = Object.fromEntries(timings);
    timings = new Map();
    return taken;
  };
  const warmUp: OpenedNetworks["warmUp"] = async () => {
    for (const name of modelNames) {
      const dims = ledger[name].trialDims;
      await networks[name].run({
        data: new Float32Array(dims.reduce((product, dim) => product * dim, 1)),
        dims,
      });
    }
    takeTimings();
  };
  return { networks, takeTimings, warmUp };
};
