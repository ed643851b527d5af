import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { TakeLine } from "#machine/storage/backup/archive";
import { writeManifestLine } from "#machine/storage/backup/manifest";

/** Gives the work a sink of the manifest's lines; the file takes its name when the work is done. */
export const withManifest = async <Result>(
  file: string | undefined,
  work: (takeLine: TakeLine) => Promise<Result>,
): Promise<Result> => {
  if (file === undefined) return await work(() => undefined);
  const partial = `${file}.${process.pid}.part`;
  const handle = await open(partial, "wx", 0o600);
  try {
    const result = await work(makeLineSink(handle));
    await handle.sync();
    await handle.close();
    await rename(partial, file);
    await flushDirectoryOf(file);
    return result;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
};

const linesPerWrite = 500;

/** Writes many lines at once; the end of the manifest writes the rest. */
const makeLineSink = (handle: FileHandle): TakeLine => {
  let waiting: string[] = [];
  return async (line) => {
    waiting.push(writeManifestLine(line));
    if (line.type !== "end" && waiting.length < linesPerWrite) return;
    const text = waiting.join("");
    waiting = [];
    await handle.appendFile(text);
  };
};

/** Makes the name of a file durable. */
export const flushDirectoryOf = async (file: string): Promise<void> => {
  const directory = await open(dirname(file), "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
};
