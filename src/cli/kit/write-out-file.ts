import { open, rename, rm } from "node:fs/promises";
import { CommandError } from "../command.ts";

/**
 * Writes the parts of a file one after the other, readable by its owner alone. The file takes its name, and
 * replaces an existing one, when all is written and durable. Throws CommandError where the file cannot be
 * written, and the errors of `parts`.
 */
export const writeOutFile = async (
  file: string,
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> => {
  const partial = `${file}.${process.pid}.part`;
  const fail = (error: NodeJS.ErrnoException): never => {
    throw new CommandError(`${file} cannot be written (${error.code ?? error.message}).`, { cause: error });
  };
  // A file or a link of this name belongs to another program, so it is neither followed nor removed.
  const handle = await open(partial, "wx", 0o600).catch(fail);
  try {
    for await (const part of parts) await handle.appendFile(part).catch(fail);
    await handle.sync().catch(fail);
    await handle.close().catch(fail);
    await rename(partial, file).catch(fail);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
};
