import { DamagedPdf } from "../damaged.ts";
import type { Steps } from "../steps.ts";
import { type DecodeBounds, decodeStream } from "./decode-stream.ts";
import { type Cursor, skipSpace, tryCount } from "./parse-value.ts";
import { countOf, type Entries, type PdfValue } from "./pdf-value.ts";

/** An object in an object stream, by its own statement: its number and where its value begins. */
type Contained = { readonly number: number; readonly at: number };

/** The decoded bytes of an object stream, and its objects in their order. */
type Container = { readonly data: Uint8Array; readonly contained: readonly Contained[] };

/** More objects in one stream are refused. */
const containedMax = 100_000;

/** An object of an object stream becomes an entry: some .5 µs. */
const containedSteps = 40;

/**
 * The objects of an object stream (ISO 32000-2, 7.5.7). A value is read when it is asked for, as one outside
 * is.
 */
const readContainer = (entries: Entries, data: Uint8Array, steps: Steps): Container => {
  const [count, first] = [countOf(entries.get("N")), countOf(entries.get("First"))];
  if (count === undefined || first === undefined || count > containedMax)
    throw new DamagedPdf("an object stream is damaged");
  const header: Cursor = { bytes: data, steps, at: 0 };
  const contained = Array.from({ length: count }, (): Contained => {
    steps.take(containedSteps);
    skipSpace(header);
    const number = tryCount(header);
    skipSpace(header);
    const offset = tryCount(header);
    if (number === undefined || offset === undefined) throw new DamagedPdf("an object stream is damaged");
    return { number, at: first + offset };
  });
  return { data, contained };
};

/**
 * Finds objects in object streams, each of which `load` gives once. `onCut` hears of each stream that ends
 * early. Throws DamagedPdf for one that is none.
 */
export const makeContainers = (
  bounds: DecodeBounds,
  load: (number: number) => PdfValue,
  onCut: (number: number) => void,
) => {
  const opened = new Map<number, Container>();
  const open = (number: number): Container => {
    const known = opened.get(number);
    if (known !== undefined) return known;
    const value = load(number);
    if (value.kind !== "stream") throw new DamagedPdf(`object stream ${number} is no stream`);
    const data = decodeStream(value.entries, value.raw, { ...bounds, onCut: () => onCut(number) });
    const container = readContainer(value.entries, data, bounds.steps);
    opened.set(number, container);
    return container;
  };
  return (
    number: number,
    index: number,
  ): { readonly data: Uint8Array; readonly found: Contained | undefined } => {
    const { data, contained } = open(number);
    return { data, found: contained[index] };
  };
};
