import { access, constants, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CommandError } from "../command.ts";

/** Writes a report as JSON; NaN becomes null. Does nothing without a path. */
export const writeFigures = async (path: string | undefined, report: unknown): Promise<void> => {
  if (path !== undefined) {
    await writeFile(path, `${JSON.stringify(report, null, 2)}\n`);
  }
};

/**
 * Checks that the report file can be written before hours of work begin. Throws CommandError when it cannot.
 */
export const checkFiguresFile = async (
  option: "--json" | "--html" | "--out" | "--manifest",
  path: string | undefined,
): Promise<void> => {
  if (path === undefined) {
    return;
  }
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  await access(isThere ? path : dirname(path), constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${option} ${path} cannot be written (${error.code ?? error.message}).`);
  });
  if (isThere && !(await stat(path)).isFile()) {
    throw new CommandError(`${option} ${path} is not a file. Name one.`);
  }
};
