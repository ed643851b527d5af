import { mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { hashOf } from "./model-files.ts";

/** Gives memory for so many bytes. */
export type Allocate = (length: number) => Uint8Array;

/** Files in a folder, each under the SHA-256 of its bytes (hex). Made by {@link makeKeptFiles}. */
export type KeptFiles = {
  /**
   * The file, in memory of `allocate`; undefined where there is none, and where its bytes have another hash.
   */
  readonly find: (sha256: string, allocate: Allocate) => Promise<Uint8Array | undefined>;
  /** Keeps a file, whose hash the caller has tested. Does nothing in a folder that cannot be written. */
  readonly keep: (sha256: string, bytes: Uint8Array) => Promise<void>;
};

/** Reads a file into memory of `allocate`. Throws the error of the disk. */
const readInto = async (path: string, allocate: Allocate): Promise<Uint8Array> => {
  const file = await open(path);
  try {
    const bytes = allocate((await file.stat()).size);
    let at = 0;
    while (at < bytes.length) {
      const { bytesRead } = await file.read(bytes, at, bytes.length - at, at);
      if (bytesRead === 0) throw new Error(`${path} became shorter`);
      at += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
};

/** Kept files save time alone: a start that finds none makes the file again. */
export const makeKeptFiles = (folder: string): KeptFiles => {
  const pathOf = (sha256: string): string => join(folder, `${sha256}.onnx`);
  return {
    find: async (sha256, allocate) => {
      const bytes = await readInto(pathOf(sha256), allocate).catch(() => undefined);
      return bytes !== undefined && hashOf(bytes) === sha256 ? bytes : undefined;
    },
    keep: async (sha256, bytes) => {
      const part = `${pathOf(sha256)}.${process.pid}-${threadId}`;
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(part, bytes);
        await rename(part, pathOf(sha256)); // at once: another process reads a whole file or none
      } catch {
        await rm(part, { force: true }).catch(() => undefined);
      }
    },
  };
};
