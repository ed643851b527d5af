import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { CommandError, UsageError } from "../command.ts";
import { readHar } from "./har.ts";
import { usedNames } from "./placeholders.ts";
import { type RecordedRequest, RequestFault, readRequestLine } from "./request.ts";

/** The longest line: a request with two images of the largest size that any operation takes. */
const lineBytesMax = 64 * 1024 ** 2;

/** A HAR file is one JSON text, which is read as a whole. */
const harBytesMax = 256 * 1024 ** 2;

export type RequestFile = {
  readonly count: number;
  /** Entries of a HAR file that are no call of the interface. */
  readonly leftOut: number;
  /** The requests again, one by one. */
  readonly requests: () => AsyncIterable<RecordedRequest>;
};

/**
 * Opens a file of requests after a check of each of them, so that nothing is sent from a file with a mistake.
 * `prefix` is the address that the calls of a HAR file begin with. Throws UsageError for a request that
 * cannot be sent, CommandError for a file that cannot be read.
 */
export const openRequests = async (path: string, prefix: string): Promise<RequestFile> => {
  try {
    if (path.toLowerCase().endsWith(".har")) {
      const { requests, leftOut } = readHar(await readWhole(path), prefix);
      return { ...(await check(requests)), leftOut, requests: () => listed(requests) };
    }
    return { ...(await check(requestsIn(path))), leftOut: 0, requests: () => requestsIn(path) };
  } catch (cause) {
    if (cause instanceof RequestFault) throw new UsageError(`${path}: ${cause.message}`);
    // Errors of the disk have a code such as ENOENT; a DOMException has a number.
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    throw typeof code === "string" ? new CommandError(`${path} cannot be read (${code}).`, { cause }) : cause;
  }
};

async function* listed(requests: readonly RecordedRequest[]): AsyncGenerator<RecordedRequest> {
  yield* requests;
}

/** Counts the requests. A name must be captured by an earlier request than those that use it. */
const check = async (
  requests: AsyncIterable<RecordedRequest> | Iterable<RecordedRequest>,
): Promise<{ readonly count: number }> => {
  const captured = new Set<string>();
  let count = 0;
  for await (const request of requests) {
    const unknown = [...usedNames(request)].find((name) => !captured.has(name));
    if (unknown !== undefined) {
      throw new RequestFault(`Line ${request.line} uses {{${unknown}}}, which no earlier request captures.`);
    }
    for (const name of Object.keys(request.capture)) captured.add(name);
    count++;
  }
  if (count === 0) throw new RequestFault("The file holds no request.");
  return { count };
};

const readWhole = async (path: string): Promise<string> => {
  if ((await stat(path)).size > harBytesMax) {
    throw new RequestFault(
      `A HAR file is read up to ${harBytesMax / 1024 ** 2} MiB. Write its requests as JSON Lines.`,
    );
  }
  return await readFile(path, "utf8");
};

async function* requestsIn(path: string): AsyncGenerator<RecordedRequest> {
  for await (const { text, line } of linesOf(createReadStream(path, { highWaterMark: 256 * 1024 }))) {
    if (text.trim() !== "") yield readRequestLine(text, line);
  }
}

type Line = { readonly text: string; readonly line: number };

/** Lines of UTF-8, in memory one at a time. Throws RequestFault for a line that is too long or no UTF-8. */
export async function* linesOf(
  source: AsyncIterable<Uint8Array>,
  bytesMax = lineBytesMax,
): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let [length, line] = [0, 1];
  const keep = (part: Uint8Array): void => {
    length += part.length;
    if (length > bytesMax) throw new RequestFault(`Line ${line} is longer than ${bytesMax} bytes.`);
    parts.push(part);
  };
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      keep(chunk.subarray(start, end));
      yield { text: textOf(parts, line), line };
      [parts, length, line, start] = [[], 0, line + 1, end + 1];
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  }
  if (length > 0) yield { text: textOf(parts, line), line };
}

/** Without a byte order mark. */
const textOf = (parts: readonly Uint8Array[], line: number): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw new RequestFault(`Line ${line} is not UTF-8.`);
  }
};
