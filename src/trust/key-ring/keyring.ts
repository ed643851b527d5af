import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { Failure } from "#contract/failure";
import type { Keyring, Purpose, SealContext } from "#machine/storage/blobs";
import { unavailable } from "#machine/storage/outage";
import { type BoxKey, dataKeyIdOf, keyIdOf, openBox, sealBox } from "#machine/storage/sealed-box";
import { stepOf } from "#record/transactions/record-call";
import type { KeyCommands, KeyRow } from "./key-store.ts";
import type { MasterKey } from "./master-key.ts";

/** The current master first; the previous master follows until `rotateMaster` has run. */
export type Masters = readonly [MasterKey, ...MasterKey[]];

type KeyStore = KeyCommands;

export type KeyringDeps = {
  readonly store: Pick<KeyStore, "insertKey" | "findKeys">;
  readonly masters: Masters;
  readonly now: () => Date;
};

/**
 * How long a process may go on using a key that another process has destroyed. In that time it still opens
 * data under it, and data that it seals in that time can never be opened again. One query for a tenant's few
 * keys every two seconds costs nothing.
 */
const cacheMs = 2_000;

type KnownKeys = {
  readonly readAt: number;
  readonly rows: readonly KeyRow[];
  readonly plain: Map<string, BoxKey>;
};

/** A key ring whose process can learn at once that a key was destroyed. */
export type ForgetfulKeyring = Keyring & {
  /** Drops every data key from memory: the next use reads the store. */
  readonly forget: () => void;
};

/**
 * Data keys are made at first use, kept in memory for two seconds, and never leave this module.
 *
 * @example
 * ```ts
 * import { randomBytes } from "node:crypto";
 * import { type KeyringDeps, makeKeyring } from "#trust/key-ring/keyring";
 * import { masterKeyOf } from "#trust/key-ring/master-key";
 *
 * export const sealOnce = async (store: KeyringDeps["store"]): Promise<Uint8Array> => {
 *   const keyring = makeKeyring({ store, masters: [masterKeyOf(randomBytes(32))], now: () => new Date() });
 *   const sealed = await keyring.seal("tenant", "images", Buffer.from("bytes"), "image-1");
 *   return await keyring.open("tenant", "images", sealed, "image-1");
 * };
 * ```
 */
export const makeKeyring = (deps: KeyringDeps): ForgetfulKeyring => {
  const cache = makeKeyCache(deps);

  const activeKey = async (tenantId: string, purpose: Purpose): Promise<BoxKey> => {
    const known = await cache.keysOf(tenantId);
    const row = findActive(known, purpose);
    if (row !== undefined) {
      return cache.unwrap(known, row);
    }
    // If another process was first, this inserts nothing, and reading again returns the other process's key.
    await deps.store.insertKey(newKey(deps.masters[0], tenantId, purpose, deps.now()));
    const again = await cache.read(tenantId);
    const made = findActive(again, purpose);
    if (made === undefined) {
      throw new Error("A data key vanished right after it was made");
    }
    return cache.unwrap(again, made);
  };

  return {
    seal: async (tenantId, purpose, plain, context = "") =>
      sealBox(await activeKey(tenantId, purpose), bindingsOf(tenantId, purpose, context)[0], plain),
    open: async (tenantId, purpose, sealed, context = "") => {
      const id = orDamaged(() => keyIdOf(sealed));
      const isThis = (row: KeyRow): boolean => idOf(row) === id && row.purpose === purpose;
      const cached = await cache.keysOf(tenantId);
      const known = cached.rows.some(isThis) ? cached : await cache.read(tenantId);
      const row = known.rows.find(isThis);
      if (row === undefined) {
        const cause = new Error("These bytes were sealed for another tenant or purpose");
        throw new Failure("stored_damaged", {}, { cause });
      }
      if (row.wrapped === null) {
        throw new Failure("not_found");
      }
      // Not inside the `try`: a data key whose master key is missing is for the operator to repair, and is
      // not damage.
      const key = cache.unwrap(known, row);
      return orDamaged(() => openBound(key, bindingsOf(tenantId, purpose, context), sealed));
    },
    pseudonym: async (tenantId, purpose, text) => {
      const { bytes } = await activeKey(tenantId, purpose);
      // RFC 5869: a separate key, so sealing and pseudonyms share none.
      const key = hkdfSync("sha256", bytes, "", "idem pseudonym", 32);
      return createHmac("sha256", new Uint8Array(key)).update(text, "utf8").digest("hex");
    },
    keyedHash: async (tenantId, purpose, text) => {
      const { bytes } = await activeKey(tenantId, purpose);
      // RFC 5869, RFC 2104: a separate key as long as the hash.
      const key = hkdfSync("sha512", bytes, "", "idem keyed hash", 64);
      return new Uint8Array(createHmac("sha512", new Uint8Array(key)).update(text, "utf8").digest());
    },
    dataKeyIdOf,
    forget: cache.forget,
  };
};

