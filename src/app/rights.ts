/**
 * The key of the seals of rows that give a right: made once, held by each process, and sealed under the
 * master key.
 */
import { randomBytes } from "node:crypto";
import type { StoreLife } from "#machine/storage/commands";
import { type RightTableName, tableNames } from "#machine/storage/rights/declared-tables";
import { rightsSecret } from "#machine/storage/rights/rights-secret";
import type { FoundFault } from "#record/rights/compare-seals";
import type { RightsCommands } from "#record/rights/rights-store";
import type { KeyCommands } from "#trust/key-ring/key-store";
import type { SecretCommands } from "#trust/key-ring/secret-store";
import { developmentAuthoritySecret } from "#trust/signers/development/key-store";
import { tokenKeysSecret } from "#trust/tokens/key-store";
import { masterSealerOf, mastersOf, type ReadyConfig } from "./master-keys.ts";

type RightsStore = SecretCommands &
  Pick<KeyCommands, "listKeys"> &
  Pick<RightsCommands, "beginRights" | "hasSeals"> &
  Pick<StoreLife, "holdRights">;

/**
 * Holds the key of the seals. Makes it in a new store, and in one of an earlier release, whose rows it seals
 * in the same commit. Throws Error with the next step where the master key does not open it, and where the
 * store had a key that is gone.
 */
export const openRights = async (store: RightsStore, config: ReadyConfig, now: Date): Promise<void> => {
  const sealer = masterSealerOf(config, rightsSecret);
  while (!(await holdRights(store, config))) {
    await requireNeverSealed(store, config);
    const key = randomBytes(32);
    // When several processes start together, one of them writes the key. The others read it.
    await store.beginRights(new Uint8Array(key), await sealer.seal(key), now);
  }
};

/** Holds the key of the seals where the store has one; changes nothing. False where it has none. */
export const holdRights = async (
  store: Pick<SecretCommands, "findSecret"> & Pick<StoreLife, "holdRights">,
  config: ReadyConfig,
): Promise<boolean> => {
  const sealed = await store.findSecret(rightsSecret);
  if (sealed === undefined) return false;
  const { plain } = await masterSealerOf(config, rightsSecret).open(sealed);
  await store.holdRights(new Uint8Array(plain));
  return true;
};

/** Seals the key of the seals under the current master key. Does nothing where there is none. */
export const resealRights = async (store: SecretCommands, config: ReadyConfig): Promise<void> => {
  const sealed = await store.findSecret(rightsSecret);
  if (sealed === undefined) return;
  const sealer = masterSealerOf(config, rightsSecret);
  const { plain, isStale } = await sealer.open(sealed);
  if (isStale && !(await store.replaceSecret(rightsSecret, sealed, await sealer.seal(plain)))) {
    await resealRights(store, config);
  }
};

/**
 * A key is made once in the life of a store. If a removed key were made anew, the next start would seal
 * foreign rows. So a store with a trace of a former key is refused. The traces are in each row, or sealed
 * under the master key.
 */
const requireNeverSealed = async (store: RightsStore, config: ReadyConfig): Promise<void> => {
  const known = new Set(mastersOf(config).map(({ id }) => id));
  const keys = (await store.listKeys()).filter(({ wrapped }) => wrapped !== null);
  const foreign = keys.find(({ masterId }) => !known.has(masterId));
  if (foreign !== undefined) {
    throw new Error(
      `The data keys of the store are under the master key ${foreign.masterId}, which was not given. Set IDEM_MASTER_KEY or IDEM_MASTER_KEY_PREVIOUS to it.`,
    );
  }
  if (await hasTraces(store, config)) throw new Error(keyGone);
  const tokenKeys = await store.findSecret(tokenKeysSecret);
  if (tokenKeys !== undefined) await masterSealerOf(config, tokenKeysSecret).open(tokenKeys);
};

/**
 * Whether a store that has no key of the seals had one before. Without a master key only the seals show it.
 */
