import { findText, latin1, readObjectHeader } from "./bytes.ts";
import { DamagedPdf } from "./damaged.ts";
import { type InflateBudget, inflateWithin } from "./inflate.ts";
import { undoPngPredictor, undoTiffPredictor } from "./predictor.ts";
import type { Steps } from "./steps.ts";
import { naturalNumber, naturalNumbers, readTokens } from "./tokens.ts";
import type { XrefEntry } from "./xref.ts";

/** Longest dictionary before a stream of the cross-reference. */
const dictionaryBytesMax = 1 << 20;

export type StreamSection = {
  readonly trailer: ReadonlyMap<string, string>;
  readonly entries: readonly (readonly [number, XrefEntry])[];
};

/** The dictionary of the object at `at` and the index of its stream's first byte; undefined without a stream. Throws TooManySteps. */
export const readStreamStart = (
  bytes: Uint8Array,
  at: number,
  steps: Steps,
): { readonly dictionary: Map<string, string>; readonly dataAt: number | undefined } => {
  const header = readObjectHeader(bytes, at, steps);
  if (header === undefined) throw new DamagedPdf(`no object stands at ${at}`);
  const tokens = readTokens(bytes, header.end, dictionaryBytesMax, steps);
  const dictionary = tokens.dictionary();
  tokens.skipSpace();
  let start = tokens.position();
  if (latin1(bytes, start, start + 6) !== "stream") return { dictionary, dataAt: undefined };
  start += 6;
  if (bytes[start] === 13) start++;
  if (bytes[start] === 10) start++;
  return { dictionary, dataAt: start };
};

/** Undoes the filter of a stream of the cross-reference: none or Deflate, with any predictor. */
export const decodeFlate = (
  raw: Uint8Array,
  dictionary: ReadonlyMap<string, string>,
  budget: InflateBudget,
  steps: Steps,
): Uint8Array => {
  const filter = dictionary.get("Filter");
  if (filter === undefined || /^\[\s*\]$/.test(filter)) return raw;
  if (!/^\[?\s*\/(FlateDecode|Fl)\s*\]?$/.test(filter))
    throw new DamagedPdf("a stream has another filter than Deflate");
  const inflated = inflateWithin(raw, budget, steps);
  const parameters = dictionary.get("DecodeParms") ?? dictionary.get("DP") ?? "";
  const predictor = Number(/\/Predictor\s+(\d{1,3})/.exec(parameters)?.[1] ?? 1);
  const columns = Number(/\/Columns\s+(\d{1,7})/.exec(parameters)?.[1] ?? 1);
  if (predictor !== 1) steps.take(inflated.length);
  if (predictor >= 10) return undoPngPredictor(inflated, columns);
  return predictor === 2 ? undoTiffPredictor(inflated, columns) : inflated;
};

const readRows = (
  data: Uint8Array,
  widths: readonly [number, number, number],
  index: readonly number[],
  take: (entries: number) => void,
): readonly (readonly [number, XrefEntry])[] => {
  const entries: [number, XrefEntry][] = [];
  let at = 0;
  const field = (width: number): number => {
    let value = 0;
    for (let byte = 0; byte < width; byte++) value = value * 256 + data[at++]!;
    return value;
  };
  const rowBytes = widths[0] + widths[1] + widths[2];
  for (let pair = 0; pair + 1 < index.length; pair += 2) {
    const first = index[pair]!;
    const count = Math.min(index[pair + 1]!, Math.floor((data.length - at) / rowBytes));
    take(count);
    for (let number = first; number < first + count; number++) {
      const kind = widths[0] === 0 ? 1 : field(widths[0]);
      const second = field(widths[1]);
      const third = field(widths[2]);
      if (kind === 0) entries.push([number, { kind: "free" }]);
      if (kind === 1) entries.push([number, { kind: "plain", offset: second, generation: third }]);
      if (kind === 2) entries.push([number, { kind: "compressed", stream: second, index: third }]);
    }
  }
  return entries;
};

/** Reads the stream of the cross-reference at `at` (ISO 32000-2, 7.5.8). Throws DamagedPdf, InflatedTooLarge and TooManySteps. */
export const readXrefStream = (
  bytes: Uint8Array,
  at: number,
  budget: InflateBudget,
  take: (entries: number) => void,
  steps: Steps,
): StreamSection => {
  const { dictionary, dataAt } = readStreamStart(bytes, at, steps);
  if (dictionary.get("Type") !== "/XRef" || dataAt === undefined)
    throw new DamagedPdf(`no cross-reference stands at ${at}`);
  const length = naturalNumber(dictionary.get("Length"));
  const end = length === undefined ? findText(bytes, "endstream", dataAt, steps) : dataAt + length;
  if (end < dataAt || end > bytes.length) throw new DamagedPdf("a cross-reference stream does not end");
  const widths = naturalNumbers(dictionary.get("W"), steps);
  const [first, second, third] = widths;
  if (first === undefined || second === undefined || third === undefined || widths.some((width) => width > 8))
    throw new DamagedPdf("a cross-reference stream has wrong widths");
  if (first + second + third === 0) throw new DamagedPdf("a cross-reference stream has wrong widths");
  const size = naturalNumber(dictionary.get("Size"));
  if (size === undefined) throw new DamagedPdf("a cross-reference stream has no Size");
  const index = dictionary.has("Index") ? naturalNumbers(dictionary.get("Index"), steps) : [0, size];
  const data = decodeFlate(bytes.subarray(dataAt, end), dictionary, budget, steps);
  return { trailer: dictionary, entries: readRows(data, [first, second, third], index, take) };
};
