import { randomUUID } from "node:crypto";
import { link, open, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a file for its owner only, completely and durably or not at all. An existing file stays, so two
 * starts at the same time both read the first secret.
 */
export const writeFirst = async (file: string, text: string): Promise<void> => {
  const temporary = `${file}.${process.pid}.${randomUUID()}.new`;
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") {
      throw error;
    }
  });
  await rm(temporary);
  await syncDirectory(dirname(file));
};

/** A new name survives a power loss only after a sync of its directory. */
const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
