import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import type { CsvRow } from "./csv.ts";

/**
 * The most bytes of one row. A longer row means a file without line ends, or a quote that is never closed.
 */
const rowBytesMax = 65_536;

type Separator = "," | ";";

/** A file that is no CSV in UTF-8. `line` is the last line that was read. */
export class CsvFault extends Error {
  override readonly name = "CsvFault";
  readonly line: number;

  constructor(line: number, cause: unknown) {
    super(`The file is no CSV in UTF-8 after line ${line}`, { cause });
    this.line = line;
  }
}

/**
 * The rows of a CSV file of any length, in bounded memory, without blank ones. More semicolons than commas in
 * the first line make the semicolon the separator: spreadsheets write it where the comma is the decimal mark.
 * Throws {@link CsvFault} for a row with a wrong quote, and for bytes that are not UTF-8; fails as the file
 * system does.
 */
export async function* readCsvRows(path: string): AsyncGenerator<CsvRow> {
  let line = 0;
  try {
    const { separator, text } = await sniff(decode(path));
    const parser = parse({
      bom: true,
      delimiter: separator,
      info: true,
      max_record_size: rowBytesMax,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      skip_empty_lines: true,
    });
    // A failure of the source ends the parser with that failure, which the loop below throws.
    pipeline(Readable.from(text), parser, () => undefined);
    for await (const row of parser) {
      const { record, info }: { record: string[]; info: { lines: number } } = row;
      line = info.lines;
      yield { line, cells: record };
    }
  } catch (error) {
    const isContent = error instanceof CsvError || error instanceof TypeError;
    throw isContent ? new CsvFault(line, error) : error;
  }
}

/** The separator of the first line, and the whole text. Holds no more than a row and one part of the file. */
const sniff = async (
  parts: AsyncGenerator<string>,
): Promise<{ readonly separator: Separator; readonly text: AsyncGenerator<string> }> => {
  let head = "";
  while (!/[\r\n]/.test(head) && head.length <= rowBytesMax) {
    const { value, done } = await parts.next();
    if (done === true) break;
    head += value;
  }
  const [first = ""] = head.split(/[\r\n]/, 1);
  const separator = first.split(";").length > first.split(",").length ? ";" : ",";
  return { separator, text: joined(head, parts) };
};

async function* joined(head: string, parts: AsyncGenerator<string>): AsyncGenerator<string> {
  yield head;
  yield* parts;
}

/** Throws TypeError for bytes that are not UTF-8. */
async function* decode(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const part of createReadStream(path)) yield decoder.decode(part, { stream: true });
  yield decoder.decode();
}
