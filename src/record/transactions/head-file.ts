import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { type HeadLine, readHeadLine, writeLine } from "./evidence-file.ts";
import { readTextLines } from "./text-lines.ts";

/** The file of heads in the data directory. */
export const headFileName = "evidence-heads.jsonl";

/**
 * Appends heads to a file, durably, for its owner only. Several processes may append to one file: a line is
 * one write.
 */
export const appendHeads = async (path: string, heads: readonly HeadLine[]): Promise<void> => {
  const { O_APPEND, O_CREAT, O_RDWR } = constants;
  const handle = await open(path, O_APPEND | O_CREAT | O_RDWR, 0o600);
  try {
    if (await endsCut(handle)) await handle.appendFile("\n");
    for (const head of heads) {
      await handle.appendFile(`${writeLine(head)}\n`);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Whether the last line has no end, as after a full disk. The next head must not continue it. */
const endsCut = async (handle: FileHandle): Promise<boolean> => {
  const { size } = await handle.stat();
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
  return bytesRead === 1 && buffer[0] !== 0x0a;
};

/**
 * The heads of a file: a file of heads, an export, or a log of the service. A file that does not exist has
 * none. Other lines are skipped, such as a line that a full disk cut.
 */
export async function* readHeads(path: string): AsyncGenerator<HeadLine> {
  for await (const text of readTextLines(path)) {
    const head = readHeadLine(text);
    if (head !== undefined) yield head;
  }
}
