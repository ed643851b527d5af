/**
 * The watch over rows that give a right: forged keys are refused and reported, and every row is compared once
 * an hour.
 */
import { Failure } from "#contract/failure";
import { type RightTableName, smallTables } from "#machine/storage/rights/declared-tables";
import type { TenantCommands } from "#trust/tenants/store/tenant-store";
import { compareWithEntries } from "./compare-rights.ts";
import type { ReadyConfig } from "./master-keys.ts";
import type { Module } from "./module.ts";
import type { RecordingStore } from "./recording-store.ts";
import type { Report } from "./report.ts";
import {
  findKeyFault,
  listSealFaults,
  type OnCompared,
  type RightsFault,
  showFault,
  type TraceStore,
} from "./rights.ts";

/**
 * Finds keys. One that was changed past the service is unknown to callers, and the operator gets a line that
 * names it.
 */
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

type WatchStore = Pick<
  RecordingStore,
  "compareRights" | "listRights" | "listUnrevoked" | "listLinks" | "listTenants"
> &
  TraceStore;

type Listing = {
  readonly signal?: AbortSignal;
  readonly onCompared?: OnCompared;
  /** If true, the caller has verified the chains, and their faults are not listed again. */
  readonly isChainVerified?: boolean;
};

/**
 * All faults of the rows that give a right: of the key of their seals, where the settings are given, of their
 * seals, of the chains and their ends, and of the entries that made the rows. An abort ends the list at once.
 * `onCompared` gets the number of rows of each page.
 */
export async function* listRightsFaults(
  store: WatchStore,
  config?: ReadyConfig,
  { signal, onCompared, isChainVerified = false }: Listing = {},
): AsyncGenerator<RightsFault> {
  yield* listSealsOnly(store, config, signal, { onCompared });
  for (const { id } of await store.listTenants()) {
    if (signal?.aborted === true) return;
    yield* compareWithEntries(store, id, { ...(signal && { signal }), isChainVerified });
  }
}

/** The log names at most this many faults of one round. */
const namedMax = 100;

/** Rows are compared with the entries every 24 rounds, which is once a day: it reads every chain. */
const entriesEvery = 24;

/** The faults of the seals and of their key. */
async function* listSealsOnly(
  store: WatchStore,
  config: ReadyConfig | undefined,
  signal: AbortSignal | undefined,
  { onCompared, tables }: { onCompared?: OnCompared | undefined; tables?: readonly RightTableName[] } = {},
): AsyncGenerator<RightsFault> {
  const keyFault = config && (await findKeyFault(store, config));
  if (keyFault !== undefined) yield keyFault;
  for await (const found of listSealFaults(store, signal, onCompared, tables)) yield showFault(found);
}

/**
 * Compares the seals at the start and once an hour, and with them the entries, images and deliveries at the
 * start and once a day. The log names each fault, and a metric counts them by table.
 */
export const openRightsWatch = (store: WatchStore, config: ReadyConfig, report: Report): Module => {
  const counts = { seals: new Map<string, number>(), all: new Map<string, number>() };
  let round = 0;
  const compare = async (signal: AbortSignal): Promise<void> => {
    const isWhole = round % entriesEvery === 0;
    const found = new Map<string, number>();
    let named = 0;
    for await (const { place, fault, repair, tenant } of isWhole
      ? listRightsFaults(store, config, { signal })
      : listSealsOnly(store, config, signal, { tables: smallTables })) {
      if (signal.aborted) return;
      const [table = ""] = place.split(" ");
      found.set(table, (found.get(table) ?? 0) + 1);
      named += 1;
      if (named <= namedMax) report("rights", `${place} ${fault}`, new Error(repair), tenant);
    }
    if (signal.aborted) return;
    round += 1;
    counts.seals = found;
    if (isWhole) counts.all = found;
  };
  /**
   * The larger of the last two comparisons, so that a fault that the entries show lasts until they are
   * compared again.
   */
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
