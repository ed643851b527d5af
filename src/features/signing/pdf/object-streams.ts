import { findText } from "./bytes.ts";
import { DamagedPdf } from "./damaged.ts";
import { deflateRatioMax, type InflateBudget } from "./inflate.ts";
import type { Containers } from "./measure-objects.ts";
import { type Steps, tryRead } from "./steps.ts";
import { naturalNumber } from "./tokens.ts";
import type { Xref } from "./xref.ts";
import { decodeFlate, readStreamStart } from "./xref-stream.ts";

/** Decrypts a stream of an object; undefined in a file without encryption. */
export type DecryptStream = (bytes: Uint8Array, number: number, generation: number) => Uint8Array;

/** Filters that make bytes more by a bounded ratio; the others make them fewer. */
const expanding = /\/(FlateDecode|Fl|LZWDecode|LZW|RunLengthDecode|RL|Crypt|JBIG2Decode)\b/g;

/** The bytes of a stream: its `Length` where it is a number, else up to `endstream`. */
export const rawStream = (
  bytes: Uint8Array,
  dictionary: ReadonlyMap<string, string>,
  dataAt: number,
  steps: Steps,
): Uint8Array => {
  const length = naturalNumber(dictionary.get("Length"));
  if (length !== undefined && dataAt + length <= bytes.length) return bytes.subarray(dataAt, dataAt + length);
  const end = findText(bytes, "endstream", dataAt, steps);
  return bytes.subarray(dataAt, end < 0 ? bytes.length : end);
};

/** The decoded bytes of a stream; as many bytes as they may be where another filter than Deflate packs them. */
const decode = (
  raw: Uint8Array,
  dictionary: ReadonlyMap<string, string>,
  budget: InflateBudget,
  steps: Steps,
): Uint8Array | undefined => {
  const filter = dictionary.get("Filter") ?? "";
  const factors = filter.match(expanding)?.length ?? 0;
  if (factors === 0 && !/\d+\s+R/.test(filter)) {
    budget.take(raw.length);
    return filter === "" ? raw : undefined;
  }
  if (/^\[?\s*\/(FlateDecode|Fl)\s*\]?$/.test(filter)) return decodeFlate(raw, dictionary, budget, steps);
  budget.take(raw.length * deflateRatioMax ** Math.max(1, factors));
  return undefined;
};

type Bounds = { readonly budget: InflateBudget; readonly steps: Steps };

/**
 * Decodes the object streams of a file within the budget, before a parser inflates them without a bound. Throws InflatedTooLarge and
 * TooManySteps. Damaged streams are left to the parser.
 */
export const openObjectStreams = (
  bytes: Uint8Array,
  xref: Xref,
  { budget, steps }: Bounds,
  decrypt: DecryptStream | undefined,
): Containers => {
  const containers = new Map<number, { readonly data: Uint8Array; readonly first: number }>();
  // How many objects each stream holds by the cross-reference.
  const streams = new Map<number, number>();
  for (const entry of xref.entries.values())
    if (entry.kind === "compressed") streams.set(entry.stream, 1 + (streams.get(entry.stream) ?? 0));
  for (const [number, objects] of streams) {
    const entry = xref.entries.get(number);
    if (entry?.kind !== "plain") continue;
    tryRead(steps, DamagedPdf, () => {
      const { dictionary, dataAt } = readStreamStart(bytes, entry.offset, steps);
      if (dataAt === undefined) return;
      const raw = rawStream(bytes, dictionary, dataAt, steps);
      if (decrypt !== undefined) steps.take(raw.length);
      const data = decode(decrypt?.(raw, number, entry.generation) ?? raw, dictionary, budget, steps);
      const first = naturalNumber(dictionary.get("First"));
      // What cannot be decoded here cannot be measured: each of its objects may be all of it.
      if (data === undefined) steps.take(objects * raw.length);
      else if (first !== undefined) containers.set(number, { data, first });
    });
  }
  return containers;
};
