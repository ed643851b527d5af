import { bufferOf } from "./bytes.ts";
import { DamagedPdf } from "./damaged.ts";
import { deflateRatioMax, type InflateBudget, inflateWithin } from "./inflate.ts";
import { naturalNumber } from "./tokens.ts";
import type { Xref } from "./xref.ts";
import { readStreamStart } from "./xref-stream.ts";

/** Decrypts a stream of an object; undefined in a file without encryption. */
export type DecryptStream = (bytes: Uint8Array, number: number, generation: number) => Uint8Array;

/** Filters that make bytes more by a bounded ratio; the others make them fewer. */
const expanding = /\/(FlateDecode|Fl|LZWDecode|LZW|RunLengthDecode|RL|Crypt|JBIG2Decode)\b/g;

/** The bytes of a stream: its `Length` where it is a number, else up to `endstream`. */
export const rawStream = (
  bytes: Uint8Array,
  dictionary: ReadonlyMap<string, string>,
  dataAt: number,
): Uint8Array => {
  const length = naturalNumber(dictionary.get("Length"));
  if (length !== undefined && dataAt + length <= bytes.length) return bytes.subarray(dataAt, dataAt + length);
  const end = bufferOf(bytes).indexOf("endstream", dataAt);
  return bytes.subarray(dataAt, end < 0 ? bytes.length : end);
};

const checkStream = (
  raw: Uint8Array,
  dictionary: ReadonlyMap<string, string>,
  budget: InflateBudget,
): void => {
  const filter = dictionary.get("Filter") ?? "";
  const factors = filter.match(expanding)?.length ?? 0;
  if (factors === 0 && !/\d+\s+R/.test(filter)) return budget.take(raw.length);
  if (/^\[?\s*\/(FlateDecode|Fl)\s*\]?$/.test(filter)) {
    inflateWithin(raw, budget);
    return;
  }
  budget.take(raw.length * deflateRatioMax ** Math.max(1, factors));
};

/**
 * Counts what the object streams of a file inflate to, before a parser inflates them without a bound. Throws
 * InflatedTooLarge. Damaged streams are left to the parser.
 */
export const checkObjectStreams = (
  bytes: Uint8Array,
  xref: Xref,
  budget: InflateBudget,
  decrypt: DecryptStream | undefined,
): void => {
  const streams = new Set<number>();
  for (const entry of xref.entries.values()) if (entry.kind === "compressed") streams.add(entry.stream);
  for (const number of streams) {
    const entry = xref.entries.get(number);
    if (entry?.kind !== "plain") continue;
    try {
      const { dictionary, dataAt } = readStreamStart(bytes, entry.offset);
      if (dataAt === undefined) continue;
      const raw = rawStream(bytes, dictionary, dataAt);
      checkStream(decrypt?.(raw, number, entry.generation) ?? raw, dictionary, budget);
    } catch (error) {
      if (!(error instanceof DamagedPdf)) throw error;
    }
  }
};
