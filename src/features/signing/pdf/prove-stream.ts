import { DamagedPdf, PdfError } from "./damaged.ts";
import { type InflateBudget, inflateWithin, makeInflateBudget } from "./inflate.ts";
import { isFlate } from "./reader/decode-stream.ts";
import { nameOf, type PdfValue } from "./reader/pdf-value.ts";
import type { ShownObjects } from "./shown-objects.ts";
import type { Steps } from "./steps.ts";
import { decodeAscii85, decodeHex } from "./text-filters.ts";

export type Stream = Extract<PdfValue, { readonly kind: "stream" }>;

/** What a page does with a stream: it draws it, as content and forms are drawn, or its content names it. */
export type Use = "drawn" | "named";

/**
 * Whether the compression of a stream proves that its data is whole; undefined where it proves nothing: the
 * stream has another filter, or too many bytes.
 */
export type Prove = (stream: Stream, object: number, use: Use) => boolean | undefined;

const megabyte = 1024 * 1024;

/**
 * Bytes that the streams of all pages are inflated to. Images take nothing from what is drawn. What lies
 * beyond is not looked into: our choice, some .7 s.
 */
const bytesMax = { drawn: 64 * megabyte, named: 192 * megabyte };

/** Bytes of one stream. An image of A4 in colour, with 400 dots an inch, has 46 MB. */
const streamBytesMax = 64 * megabyte;

const textFilters: ReadonlyMap<string, (raw: Uint8Array, steps: Steps) => Uint8Array> = new Map([
  ["ASCIIHexDecode", decodeHex],
  ["AHx", decodeHex],
  ["ASCII85Decode", decodeAscii85],
  ["A85", decodeAscii85],
]);

/** Whether deflated bytes inflate to their end. Throws TooManySteps. */
const isWholeFlate = (decode: () => Uint8Array, budget: InflateBudget, steps: Steps): boolean | undefined => {
  const limit = Math.min(streamBytesMax, budget.left());
  if (limit === 0) return undefined;
  let isWhole = true;
  try {
    inflateWithin(decode(), budget, steps, limit, () => {
      isWhole = false;
    });
    return isWhole;
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    return error instanceof DamagedPdf ? false : undefined;
  }
};

/** Proves each stream of a file once. */
export const makeProve = (steps: Steps, { follow }: ShownObjects): Prove => {
  const proofs = new Map<number, boolean | undefined>();
  const budgets = { drawn: makeInflateBudget(bytesMax.drawn), named: makeInflateBudget(bytesMax.named) };
  const filtersOf = ({ entries }: Stream): readonly (string | undefined)[] => {
    const filter = follow(entries.get("Filter") ?? { kind: "null" });
    const [first, second] = filter?.kind === "array" ? filter.items : [filter];
    return [first, second].map((one) => one && nameOf(follow(one)));
  };
  const judge = (stream: Stream, use: Use): boolean | undefined => {
    const [first = "", second] = filtersOf(stream);
    if (isFlate(first)) return isWholeFlate(() => stream.raw, budgets[use], steps);
    const decode = textFilters.get(first);
    if (decode === undefined || !isFlate(second)) return undefined;
    return isWholeFlate(() => decode(stream.raw, steps), budgets[use], steps);
  };
  return (stream, object, use) => {
    if (!proofs.has(object)) proofs.set(object, judge(stream, use));
    return proofs.get(object);
  };
};
