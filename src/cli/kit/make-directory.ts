import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Creates a directory and the directories above it, one level at a time: on file systems that accept no
 * directories, such as /proc, `mkdir` with `recursive` never ends.
 */
export const makeDirectory = async (directory: string, mode = 0o777): Promise<void> => {
  if (await isThere(directory)) return;
  await makeDirectory(dirname(directory), mode);
  await mkdir(directory, { mode }).catch((error: NodeJS.ErrnoException) => {
    // A concurrent process created it.
    if (error.code !== "EEXIST") throw error;
  });
};
