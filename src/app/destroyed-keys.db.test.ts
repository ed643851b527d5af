/**
 * An erasure can destroy a data key between the sealing of a row and its commit: another process uses its
 * keys for two seconds more. No row may be written then, since nothing could open it and its caller would
 * have an answer.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { dataKeyIdIn } from "#machine/storage/sealed-box";
import { type Column, snakeOf, type Table } from "#machine/storage/table";
import { useSealed } from "#support/app/used-sealed";
import { configOf, storeFileOf, useStore } from "#support/app/used-store";
import type { Store } from "./store.ts";
import { tables } from "./tables.ts";

const masterKey = new Uint8Array(randomBytes(32));
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "idem-destroyed-keys-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** The ids of data keys in the arguments of a command: in sealed bytes, and where one names its key. */
const keyIdsIn = (value: unknown, name = ""): readonly string[] => {
  if (value instanceof Uint8Array) return [dataKeyIdIn(value) ?? []].flat();
  if (typeof value === "string") return name === "dataKeyId" ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => keyIdsIn(member, key));
};

/**
 * The store, with a look at each command and the keys in its arguments. `judge` runs the command, or lets it
 * run.
 */
const watched = (
  store: Store,
  judge: (name: string, keyIds: readonly string[], run: () => Promise<unknown>) => Promise<unknown>,
): Store =>
  new Proxy(store, {
    get: (target, name, receiver) => {
      const command: unknown = Reflect.get(target, name, receiver);
      if (typeof command !== "function" || typeof name !== "string") return command;
      return (...args: readonly unknown[]) =>
        judge(name, keyIdsIn(args), () => Reflect.apply(command, target, args));
    },
  });

/** Ends the use of a store after the command of a case. */
class Judged extends Error {}

const purposesOf = async (store: Store, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  const keys = ids.length === 0 ? [] : await store.listKeys();
  return new Map(keys.flatMap(({ id, purpose }) => (ids.includes(id) ? [[purpose, id] as const] : [])));
};

const use = (directory: string, through: (store: Store) => Store) =>
  useStore(configOf(directory, masterKey), 1, { tenants: ["bank"], after: useSealed, through });

type Case = { readonly command: string; readonly purpose: string };

/** Each command of a used store that is given sealed bytes, with the purpose of each key that sealed them. */
const cases = new Map<string, Case>();
const whole = await mkdtemp(join(tmpdir(), "idem-destroyed-keys-"));
await use(whole, (store) =>
  watched(store, async (command, ids, run) => {
    for (const purpose of (await purposesOf(store, ids)).keys()) {
      cases.set(`${command} ${purpose}`, { command, purpose });
    }
    return await run();
  }),
);
afterAll(() => rm(whole, { recursive: true, force: true }));

/** The sealed columns under data keys, as the tables declare them. */
const declared: readonly Table[] = tables;
const sealedPlaces = declared.flatMap(({ name, columns }) =>
  Object.entries<Column>(columns).flatMap(([column, { seal }]) =>
    seal && "purpose" in seal ? [{ table: snakeOf(name), column: snakeOf(column) }] : [],
  ),
);

/** How many values of all tables this key sealed. */
const countUnder = (directory: string, keyId: string): number => {
  const sqlite = new Database(storeFileOf(directory), { readonly: true });
  const id = Buffer.from(keyId.replaceAll("-", ""), "hex");
  const counts = sealedPlaces.map(({ table, column }) =>
    Number(
      sqlite.prepare(`select count(*) from ${table} where substr(${column}, 2, 16) = ?`).pluck().get(id),
    ),
  );
  sqlite.close();
  return counts.reduce((sum, count) => sum + count, 0);
};

/**
 * What a command does whose key was destroyed after the sealing: its failure, or what it wrote under the key.
 */
const destroyThenRun = async (
  store: Store,
  directory: string,
  id: string,
  run: () => Promise<unknown>,
): Promise<string> => {
  const former = countUnder(directory, id);
  await store.destroyKey(id, new Date(), { evidence: [] });
  try {
    await run();
  } catch (error) {
    return error instanceof Failure ? error.code : String(error);
  }
  return countUnder(directory, id) > former ? "written" : "nothing written";
};

it.each(sealedPlaces)("a used store has content in $table.$column", ({ table, column }) => {
  const sqlite = new Database(storeFileOf(whole), { readonly: true });
  const count = sqlite.prepare(`select count(*) from ${table} where length(${column}) > 0`).pluck().get();
  sqlite.close();
  expect(count).toBeGreaterThan(0);
});

it.each([...cases.values()])(
  "$command writes nothing that a destroyed key of $purpose sealed",
  async ({ command, purpose }) => {
    const directory = join(home, `${command}-${purpose}`);
    let outcome: unknown;
    const used = use(directory, (store) =>
      watched(store, async (name, ids, run) => {
        const id = name === command && outcome === undefined && (await purposesOf(store, ids)).get(purpose);
        if (!id) return await run();
        outcome = await destroyThenRun(store, directory, id, run);
        throw new Judged();
      }),
    );
    // The capture sessions of the store's use answer a failure, and do not reject.
    await used.catch(() => undefined);
    // A row whose objects were sealed under the key is refused too, though no column of it is.
    const isAllowed = (found: unknown) =>
      found === "store_unavailable" || (found === "nothing written" && purpose !== "images");
    expect(outcome).toSatisfy(isAllowed);
  },
);
