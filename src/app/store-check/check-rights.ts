import { Failure } from "#contract/failure";
import { rightsSecret } from "#machine/storage/rights/rights-secret";
import type { ReadyConfig } from "../master-keys.ts";
import { hasTraces, holdRights, type TraceStore } from "../rights.ts";
import { listRightsFaults } from "../rights-watch.ts";
import type { CheckSink, StoreCheck } from "./store-check.ts";

type RightsDeps = {
  readonly store: Parameters<typeof listRightsFaults>[0] & TraceStore & Parameters<typeof holdRights>[0];
  /** Absent without a master key. */
  readonly ready: ReadyConfig | undefined;
};

/**
 * Compares each row that gives a right with its seal, each chain with its sealed end, and the rows with the
 * entries that made them.
 */
export const checkRights = ({ store, ready }: RightsDeps): StoreCheck => ({
  part: "rights",
  run: async (sink) => {
    sink.progress(0, 1);
    if ((await store.findSecret(rightsSecret)) === undefined) await judgeAbsentKey({ store, ready }, sink);
    else {
      await hold({ store, ready }, sink);
      // Another check names the faults of the chains.
      const more = { onCompared: sink.checked, isChainVerified: true };
      for await (const { place, fault, repair, tenant } of listRightsFaults(store, undefined, more)) {
        sink.fault({ place, fault, repair, tenant });
      }
    }
    sink.progress(1, 1);
  },
});

/**
 * A store that no release with seals has started has no key yet, and its rows have no entries to be compared
 * with.
 */
const judgeAbsentKey = async ({ store, ready }: RightsDeps, sink: CheckSink): Promise<void> => {
  if (!(await hasTraces(store, ready))) {
    sink.remark("The store has no seals yet: the first start of this release makes them.");
    return;
  }
  sink.fault({
    place: `secrets ${rightsSecret}`,
    fault: "is missing: the key of the seals was removed, and no row that gives a right can be compared",
    repair:
      "Find out who wrote to the store, and restore a backup. If the store is yours as it stands: idem rights begin",
  });
};

const hold = async ({ store, ready }: RightsDeps, sink: CheckSink): Promise<void> => {
  if (ready === undefined) {
    sink.remark("IDEM_MASTER_KEY is not set: seals of rights were not compared, their entries alone.");
    return;
  }
  try {
    await holdRights(store, ready);
  } catch (error) {
    if (error instanceof Failure && error.code !== "stored_damaged") throw error;
    // The part of the sealed rows names the secret as a fault.
    sink.remark(
      "The key of the seals does not open: seals of rights were not compared, their entries alone.",
    );
  }
};
