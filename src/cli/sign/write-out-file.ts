import { open, rename, rm } from "node:fs/promises";
import { CommandError } from "../command.ts";

/** Writes the parts of a file one after the other, readable by its owner alone. An existing file is replaced when all is written. */
export const writeOutFile = async (file: string, parts: readonly Uint8Array[]): Promise<void> => {
  const partial = `${file}.partial`;
  const write = async (): Promise<void> => {
    const handle = await open(partial, "w", 0o600);
    try {
      for (const part of parts) await handle.write(part);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, file);
  };
  await write().catch(async (error: NodeJS.ErrnoException) => {
    await rm(partial, { force: true });
    throw new CommandError(`${file} cannot be written (${error.code ?? error.message}).`);
  });
};