/** What a seal is bound to: as it is sealed now, then as earlier releases sealed it. */
type Bindings = readonly [now: readonly string[], former?: readonly string[]];

/** Only this function has the form of earlier releases, which did not bind the environment. */
const bindingsOf = (tenantId: string, purpose: Purpose, context: SealContext): Bindings => {
  if (typeof context === "string") return [[tenantId, purpose, context]];
  const former = [tenantId, purpose, context.owner];
  return [[...former, context.environment], former];
};

/**
 * The former binding opens only what was sealed without the environment. Throws the error of the present one.
 */
const openBound = (key: BoxKey, [now, former]: Bindings, sealed: Uint8Array): Uint8Array => {
  try {
    return openBox(key, now, sealed);
  } catch (error) {
    if (former === undefined || error instanceof Failure) throw error;
    try {
      return openBox(key, former, sealed);
    } catch {
      throw error;
    }
  }
};

const orDamaged = <Value>(open: () => Value): Value => {
  try {
    return open();
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure("stored_damaged", {}, { cause });
  }
};

const makeKeyCache = ({ store, masters, now }: KeyringDeps) => {
  let tenants = new Map<string, KnownKeys>();

  const read = async (tenantId: string): Promise<KnownKeys> => {
    // A reading that began before the keys were forgotten fills no memory after it.
    const cached = tenants;
    const rows = await store.findKeys(tenantId);
    const known = { readAt: now().getTime(), rows, plain: new Map<string, BoxKey>() };
    cached.set(tenantId, known);
    return known;
  };
  const keysOf = async (tenantId: string): Promise<KnownKeys> => {
    const known = tenants.get(tenantId);
    const age = known === undefined ? Number.POSITIVE_INFINITY : now().getTime() - known.readAt;
    // A clock that was set back must not extend the life of a key.
    return known !== undefined && age >= 0 && age < cacheMs ? known : await read(tenantId);
  };
  const unwrap = (known: KnownKeys, row: KeyRow): BoxKey => {
    const key = known.plain.get(row.id) ?? unwrapOrWait(masters, row);
    known.plain.set(row.id, key);
    return key;
  };
  const forget = (): void => {
    tenants = new Map();
  };
  return { read, keysOf, unwrap, forget };
};

const findActive = (known: KnownKeys, purpose: Purpose): KeyRow | undefined =>
  known.rows.find((row) => row.purpose === purpose && row.destroyedAt === undefined);

/** Key ids are 32 hex characters; the row adds the dashes of a UUID. */
const idOf = ({ id }: Pick<KeyRow, "id">): string => id.replaceAll("-", "");

const newKey = (master: MasterKey, tenantId: string, purpose: Purpose, createdAt: Date): KeyRow => {
  const row = { id: crypto.randomUUID(), tenantId, purpose, createdAt };
  return { ...row, masterId: master.id, wrapped: wrapKey(master, row, randomBytes(32)) };
};

type KeyName = Pick<KeyRow, "id" | "tenantId" | "purpose">;

