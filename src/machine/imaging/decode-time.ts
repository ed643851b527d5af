import { Failure } from "#contract/failure";
import { busiestMs, readDecoderUsage } from "./decoder-usage.ts";

/** A span at the end of a decode that ran out of time. */
export type LateSpan = {
  readonly wallMs: number;
  /** Processor time of the busiest decoding thread; undefined where the system does not report it. */
  readonly busiestMs: number | undefined;
};

/** Share of a processor from which the time went into the image. Our choice: half. */
const processorShareMin = 0.5;

/**
 * Why a decode ran out of time: the image costs too much, or the machine gave the decoders too little of its
 * processors. Threads of one priority get equal shares, so the busiest decoding thread shows what each of
 * them could get. Without a measurement the machine is assumed: overload is never told as a fault of the
 * image.
 */
export const judgeTimeOut = ({ wallMs, busiestMs: ms }: LateSpan): "image" | "machine" =>
  ms !== undefined && wallMs > 0 && ms >= processorShareMin * wallMs ? "image" : "machine";

/** Watches the second half of a decode's time: only a slow decode costs a measurement. */
const watchLateSpan = (limitMs: number) => {
  let start: { readonly at: number; readonly usage: ReturnType<typeof readDecoderUsage> } | undefined;
  const timer = setTimeout(() => {
    start = { at: performance.now(), usage: readDecoderUsage() };
  }, limitMs / 2);
  return {
    measure: (): LateSpan => {
      if (start === undefined) return { wallMs: 0, busiestMs: undefined };
      const [before, after] = [start.usage, readDecoderUsage()];
      return {
        wallMs: performance.now() - start.at,
        busiestMs: before === undefined || after === undefined ? undefined : busiestMs(before, after),
      };
    },
    end: () => clearTimeout(timer),
  };
};

/** The message of sharp for a decode that its own time limit ended. */
const isTimeOut = (cause: unknown): boolean =>
  cause instanceof Error && /^timeout: \d+% complete/m.test(cause.message);

/**
 * Runs a decode that ends itself after `secondsMax`. An error becomes image_unreadable, or engine_busy where
 * the machine was too busy to decode the image in that time. The decoder's own message may quote the file, so
 * only the operator gets it.
 */
export const decodeInTime = async <Value>(
  secondsMax: number,
  decode: () => Promise<Value>,
): Promise<Value> => {
  const watch = watchLateSpan(1000 * secondsMax);
  try {
    return await decode();
  } catch (cause) {
    if (!isTimeOut(cause)) throw new Failure("image_unreadable", {}, { cause });
    throw judgeTimeOut(watch.measure()) === "image"
      ? new Failure("image_unreadable", { decodeSecondsMax: secondsMax }, { cause })
      : new Failure("engine_busy", { retryAfterSeconds: secondsMax }, { cause });
  } finally {
    watch.end();
  }
};
