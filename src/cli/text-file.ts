import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { CommandError } from "./command.ts";

/** For `readText` of CSV, which mostly comes out of a spreadsheet. */
export const csvAdvice = 'Save the file as UTF-8 (Excel: Save As, "CSV UTF-8").';

/**
 * The text of a file in UTF-8 that the operator named, without a byte order mark. Throws CommandError when it cannot be read
 * or is of another encoding; `called` is what he knows it as, `advice` says how such a file is saved.
 */
export const readText = async (
  path: string,
  called = path,
  advice = "Save the file as UTF-8.",
): Promise<string> => {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new CommandError(`${called} cannot be read (${cause.code ?? cause.message}).`, { cause });
  });
  const wrong = findWrongLine(bytes);
  if (wrong !== undefined) {
    throw new CommandError(`${called}: line ${wrong} is not UTF-8. ${advice}`);
  }
  return new TextDecoder().decode(bytes);
};

/** The first line, from 1, that is no UTF-8: no byte of a longer letter is a line end there. */
const findWrongLine = (bytes: Uint8Array): number | undefined => {
  if (isUtf8(bytes)) return undefined;
  let [line, start] = [1, 0];
  for (;;) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line;
    [line, start] = [line + 1, end + 1];
  }
};
