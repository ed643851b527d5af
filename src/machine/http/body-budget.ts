import { Failure } from "#contract/failure";
import type { Collector } from "./metrics.ts";
import type { BodyBudgetLimits } from "./options.ts";

/** The part of the budget that one call holds, from its arrival until its answer. */
export type BodyLease = {
  /**
   * Adds bytes. Fails with overloaded, and adds nothing, where the budget does not hold them. After the
   * release it does nothing.
   */
  readonly add: (bytes: number) => void;
  /** Gives all bytes back, once. */
  readonly release: () => void;
};

/** Bytes of the bodies in flight. Made by {@link makeBodyBudget}. */
export type BodyBudget = {
  readonly open: (keyId: string) => BodyLease;
  readonly gauges: readonly Collector[];
};

/** Counts the bytes of all bodies in flight against one limit for the process and one for each key. */
export const makeBodyBudget = ({ bytesMax, bytesPerKeyMax }: BodyBudgetLimits): BodyBudget => {
  const byKey = new Map<string, number>();
  const refused = { process: 0, key: 0 };
  let total = 0;
  const change = (keyId: string, bytes: number): void => {
    total += bytes;
    const held = (byKey.get(keyId) ?? 0) + bytes;
    if (held > 0) byKey.set(keyId, held);
    else byKey.delete(keyId);
  };
  const refuse = (budget: "process" | "key"): Failure => {
    refused[budget]++;
    return new Failure("overloaded", { budget });
  };
  const open = (keyId: string): BodyLease => {
    let held = 0;
    let isOpen = true;
    return {
      add: (bytes) => {
        if (!isOpen) return;
        if ((byKey.get(keyId) ?? 0) + bytes > bytesPerKeyMax) throw refuse("key");
        if (total + bytes > bytesMax) throw refuse("process");
        change(keyId, bytes);
        held += bytes;
      },
      release: () => {
        if (isOpen) change(keyId, -held);
        isOpen = false;
      },
    };
  };
  const gauges: readonly Collector[] = [
    {
      name: "idem_http_body_bytes_in_flight",
      help: "Bytes of request bodies from their arrival until the answer",
      read: () => [{ value: total }],
    },
    {
      name: "idem_http_bodies_refused",
      help: "Bodies refused since the start, by the budget that was spent",
      labels: ["budget"],
      read: () => Object.entries(refused).map(([budget, value]) => ({ labels: { budget }, value })),
    },
  ];
  return { open, gauges };
};
