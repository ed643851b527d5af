/**
 * Composition of the scrub: the loop that compares stored objects with their rows, its metrics and log lines.
 */
import { randomUUID } from "node:crypto";
import type { Collector } from "#machine/http/metrics";
import { faultWords } from "#machine/storage/judge-object";
import { makeScrub } from "#machine/storage/scrub";
import type { Scrub } from "#machine/storage/scrub-store";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";

type State = { readonly scrub: Scrub | undefined; readonly damagedNow: number };

/**
 * Opens the scrub of this process. One process of a deployment reads at a time; every process has the
 * metrics.
 */
export const openScrub = ({ config, storage, clock, report, note }: Parts): Module => {
  let state: State | undefined;
  const { sealedStore: store, objects, keyring } = storage;
  const loop = makeScrub({
    store,
    objects,
    keyring,
    bytesPerSecond: config.scrub.bytesPerSecond,
    worker: randomUUID(),
    clock,
    onDamage: ({ tenantId, id, fault }) => {
      const words = fault === "unopened" ? "does not open" : faultWords[fault];
      const error = new Error(`blobs/${tenantId}/${id} ${words}`);
      report("scrub", "A stored object is damaged: run idem store verify, then idem store repair", error, id);
    },
    onRound: ({ checked, damaged }) => note("stored objects compared with their rows", { checked, damaged }),
    onState: (next) => {
      state = next;
    },
    onError: (error) => report("scrub", "Could not compare stored objects. It goes on in a minute", error),
  });
  return { name: "scrub", jobs: [loop], gauges: gaugesOf(() => state, clock) };
};

/** Nothing before the first step, and no age before the first complete round. */
const gaugesOf = (stateOf: () => State | undefined, clock: () => Date): readonly Collector[] => {
  const read =
    (valueOf: (state: State) => number | undefined): Collector["read"] =>
    () => {
      const state = stateOf();
      const value = state && valueOf(state);
      return value === undefined ? [] : [{ value }];
    };
  return [
    {
      name: "idem_scrub_checked_blobs",
      help: "Stored objects that the running or last round has compared with their rows",
      read: read(({ scrub }) => scrub?.checked),
    },
    {
      name: "idem_scrub_damaged_blobs",
      help: "Stored objects that are known to be damaged or missing",
      read: read(({ damagedNow }) => damagedNow),
    },
    {
      name: "idem_scrub_age_seconds",
      help: "Time since the end of the last complete round over all stored objects",
      read: read(({ scrub }) => {
        const at = scrub?.completed?.at.getTime();
        return at === undefined ? undefined : Math.max(0, (clock().getTime() - at) / 1000);
      }),
    },
  ];
};
