import type { Ledger, LedgerEntry } from "./ledger.ts";
import { byModel, type ModelName, modelNames } from "./model.ts";
import { readModelFiles } from "./model-files.ts";
import { onnxBytes } from "./onnx-bytes.ts";

/** The ONNX file of each network. */
export type NetworkFiles = Readonly<Record<ModelName, Uint8Array>>;

/** One network's ONNX file. Throws Error on a missing file and on a hash that the ledger does not know. */
export const readNetwork = async (name: ModelName, entry: LedgerEntry): Promise<Uint8Array> =>
  onnxBytes(name, entry, await readModelFiles(entry));

/**
 * Every network of the ledger, checked and converted once, in memory that the threads share: in each thread the same
 * would cost .3 s of every start. Throws as `readNetwork` does, before anything listens.
 */
export const readNetworks = async (ledger: Ledger): Promise<NetworkFiles> => {
  const files = new Map<ModelName, Uint8Array>();
  for (const name of modelNames) {
    files.set(name, shared(await readNetwork(name, ledger[name])));
  }
  return byModel((name) => files.get(name)!);
};

/** A copy in memory that all threads see. */
export const shared = (bytes: Uint8Array): Uint8Array => {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
};

/** What came into a thread as its networks. Throws Error where it is something else. */
export const networkFilesOf = (value: unknown): NetworkFiles => {
  if (!isNetworkFiles(value)) throw new Error("The thread got no networks");
  return value;
};

const isNetworkFiles = (value: unknown): value is NetworkFiles => {
  if (typeof value !== "object" || value === null) return false;
  const files = new Map(Object.entries(value));
  return modelNames.every((name) => files.get(name) instanceof Uint8Array);
};
