import type { BegunSpan, CallSpan, Traces } from "#machine/http/call-span";
import type { Collector } from "#machine/http/metrics";

/**
 * Sends spans to the collector. Fails where it does not accept them. Made by {@link makeExport}, export.ts.
 */
export type ExportSpans = (spans: readonly CallSpan[]) => Promise<void>;

export type TracesDeps = {
  readonly exportSpans: ExportSpans;
  /** How many of 100 calls without a `traceparent` begin a trace. */
  readonly percent: number;
  /** From 0 to 1, without 1. */
  readonly random: () => number;
  /** So many random bytes, hex. */
  readonly newHex: (bytes: number) => string;
  readonly onError: (error: unknown) => void;
};

/**
 * Spans that wait while the collector answers. More are dropped: the memory stays bounded, and no call waits.
 */
export const waitingMax = 2048;
/** Spans of one request: some 300 kB. */
export const batchMax = 512;

/** Traces of calls, and what sends them. Made by {@link makeTraces}. */
export type RunningTraces = Traces & {
  /** Sends what waits, in batches. Spans of a batch that fails are lost, and counted. */
  readonly flush: () => Promise<void>;
  readonly gauges: readonly Collector[];
};

/**
 * Records a call whose caller records it, none whose caller does not, and of the others a share. A caller
 * that asks for every span costs no more than the queue.
 */
export const makeTraces = ({ exportSpans, percent, random, newHex, onError }: TracesDeps): RunningTraces => {
  const waiting: CallSpan[] = [];
  const counts = { exported: 0, dropped: 0, failed: 0 };
  let running: Promise<void> | undefined;
  const send = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchMax);
      try {
        await exportSpans(batch);
        counts.exported += batch.length;
      } catch (error) {
        counts.failed += batch.length;
        onError(error);
      }
    }
  };
  return {
    begin: (parent): BegunSpan | undefined => {
      if (parent !== undefined) {
        const { traceId, parentId } = parent;
        return parent.isSampled ? { traceId, parentId, spanId: newHex(8) } : undefined;
      }
      return random() * 100 < percent ? { traceId: newHex(16), spanId: newHex(8) } : undefined;
    },
    end: (span) => {
      if (waiting.length < waitingMax) waiting.push(span);
      else counts.dropped += 1;
    },
    flush: () => {
      running ??= send().finally(() => {
        running = undefined;
      });
      return running;
    },
    gauges: [
      {
        name: "idem_spans",
        help: "Spans of traces since the start: exported, dropped because too many waited, or failed at the collector",
        labels: ["outcome"],
        read: () => Object.entries(counts).map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
    ],
  };
};
