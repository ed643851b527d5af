import { readFile } from "node:fs/promises";
import { CommandError } from "./command.ts";

/** The text of a file that the operator named. Throws CommandError when it cannot be read; `called` is what he knows it as. */
export const readText = async (path: string, called = path): Promise<string> =>
  await readFile(path, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw new CommandError(`${called} cannot be read (${cause.code ?? cause.message}).`, { cause });
  });
