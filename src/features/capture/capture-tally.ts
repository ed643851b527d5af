import {
  type CaptureResult,
  type CaptureStepName,
  captureResults,
  captureStepNames,
} from "#contract/capture";
import type { Collector } from "#machine/http/metrics";

/**
 * Judged images of capture sessions that this process counted since its start. Made by
 * {@link makeCaptureTally}.
 */
export type CaptureTally = {
  readonly count: (step: CaptureStepName, result: CaptureResult) => void;
  readonly gauges: readonly Collector[];
};

const keyOf = (step: string, result: string): string => `${step} ${result}`;

export const makeCaptureTally = (): CaptureTally => {
  const counts = new Map<string, number>();
  return {
    count: (step, result) => {
      const key = keyOf(step, result);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    gauges: [
      {
        name: "idem_captures_judged",
        help: "Images of capture sessions that this process judged since its start, by step and result",
        labels: ["step", "result"],
        read: () =>
          captureStepNames.flatMap((step) =>
            captureResults.map((result) => ({
              labels: { step, result },
              value: counts.get(keyOf(step, result)) ?? 0,
            })),
          ),
      },
    ],
  };
};