export const hasTraces = async (store: TraceStore, config: ReadyConfig | undefined): Promise<boolean> => {
  if (await store.hasSeals()) return true;
  if (config === undefined) return false;
  if (await isMarked(store, config, tokenKeysSecret)) return true;
  if (await isMarked(store, config, developmentAuthoritySecret)) return true;
  // Every service makes token keys before it makes a data key.
  if ((await store.findSecret(tokenKeysSecret)) !== undefined) return false;
  return (await store.listKeys()).some(({ wrapped }) => wrapped !== null);
};

/** The reads that show whether a store had a key of its seals. */
export type TraceStore = Pick<SecretCommands, "findSecret"> &
  Pick<KeyCommands, "listKeys"> &
  Pick<RightsCommands, "hasSeals">;

/**
 * The fault of a store that was sealed and holds no key of the seals. Without that key its rows cannot be
 * compared.
 */
export const findKeyFault = async (
  store: TraceStore,
  config: ReadyConfig,
): Promise<RightsFault | undefined> => {
  if ((await store.findSecret(rightsSecret)) !== undefined) return undefined;
  if (!(await hasTraces(store, config))) return undefined;
  const fault = "was removed: the rows that give a right cannot be compared with their seals";
  const repair =
    "Find out who wrote to the store, and restore a backup. If it is yours as it stands: idem rights begin";
  return { part: "rights", tenant: "all", place: `secrets ${rightsSecret}`, fault, repair };
};

const keyGone =
  'The store has lost the key of its seals (secret "rights"): it was removed, or this is no whole copy of a store. Restore a backup. If the store is yours as it stands, see idem rights begin.';

const isMarked = async (store: TraceStore, config: ReadyConfig, name: string): Promise<boolean> => {
  const sealed = await store.findSecret(name);
  return sealed !== undefined && masterSealerOf(config, name).isMarked(sealed);
};

/**
 * Makes a new key and seals all rows as they stand, whatever is left of a former key. For the operator who
 * has judged the store.
 */
export const beginRightsAnew = async (
  store: RightsStore,
  config: ReadyConfig,
  now: Date,
): Promise<boolean> => {
  const key = randomBytes(32);
  const sealed = await masterSealerOf(config, rightsSecret).seal(key);
  return await store.beginRights(new Uint8Array(key), sealed, now, true);
};

/** A row that gives a right, as the service did not write it. */
export type RightsFault = {
  readonly part: "rights";
  readonly tenant: string;
  readonly place: string;
  readonly fault: string;
  readonly repair: string;
};

const faultWords: Readonly<Record<FoundFault["fault"], string>> = {
  unsealed: "was added past the service: it has no seal",
  changed: "was changed past the service: its seal differs",
  end: "does not end as the service left it",
};

const repairOf = ({ table, place, key: [, id = ""] }: FoundFault): string =>
  table === "api_keys"
    ? `Find out who wrote to the store. The key opens nothing; end it: idem keys revoke ${id}`
    : `Find out who wrote to the store, and restore a backup. To keep it as it stands: idem rights accept ${place}`;

/** Told how many rows were compared. */
export type OnCompared = (rows: number) => void;

/**
 * Rows whose seal is missing or differs, and chains that do not end as the service left them, one after the
 * other in bounded memory.
 */
export async function* listSealFaults(
  store: Pick<RightsCommands, "compareRights">,
  signal?: AbortSignal,
  onCompared: OnCompared = () => undefined,
  tables: readonly RightTableName[] = tableNames,
): AsyncGenerator<FoundFault> {
  for (const table of tables) {
    for (let after: readonly string[] | undefined; ; ) {
      if (signal?.aborted === true) return;
      const { faults, last, compared } = await store.compareRights(table, after);
      onCompared(compared);
      yield* faults;
      if (last === undefined) break;
      after = last;
    }
  }
}

/** A fault in words, with the next step. */
export const showFault = (found: FoundFault): RightsFault => ({
  part: "rights",
  tenant: found.tenantId,
  place: found.place,
  fault: found.words ?? faultWords[found.fault],
  repair: repairOf(found),
});
