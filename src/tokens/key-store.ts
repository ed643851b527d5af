import { link, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { createTokenKey, rotateTokenKeys, type TokenKey, type TokenKeys } from "./keys.ts";

/** Seals and opens secrets of the deployment; `isStale` when a former key had sealed them. */
export type Sealer = {
  readonly seal: (plain: Uint8Array) => Promise<Uint8Array>;
  readonly open: (sealed: Uint8Array) => Promise<{ readonly plain: Uint8Array; readonly isStale: boolean }>;
};

/** Where the deployment's key pairs lie: `token-keys.sealed`, readable by its owner only. */
export type TokenKeyStore = {
  /** Reads the pairs; makes the first one when there is none. Fails when the file cannot be opened. */
  readonly loadOrCreate: (now: Date) => Promise<TokenKeys>;
  /** Makes a new current pair; running services take it up when they start again. */
  readonly rotate: (now: Date) => Promise<TokenKeys>;
};

export const makeTokenKeyStore = (directory: string, sealer: Sealer): TokenKeyStore => {
  const file = join(directory, "token-keys.sealed");

  const replace = async (keys: TokenKeys): Promise<void> => {
    await rename(await writeDurably(directory, await sealer.seal(serialise(keys))), file);
    await syncDirectory(directory);
  };

  /** Sealed anew when a former master key had sealed it, so that the former one can be dropped after one start. */
  const load = async (): Promise<TokenKeys | undefined> => {
    const sealed = await readFile(file).catch(undefinedIfMissing);
    if (sealed === undefined) {
      return undefined;
    }
    const { plain, isStale } = await sealer.open(sealed);
    const keys = parse(plain);
    if (isStale) {
      await replace(keys);
    }
    return keys;
  };

  const loadOrCreate = async (now: Date): Promise<TokenKeys> => {
    const stored = await load();
    if (stored !== undefined) {
      return stored;
    }
    const created = { current: await createTokenKey(now) };
    const temporary = await writeDurably(directory, await sealer.seal(serialise(created)));
    // A link, not a rename: of two processes that start together the first one's pair stays.
    const isFirst = await link(temporary, file).then(() => true, falseIfPresent);
    await rm(temporary);
    await syncDirectory(directory);
    return isFirst ? created : await loadOrCreate(now);
  };

  const rotate = async (now: Date): Promise<TokenKeys> => {
    const rotated = await rotateTokenKeys(await loadOrCreate(now), now);
    await replace(rotated);
    return rotated;
  };

  return { loadOrCreate, rotate };
};

const writeDurably = async (directory: string, bytes: Uint8Array): Promise<string> => {
  const path = join(directory, `token-keys.${process.pid}.${crypto.randomUUID()}.new`);
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return path;
};

/** A new name survives a power loss only when its directory was synced too. */
const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
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

const undefinedIfMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== "ENOENT") {
    throw error;
  }
  return undefined;
};

const falseIfPresent = (error: NodeJS.ErrnoException): false => {
  if (error.code !== "EEXIST") {
    throw error;
  }
  return false;
};
