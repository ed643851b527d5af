import { inflateRawSync, inflateSync } from "node:zlib";
import { DamagedPdf, PdfError } from "./damaged.ts";
import type { Steps } from "./steps.ts";

/** Bytes that may still be inflated in this file. A small file must not fill the memory. */
export type InflateBudget = {
  /** Takes bytes; throws InflatedTooLarge when none are left. */
  readonly take: (bytes: number) => void;
  /** Takes bytes, at most those that are left. */
  readonly spend: (bytes: number) => void;
  readonly left: () => number;
};

/** The streams of a file inflate to more than is allowed. */
export class InflatedTooLarge extends PdfError {
  override readonly name = "InflatedTooLarge";

  constructor() {
    super("a compressed stream is too large");
  }
}

export const makeInflateBudget = (bytesMax: number): InflateBudget => {
  let left = bytesMax;
  return {
    left: () => left,
    spend: (bytes) => {
      left = Math.max(0, left - bytes);
    },
    take: (bytes) => {
      left -= bytes;
      if (left < 0) throw new InflatedTooLarge();
    },
  };
};

/**
 * The highest ratio of Deflate (zlib, 'Technical details': 1032:1), for filters that are not decoded here.
 */
const deflateRatioMax = 1032;

/**
 * The start of an inflation takes some .01 ms, however short the stream is; one that ends early has three.
 */
const inflateSteps = 4000;

/**
 * Inflates within the budget, to `bytesMax` at most. A stream that ends early gives what it has, as readers
 * do, and `onCut` hears of it. A stream that fails was inflated too: it takes the steps and the bytes of what
 * it may have made. Throws DamagedPdf, InflatedTooLarge and TooManySteps.
 */
export const inflateWithin = (
  bytes: Uint8Array,
  budget: InflateBudget,
  steps: Steps,
  bytesMax = budget.left(),
  onCut: () => void = () => undefined,
): Buffer => {
  const limit = Math.max(0, Math.min(bytesMax, budget.left()));
  const most = Math.min(limit, bytes.length * deflateRatioMax);
  steps.take(inflateSteps);
  steps.takeNative(bytes.length);
  try {
    const onFault = (): void => steps.takeNative(most);
    const inflated = tryInflate(bytes, limit, { onCut, onTwice: steps.takeNative, onFault });
    budget.take(inflated.length);
    steps.takeNative(inflated.length);
    if (inflated.length > limit) throw new InflatedTooLarge();
    return inflated;
  } catch (error) {
    if (error instanceof PdfError) budget.spend(most);
    throw error;
  }
};

type Events = {
  readonly onCut: () => void;
  readonly onTwice: (bytes: number) => void;
  readonly onFault: () => void;
};

/**
 * What a deflate stream ends with that its writer flushed, but did not finish: Acrobat writes such streams.
 */
const flushMark = Buffer.from([0, 0, 0xff, 0xff]);

const isUnfinished = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "Z_BUF_ERROR";

/** Whether the blocks of a stream are all there. Its checksum may be missing. */
const isComplete = (bytes: Uint8Array, maxOutputLength: number): boolean => {
  if (flushMark.equals(bytes.subarray(-flushMark.length))) return true;
  try {
    inflateRawSync(bytes.subarray(2), { maxOutputLength });
    return true;
  } catch {
    return false;
  }
};

const tryInflate = (bytes: Uint8Array, limit: number, events: Events): Buffer => {
  const maxOutputLength = limit + 1;
  try {
    return inflateSync(bytes, { maxOutputLength });
  } catch (error) {
    if (isUnfinished(error)) return inflateUnfinished(bytes, maxOutputLength, events);
    events.onFault();
    if (error instanceof RangeError) throw new InflatedTooLarge();
    throw new DamagedPdf("a compressed stream is damaged", { cause: error });
  }
};

/** What a stream without its end inflates to. It is inflated up to three times, in all. */
const inflateUnfinished = (
  bytes: Uint8Array,
  maxOutputLength: number,
  { onCut, onTwice }: Events,
): Buffer => {
  // Z_SYNC_FLUSH: a truncated end is no error.
  const inflated = inflateSync(bytes, { maxOutputLength, finishFlush: 2 });
  onTwice(2 * inflated.length);
  if (!isComplete(bytes, maxOutputLength)) onCut();
  return inflated;
};
