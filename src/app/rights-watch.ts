/** The watch over rows that give a right: forged keys are refused and reported, and every row is compared once an hour. */
import { Failure } from "#contract/failure";
import type { TenantCommands } from "#tenants/store/tenant-store";
import { compareWithEntries } from "./compare-rights.ts";
import type { Module } from "./module.ts";
import type { Report } from "./parts.ts";
import type { RecordingStore } from "./recording-store.ts";
import { listSealFaults, type OnCompared, type RightsFault, showFault } from "./rights.ts";

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

/**
 * All faults of the rows that give a right: of their seals, of the ends of the chains, and of the entries that made them. A service may
 * write meanwhile. `onCompared` is told of each page of rows.
 */
export async function* listRightsFaults(
  store: WatchStore,
  onCompared?: OnCompared,
): AsyncGenerator<RightsFault> {
  yield* confirm(async function* (isFirst) {
    yield* listSealsOnly(store, isFirst ? onCompared : undefined);
    for (const { id } of await store.listTenants()) yield* compareWithEntries(store, id);
  });
}

/** Faults of a first look that a second one is compared with. Where there are more, all of the second look are named. */
const keptMax = 10_000;

/**
 * Looks a second time where a look finds faults, and yields those of both. A row and its entry are read one after the other: what a service
 * commits between them is no fault, and is whole at the second look.
 */
async function* confirm(
  look: (isFirst: boolean) => AsyncGenerator<RightsFault>,
): AsyncGenerator<RightsFault> {
  const first = new Set<string>();
  for await (const found of look(true)) {
    first.add(keyOf(found));
    if (first.size >= keptMax) break;
  }
  if (first.size === 0) return;
  for await (const found of look(false)) {
    if (first.size >= keptMax || first.has(keyOf(found))) yield found;
  }
}

const keyOf = ({ tenant, place, fault }: RightsFault): string => JSON.stringify([tenant, place, fault]);

/** Most faults of one round that the log names. */
const namedMax = 100;

/** Rounds from one comparison with the entries to the next: it reads every chain, so it comes once a day. */
const entriesEvery = 24;

/** The faults of the seals alone. */
async function* listSealsOnly(store: WatchStore, onCompared?: OnCompared): AsyncGenerator<RightsFault> {
  for await (const found of listSealFaults(store, onCompared)) yield showFault(found);
}

/**
 * Compares the seals at the start and once an hour, and with them the entries at the start and once a day. The log names each fault, and a
 * metric counts them by table.
 */
export const openRightsWatch = (store: WatchStore, report: Report): Module => {
  const counts = { seals: new Map<string, number>(), all: new Map<string, number>() };
  let round = 0;
  const compare = async (signal: AbortSignal): Promise<void> => {
    const isWhole = round % entriesEvery === 0;
    const found = new Map<string, number>();
    let named = 0;
    for await (const { place, fault, repair, tenant } of isWhole
      ? listRightsFaults(store)
      : confirm(() => listSealsOnly(store))) {
      if (signal.aborted) return;
      const [table = ""] = place.split(" ");
      found.set(table, (found.get(table) ?? 0) + 1);
      named += 1;
      if (named <= namedMax) report("rights", `${place} ${fault}`, new Error(repair), tenant);
    }
    round += 1;
    counts.seals = found;
    if (isWhole) counts.all = found;
  };
  /** The larger of the last two comparisons, so that a fault that the entries show lasts until they are compared again. */
  const countOf = (table: string): number =>
    Math.max(counts.seals.get(table) ?? 0, counts.all.get(table) ?? 0);
  return {
    name: "rights",
    tidying: [compare],
    gauges: [
      {
        name: "idem_rights_faults",
        help: "Faults of rows that give a right: added, changed or removed past the service, at the last comparison",
        labels: ["table"],
        read: () =>
          [...new Set([...counts.seals.keys(), ...counts.all.keys()])].map((table) => ({
            labels: { table },
            value: countOf(table),
          })),
      },
    ],
  };
};
