import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import type { SecretCommands } from "#trust/key-ring/secret-store";
import { createTokenKey, rotateTokenKeys, type TokenKey, type TokenKeys } from "./keys.ts";

/** Seals and opens secrets of the deployment; `isStale` when a former key sealed them. */
export type Sealer = {
  readonly seal: (plain: Uint8Array) => Promise<Uint8Array>;
  readonly open: (sealed: Uint8Array) => Promise<{ readonly plain: Uint8Array; readonly isStale: boolean }>;
};

/** The deployment's key pairs, sealed in the store and shared by all processes. */
export type TokenKeyStore = {
  /**
   * Reads the pairs; creates the first pair when there is none. Reseals them when a former master key sealed
   * them, so that the former key can be dropped. Fails when they cannot be opened.
   */
  readonly loadOrCreate: (now: Date) => Promise<TokenKeys>;
  /** Creates a new current pair; running services use it within two seconds. */
  readonly rotate: (now: Date) => Promise<TokenKeys>;
};

/** The name of the stored secret with the pairs. */
export const tokenKeysSecret = "token-keys";

/** Opens the pairs of a sealed secret without changing the store. Fails when they cannot be opened. */
export const openSealedKeys = async (sealed: Uint8Array, sealer: Sealer): Promise<TokenKeys> =>
  parse((await sealer.open(sealed)).plain);

export const makeTokenKeyStore = (store: SecretCommands, sealer: Sealer): TokenKeyStore => {
  const read = async () => {
    const sealed = await store.findSecret(tokenKeysSecret);
    if (sealed === undefined) {
      return undefined;
    }
    const { plain, isStale } = await sealer.open(sealed);
    return { keys: parse(plain), sealed, isStale };
  };
  const write = async (seen: Uint8Array | undefined, keys: TokenKeys): Promise<boolean> =>
    await store.replaceSecret(tokenKeysSecret, seen, await sealer.seal(serialise(keys)));

  const loadOrCreate = async (now: Date): Promise<TokenKeys> => {
    const found = await read();
    if (found?.isStale === false) {
      return found.keys;
    }
    const keys = found?.keys ?? { current: await createTokenKey(now) };
    // When several processes start together, one of them writes the pairs. The others read them.
    return (await write(found?.sealed, keys)) ? keys : await loadOrCreate(now);
  };

  const rotate = async (now: Date): Promise<TokenKeys> => {
    const found = await read();
    const rotated = await rotateTokenKeys(found?.keys ?? { current: await createTokenKey(now) }, now);
    // A concurrent write of another process is not lost.
    return (await write(found?.sealed, rotated)) ? rotated : await rotate(now);
  };

  return { loadOrCreate, rotate };
};

const storedKey = Type.Object({
  kid: Type.String(),
  createdAt: Type.String(),
  x: Type.String(),
  y: Type.String(),
  d: Type.String(),
});
const storedKeys = Type.Object({
  current: storedKey,
  previous: Type.Optional(storedKey),
  former: Type.Optional(Type.Array(storedKey)),
});
const stored = makeCheck(storedKeys);

const serialise = (keys: TokenKeys): Uint8Array => new TextEncoder().encode(JSON.stringify(keys));

const parse = (plain: Uint8Array): TokenKeys => {
  const value: unknown = JSON.parse(new TextDecoder().decode(plain));
  if (!stored.Check(value)) {
    throw new Error(
      "The token keys in the store have a form that this release cannot read: a newer release wrote them. Start that release again.",
    );
  }
  const { current, previous, former } = value;
  return {
    current: revive(current),
    ...(previous && { previous: revive(previous) }),
    ...(former && { former: former.map(revive) }),
  };
};

const revive = (key: Static<typeof storedKey>): TokenKey => ({ ...key, createdAt: new Date(key.createdAt) });
