import { Base64Parts } from "#contract/base64";
import type { FileAnswer } from "#contract/file-answer";
import type { StreamedBody, WrittenAnswer } from "./options.ts";

/**
 * Shorter texts are written at once: their answers can be stored for retries, which takes texts of a
 * megabyte.
 */
const streamedCharsMin = 900_000;

/** How many bytes become one chunk. It is a multiple of three, so that no padding comes between chunks. */
const chunkBytes = 3 * 64 * 1024;

const encode = (bytes: Uint8Array): Buffer =>
  Buffer.from(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64"), "latin1");

/** Parts as Base64, in chunks. A group of three bytes may lie across the border of two parts. */
export function* encodeParts(parts: readonly Uint8Array[]): Generator<Buffer> {
  let rest: Uint8Array = new Uint8Array();
  for (const part of parts) {
    const first = rest.length === 0 ? 0 : Math.min(3 - rest.length, part.length);
    if (rest.length > 0) {
      rest = Buffer.concat([rest, part.subarray(0, first)]);
      if (rest.length < 3) continue;
      yield encode(rest);
    }
    const whole = part.length - ((part.length - first) % 3);
    for (let from = first; from < whole; from += chunkBytes) {
      yield encode(part.subarray(from, Math.min(from + chunkBytes, whole)));
    }
    rest = part.subarray(whole);
  }
  if (rest.length > 0) yield encode(rest);
}

const textOf = ({ parts }: Base64Parts): string => Buffer.concat([...encodeParts(parts)]).toString("latin1");

/**
 * The JSON of a result. Large parts in Base64 are streamed, one after the other. The mark of their places is
 * a text that no caller can foretell.
 */
export const writeJson = (result: unknown, mark: string): string | StreamedBody => {
  const streamed: Base64Parts[] = [];
  const json = JSON.stringify(result, (_, value: unknown) => {
    if (!(value instanceof Base64Parts)) return value;
    if (value.length < streamedCharsMin) return textOf(value);
    streamed.push(value);
    return mark;
  });
  if (streamed.length === 0) return json;
  // The parts stand in the order in which their places were written.
  const texts = json.split(mark).map((text) => Buffer.from(text));
  return {
    bytes: [...texts, ...streamed].reduce((sum, { length }) => sum + length, 0),
    chunks: function* () {
      for (const [at, text] of texts.entries()) {
        yield text;
        const part = streamed[at];
        if (part !== undefined) yield* encodeParts(part.parts);
      }
    },
  };
};

/** Writes a file as it is, part after part. */
export const writeFile = ({ contentType, parts, headers }: FileAnswer): WrittenAnswer => ({
  status: 200,
  contentType,
  headers,
  body: { bytes: parts.reduce((sum, part) => sum + part.length, 0), chunks: () => parts },
});
