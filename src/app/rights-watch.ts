/** The watch over rows that give a right: forged keys are refused and reported, and every row is compared once an hour. */
import { Failure } from "#contract/failure";
import type { TenantCommands } from "#tenants/store/tenant-store";
import { compareWithEntries } from "./compare-rights.ts";
import type { Module } from "./module.ts";
import type { Report } from "./parts.ts";
import type { RecordingStore } from "./recording-store.ts";
import { listSealFaults, type RightsFault, showFault } from "./rights.ts";

/** Finds keys. One that was changed past the service is unknown to callers, and the operator gets a line that names it. */
export const refuseForged =
  (find: TenantCommands["findApiKey"], report: Report): TenantCommands["findApiKey"] =>
  async (hash) => {
    try {
      return await find(hash);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "stored_damaged") throw error;
      report("rights", "A key was refused: it was added or changed past the service", error);
      return undefined;
    }
  };

type WatchStore = Pick<RecordingStore, "compareRights" | "listRights" | "listLinks" | "listTenants">;

/** All faults of the rows that give a right: of their seals, of the ends of the chains, and of the entries that made them. */
export async function* listRightsFaults(store: WatchStore): AsyncGenerator<RightsFault> {
  for await (const found of listSealFaults(store)) yield showFault(found);
  for (const { id } of await store.listTenants()) yield* compareWithEntries(store, id);
}

/** Most faults of one round that the log names. */
const namedMax = 100;

/** Compares the seals at the start and once an hour. The log names each fault, and a metric counts them by table. */
export const openRightsWatch = (store: WatchStore, report: Report): Module => {
  let counts = new Map<string, number>();
  const compare = async (signal: AbortSignal): Promise<void> => {
    const found = new Map<string, number>();
    let named = 0;
    for await (const fault of listSealFaults(store)) {
      if (signal.aborted) return;
      found.set(fault.table, (found.get(fault.table) ?? 0) + 1);
      named += 1;
      if (named > namedMax) continue;
      const shown = showFault(fault);
      report("rights", `${shown.place} ${shown.fault}`, new Error(shown.repair), shown.tenant);
    }
    counts = found;
  };
  return {
    name: "rights",
    tidying: [compare],
    gauges: [
      {
        name: "idem_rights_faults",
        help: "Rows that give a right and were added or changed past the service, at the last comparison",
        labels: ["table"],
        read: () => [...counts].map(([table, value]) => ({ labels: { table }, value })),
      },
    ],
  };
};
