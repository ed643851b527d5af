import type { Allocate, KeptFiles } from "./kept-files.ts";
import type { Ledger, LedgerEntry } from "./ledger.ts";
import { byModel, type ModelName, modelNames } from "./model.ts";
import { hashOf, readModelFiles } from "./model-files.ts";

/** The ONNX file of each network. */
export type NetworkFiles = Readonly<Record<ModelName, Uint8Array>>;

const ownMemory: Allocate = (length) => new Uint8Array(length);

const sharedMemory: Allocate = (length) => new Uint8Array(new SharedArrayBuffer(length));

/** The converter is loaded for networks that are not kept. */
const convert = async (name: ModelName, entry: LedgerEntry): Promise<Uint8Array> => {
  const { onnxBytes } = await import("./onnx-bytes.ts");
  const made = onnxBytes(name, entry, await readModelFiles(entry));
  const found = hashOf(made);
  if (found !== entry.converted) {
    throw new Error(
      `The network ${name} has SHA-256 ${found} once converted, the ledger says ${entry.converted}: it is not loaded`,
    );
  }
  return made;
};

const copyInto = (allocate: Allocate, bytes: Uint8Array): Uint8Array => {
  const copy = allocate(bytes.length);
  copy.set(bytes);
  return copy;
};

const readInto = async (
  name: ModelName,
  entry: LedgerEntry,
  kept: KeptFiles,
  allocate: Allocate,
): Promise<Uint8Array> => {
  if (entry.form === "onnx") {
    const [file] = await readModelFiles(entry);
    if (file === undefined) throw new Error(`${name}: no file`);
    return copyInto(allocate, file);
  }
  const found = await kept.find(entry.converted, allocate);
  if (found !== undefined) return found;
  const made = await convert(name, entry);
  await kept.keep(entry.converted, made);
  return copyInto(allocate, made);
};

/**
 * One network's ONNX file. A network that `kept` holds is not converted again. Throws Error on a missing
 * file, and on a file or a converted network whose hash is not in the ledger.
 */
export const readNetwork = (name: ModelName, entry: LedgerEntry, kept: KeptFiles): Promise<Uint8Array> =>
  readInto(name, entry, kept, ownMemory);

/**
 * Every network of the ledger, checked and converted once, in memory that the threads share: per thread it
 * would add .3 s to every start. Throws as `readNetwork` does, before the service listens.
 */
export const readNetworks = async (ledger: Ledger, kept: KeptFiles): Promise<NetworkFiles> => {
  const files = new Map<ModelName, Uint8Array>();
  for (const name of modelNames) {
    files.set(name, await readInto(name, ledger[name], kept, sharedMemory));
  }
  return byModel((name) => files.get(name)!);
};

/** A copy in memory that all threads share. */
export const shared = (bytes: Uint8Array): Uint8Array => copyInto(sharedMemory, bytes);
