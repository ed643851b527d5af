import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { CommandError } from "../command.ts";

/** Advice of `readText` for CSV, which mostly comes from a spreadsheet. */
export const csvAdvice = 'Save the file as UTF-8 (Excel: Save As, "CSV UTF-8").';

/**
 * The text of an operator's UTF-8 file, without a byte order mark. Throws CommandError when it cannot be read
 * or has another encoding. `called` is the operator's name for the file, `advice` how to save it.
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

/**
 * The first line, counted from 1, that is not UTF-8. In UTF-8 no byte of a longer character is a line end.
 */
const findWrongLine = (bytes: Uint8Array): number | undefined => {
  if (isUtf8(bytes)) return undefined;
  let [line, start] = [1, 0];
  for (;;) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line;
    [line, start] = [line + 1, end + 1];
  }
};
