import type { Collector } from "#machine/http/metrics";
import type { Claimed } from "./store/claim.ts";

/** Calls under a retry key since the start, by what they met. Made by {@link makeCallTally}. */
export type CallTally = {
  readonly count: (kind: Claimed["kind"]) => void;
  readonly gauges: readonly Collector[];
};

/** Names of the label `outcome`. */
const outcomes: Readonly<Record<Claimed["kind"], string>> = {
  claimed: "first",
  answered: "replayed",
  running: "running",
  reused: "reused",
  taken: "taken",
  lost: "lost",
};

export const makeCallTally = (): CallTally => {
  const counts = { claimed: 0, answered: 0, running: 0, reused: 0, taken: 0, lost: 0 };
  const kinds = ["claimed", "answered", "running", "reused", "taken", "lost"] as const;
  return {
    count: (kind) => {
      counts[kind] += 1;
    },
    gauges: [
      {
        name: "idem_idempotency_calls",
        help: "Calls with an idempotency key, or with a reference or a one-use token in its place, since the start",
        labels: ["outcome"],
        read: () => kinds.map((kind) => ({ labels: { outcome: outcomes[kind] }, value: counts[kind] })),
      },
    ],
  };
};
