import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import type { Store } from "#storage/store";
import { createTokenKey, rotateTokenKeys, type TokenKey, type TokenKeys } from "./keys.ts";

/** Seals and opens secrets of the deployment; `isStale` when a former key had sealed them. */
export type Sealer = {
  readonly seal: (plain: Uint8Array) => Promise<Uint8Array>;
  readonly open: (sealed: Uint8Array) => Promise<{ readonly plain: Uint8Array; readonly isStale: boolean }>;
};

/** The deployment's key pairs, sealed in the store, so that all its processes have the same. */
export type TokenKeyStore = {
  /**
   * Reads the pairs; makes the first one when there is none. Sealed anew when a former master key had sealed them, so
   * that the former one can be dropped. Fails when they cannot be opened.
   */
  readonly loadOrCreate: (now: Date) => Promise<TokenKeys>;
  /** Makes a new current pair; running services take it up when they start again. */
  readonly rotate: (now: Date) => Promise<TokenKeys>;
};

/** The store's secret that holds the pairs. */
export const tokenKeysSecret = "token-keys";

/** The pairs behind the sealed secret, for a look at a store without changing it. Fails when they cannot be opened. */
export const openSealedKeys = async (sealed: Uint8Array, sealer: Sealer): Promise<TokenKeys> =>
  parse((await sealer.open(sealed)).plain);

export const makeTokenKeyStore = (
  store: Pick<Store, "findSecret" | "replaceSecret">,
  sealer: Sealer,
): TokenKeyStore => {
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
    // Of processes that start together one writes; the others read what it wrote.
    return (await write(found?.sealed, keys)) ? keys : await loadOrCreate(now);
  };

  const rotate = async (now: Date): Promise<TokenKeys> => {
    const found = await read();
    const rotated = await rotateTokenKeys(found?.keys ?? { current: await createTokenKey(now) }, now);
    // Nothing that another process wrote meanwhile is lost.
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
const stored = Compile(storedKeys);

const serialise = (keys: TokenKeys): Uint8Array => new TextEncoder().encode(JSON.stringify(keys));

const parse = (plain: Uint8Array): TokenKeys => {
  const value: unknown = JSON.parse(new TextDecoder().decode(plain));
  if (!stored.Check(value)) {
    throw new Error("The sealed token keys are not of this version");
  }
  const { current, previous, former } = value;
  return {
    current: revive(current),
    ...(previous && { previous: revive(previous) }),
    ...(former && { former: former.map(revive) }),
  };
};

const revive = (key: Static<typeof storedKey>): TokenKey => ({ ...key, createdAt: new Date(key.createdAt) });
