import { type EndedState, endedStates } from "#contract/tracking-code";
import type { Collector } from "#machine/http/metrics";

/** Operations that this process ended since its start. Made by {@link makeOperationTally}. */
export type OperationTally = {
  readonly count: (state: EndedState) => void;
  readonly gauges: readonly Collector[];
};

export const makeOperationTally = (): OperationTally => {
  const counts = new Map<EndedState, number>();
  return {
    count: (state) => {
      counts.set(state, (counts.get(state) ?? 0) + 1);
    },
    gauges: [
      {
        name: "idem_operations_ended",
        help: "Operations that this process ended since its start, by their state",
        labels: ["state"],
        read: () => endedStates.map((state) => ({ labels: { state }, value: counts.get(state) ?? 0 })),
      },
    ],
  };
};
