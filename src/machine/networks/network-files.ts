import type { Ledger, LedgerEntry } from "./ledger.ts";
import { byModel, type ModelName, modelNames } from "./model.ts";
import { readModelFiles } from "./model-files.ts";
import { onnxBytes } from "./onnx-bytes.ts";

/** The ONNX file of each network. */
export type NetworkFiles = Readonly<Record<ModelName, Uint8Array>>;

/** One network's ONNX file. Throws Error on a missing file and on a hash that is not in the ledger. */
export const readNetwork = async (name: ModelName, entry: LedgerEntry): Promise<Uint8Array> =>
  onnxBytes(name, entry, await readModelFiles(entry));

/**
 * Every network of the ledger, checked and converted once, in memory that the threads share: per thread it
 * would add .3 s to every start. Throws as `readNetwork` does, before the service listens.
 */
export const readNetworks = async (ledger: Ledger): Promise<NetworkFiles> => {
  const files = new Map<ModelName, Uint8Array>();
  for (const name of modelNames) {
    files.set(name, shared(await readNetwork(name, ledger[name])));
  }
  return byModel((name) => files.get(name)!);
};

/** A copy in memory that all threads share. */
export const shared = (bytes: Uint8Array): Uint8Array => {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
};