const wordsOf = ({ id, tenantId, purpose }: KeyName): readonly string[] => [
  "data key",
  id,
  tenantId,
  purpose,
];

const wrapKey = (master: MasterKey, name: KeyName, plain: Uint8Array): Uint8Array =>
  sealBox(master, wordsOf(name), plain);

/** A data key is wrapped by a master key that this process does not have. */
export class MasterKeyMissing extends Error {
  override readonly name = "MasterKeyMissing";
}

/** Callers see a missing master key as an outage: with the right key all data is readable again. */
const unwrapOrWait = (masters: Masters, row: KeyRow): BoxKey => {
  try {
    return unwrapKey(masters, row);
  } catch (error) {
    throw error instanceof MasterKeyMissing ? unavailable(error) : error;
  }
};

const unwrapKey = (masters: Masters, row: KeyRow): BoxKey => {
  const master = masters.find(({ id }) => id === row.masterId);
  if (master === undefined || row.wrapped === null) {
    throw new MasterKeyMissing(
      `Data key ${row.id} is wrapped by master key ${row.masterId}, which was not given`,
    );
  }
  return { id: idOf(row), bytes: openBox(master, wordsOf(row), row.wrapped) };
};

/**
 * Whether a wrapped data key opens. missing: its master key was not given; damaged: its row was changed. A
 * destroyed key holds nothing that could be damaged.
 */
export const judgeWrapping = (masters: Masters, row: KeyRow): "whole" | "missing" | "damaged" => {
  if (row.wrapped === null) return "whole";
  try {
    unwrapKey(masters, row);
    return "whole";
  } catch (error) {
    return error instanceof MasterKeyMissing ? "missing" : "damaged";
  }
};

/**
 * Keys that other processes make under the previous master during a round are rewrapped in the next round.
 */
const roundsMax = 5;

const listStale = async (store: KeyStore, current: MasterKey): Promise<readonly KeyRow[]> =>
  (await store.listKeys()).filter((row) => row.wrapped !== null && row.masterId !== current.id);

/**
 * Wraps every live data key by the current master (the first) until none is under another master; then the
 * other masters may be removed. Data stays unchanged. Safe to run beside services that hold the current
 * master first and the previous one after it, and to run again after an interruption. A service with the
 * previous master first makes new keys under it, even afterwards: if that goes on during all rounds, this
 * fails and reports their number. Returns how many keys were rewrapped.
 */
export const rotateMaster = async (store: KeyStore, masters: Masters): Promise<number> => {
  const [current] = masters;
  let rewrapped = 0;
  for (let round = 0; round < roundsMax; round += 1) {
    const stale = await listStale(store, current);
    if (stale.length === 0) {
      return rewrapped;
    }
    for (const row of stale) {
      await store.rewrapKey(row.id, current.id, wrapKey(current, row, unwrapKey(masters, row).bytes));
    }
    rewrapped += stale.length;
  }
  const { length: left } = await listStale(store, current);
  if (left > 0) {
    throw new Error(
      `Data keys under another master key: ${left}. A service still makes them: start every one with the new master key, then rotate again.`,
    );
  }
  return rewrapped;
};

/**
 * Cryptographic erasure: no data sealed for this tenant can ever be opened again. Other processes drop the
 * keys within two seconds; data that they seal in that time is lost too. Each destroyed key leaves evidence,
 * the receipt; returns the receipt ids.
 */
export const destroyTenantKeys = async (
  store: KeyStore,
  tenantId: string,
  at: Date,
): Promise<readonly string[]> => {
  const destroyed: string[] = [];
  for (const key of await store.findKeys(tenantId)) {
    const body = { keyId: key.id, purpose: key.purpose };
    const evidence = [{ id: crypto.randomUUID(), kind: "data_key_destroyed", at, body }];
    if (await store.destroyKey(key.id, at, stepOf({ evidence }))) {
      destroyed.push(key.id);
    }
  }
  return destroyed;
};
