import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes the names in a folder survive a power loss. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Writes a text completely or not at all, over an existing file; resolves when it survives a power loss. */
export const writeDurably = async (file: string, text: string): Promise<void> => {
  const temporary = `${file}.${randomUUID()}.new`;
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  await syncFolder(dirname(file));
};

/** Renames a file into its place, completely or not at all. */
export const settle = async (from: string, to: string): Promise<void> => {
  const handle = await open(from, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(from, to);
  await syncFolder(dirname(to));
};
