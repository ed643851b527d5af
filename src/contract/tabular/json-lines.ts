import { createReadStream } from "node:fs";

/** The most bytes of one line, the same as of a row of CSV. */
const lineBytesMax = 65_536;

/** A line of a file, from 1. `value` is undefined for a line that is no JSON, not UTF-8 or too long. */
export type JsonLine = { readonly line: number; readonly value: unknown };

const lineFeed = 10;

const parseLine = (bytes: Uint8Array): unknown => {
  if (bytes.length > lineBytesMax) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
};

const isBlank = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte === 32 || byte === 9 || byte === 13);

/**
 * The lines of a file with one JSON value on each (JSONL), of any length, in bounded memory and without blank
 * ones. Fails as the file system does.
 */
export async function* readJsonLines(path: string): AsyncGenerator<JsonLine> {
  let line = 0;
  for await (const bytes of linesOf(path)) {
    line++;
    if (!isBlank(bytes)) yield { line, value: parseLine(bytes) };
  }
}

/**
 * The bytes of each line, without its end. A line over the limit is cut one byte past it, so that the caller
 * sees the excess.
 */
async function* linesOf(path: string): AsyncGenerator<Uint8Array> {
  let kept: Uint8Array[] = [];
  let length = 0;
  const keep = (part: Uint8Array): void => {
    const free = lineBytesMax + 1 - length;
    if (free <= 0) return;
    kept.push(part.subarray(0, free));
    length += Math.min(part.length, free);
  };
  for await (const part of createReadStream(path)) {
    if (!(part instanceof Uint8Array)) throw new Error("A file is read as bytes");
    let from = 0;
    for (let end = part.indexOf(lineFeed); end >= 0; end = part.indexOf(lineFeed, from)) {
      keep(part.subarray(from, end));
      yield Buffer.concat(kept);
      [kept, length, from] = [[], 0, end + 1];
    }
    keep(part.subarray(from));
  }
  if (length > 0) yield Buffer.concat(kept);
}
