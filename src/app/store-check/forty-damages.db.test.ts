/**
 * The figure of the check: forty seeded damages of a store are named, each alone on a fresh copy, and no
 * fault is named on ten whole stores of different use.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { configOf, storeFileOf, useStore } from "#support/app/used-store";
import { copyDirectory, type DamageKind, damage, drawFrom } from "../../../test/harness/damage.ts";
import { type ForgedRow, type Forgery, forgeRights, forgeries } from "../../../test/harness/forge-rights.ts";
import { beginRightsAnew } from "../rights.ts";
import { eraseTenant, openUnheld, type ReadyConfig, rewrapKeys } from "../storage.ts";
import type { StoreFault } from "./store-check.ts";
import { verifyStore } from "./verify-store.ts";

const masterKey = new Uint8Array(randomBytes(32));
let home: string;
const place = (name: string): string => join(home, name);
const configIn = (name: string): ReadyConfig => configOf(place(name), masterKey);

const faultsIn = async (config: ReadyConfig): Promise<readonly StoreFault[]> => {
  const parts = await verifyStore(config, () => undefined);
  if (parts === undefined) throw new Error(`Nothing is stored in ${config.dataDirectory}`);
  return parts.flatMap(({ faults }) => faults);
};

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "idem-forty-"));
  await useStore(configIn("whole"), 1);
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** How often each kind of damage of bytes is made. With one of each kind of forgery they are forty. */
const ofBytes: readonly (readonly [DamageKind, number])[] = [
  ["blob flipped", 4],
  ["blob swapped", 3],
  ["blob emptied", 3],
  ["blob removed", 3],
  ["database flipped", 8],
];

const isForgery = (name: string): name is Forgery => Object.hasOwn(forgeries, name);

/**
 * Damages the copy. Returns how to see that a fault names it; undefined where the change met bytes that hold
 * nothing.
 */
const makeBytes = async (kind: DamageKind, seed: number) => {
  await copyDirectory(place("whole"), place("copy"));
  const words = await damage(place("copy"), kind, drawFrom(seed));
  if (words === undefined) return undefined;
  if (kind === "database flipped") {
    const owner = ownerOf(Number(/byte (\d+)/.exec(words)?.[1]));
    const part = partOf(owner);
    return {
      words: `${words} (${owner})`,
      // A tree that is out of order, or a file that no longer opens, is named by the file.
      isNamed: (fault: StoreFault) =>
        fault.part === part ||
        fault.place.startsWith(owner) ||
        fault.fault.includes(owner) ||
        ["the file", storeFileOf(place("copy"))].includes(fault.place),
    };
  }
  const [id = ""] =
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=[^/]*$|, byte| emptied| has| removed)/.exec(words) ?? [];
  return { words, isNamed: (fault: StoreFault) => fault.part === "blobs" && fault.place.endsWith(id) };
};

/**
 * The table to which the page of a byte belongs in the whole store; `schema` for the pages of its
 * definitions.
 */
const ownerOf = (byte: number): string => {
  const sqlite = new Database(storeFileOf(place("whole")), { readonly: true });
  const bytes = Number(sqlite.pragma("page_size", { simple: true }));
  const name = sqlite
    .prepare("select tbl_name from dbstat join sqlite_schema using (name) where pageno = ?")
    .pluck()
    .get(Math.floor(byte / bytes) + 1);
  sqlite.close();
  return typeof name === "string" ? name : "schema";
};

/** The check that names a flip in such a page, beside those that name the table itself. */
const partOf = (owner: string): string | undefined => {
  if (owner === "schema") return "database";
  return owner.startsWith("evidence") ? "evidence" : undefined;
};

const isOf = ({ place: where }: StoreFault, { table, id }: ForgedRow): boolean =>
  where.startsWith(`${table} `) && where.includes(id);

it("forty damages, one at a time, are named: of objects, of bytes of the database, of rights", async () => {
  const missed: string[] = [];
  const counts = new Map<string, number>();
  const note = (kind: string, words: string, isNamed: boolean): void => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (!isNamed) missed.push(`${kind}: ${words}`);
  };
  for (const [kind, wanted] of ofBytes) {
    for (let [seed, made] = [1, 0]; made < wanted; seed++) {
      const done = await makeBytes(kind, seed);
      if (done === undefined) continue;
      made += 1;
      note(kind, done.words, (await faultsIn(configIn("copy"))).some(done.isNamed));
    }
  }
  for (const [at, kind] of Object.keys(forgeries).filter(isForgery).entries()) {
    await copyDirectory(place("whole"), place("copy"));
    const rows = forgeRights(place("copy"), kind, drawFrom(at + 1));
    const faults = (await faultsIn(configIn("copy"))).filter(({ part }) => part === "rights");
    const lacking = rows.filter((row) => !faults.some((fault) => isOf(fault, row)));
    note(kind, JSON.stringify(lacking), lacking.length === 0);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  process.stdout.write(`damages: ${total}, named: ${total - missed.length}\n`);
  expect(missed).toStrictEqual([]);
  expect(total).toBe(40);
});

/** Whole stores of different use. Each returns the settings that open it. */
const wholeStores: Readonly<Record<string, (name: string) => Promise<ReadyConfig>>> = {
  "used once by two tenants": async (name) => await used(name, 1),
  "used three times by one tenant": async (name) => await used(name, 3, { tenants: ["one"] }),
  "of four tenants with rights alone": async (name) =>
    await used(name, 1, { tenants: ["a", "b", "c", "d"], works: ["rights"], captures: false }),
  "of calls and documents without rights": async (name) =>
    await used(name, 2, { works: ["calls", "documents"], captures: false }),
  "of captures alone": async (name) => await used(name, 0),
  "with an erased tenant": async (name) =>
    await used(name, 1, {
      after: async ({ sealedStore }, [tenantId = ""]) => void (await eraseTenant(sealedStore, tenantId)),
    }),
  "whose old bodies of evidence were removed": async (name) =>
    await used(name, 1, {
      after: async ({ store }, tenantIds) => {
        for (const tenantId of tenantIds) {
          await store.removeBodies(tenantId, new Date(Date.now() + 1), { id: randomUUID(), at: new Date() });
        }
      },
    }),
  "whose master key was changed": async (name) => {
    const former = await used(name, 1);
    const next = new Uint8Array(randomBytes(32));
    const { store, close } = await openUnheld(former);
    await rewrapKeys(store, { ...former, masterKey: next, masterKeyPrevious: masterKey });
    await close();
    return configOf(place(name), next);
  },
  "whose seals were begun anew, and used again": async (name) => {
    const config = await used(name, 1, { tenants: ["one"] });
    const sqlite = new Database(storeFileOf(place(name)));
    sqlite.exec("delete from secrets where name = 'rights'; delete from evidence_heads");
    for (const table of sealedTables) sqlite.exec(`update ${table} set seal = null`);
    sqlite.close();
    const { store, close } = await openUnheld(config);
    expect(await beginRightsAnew(store, config, new Date())).toBe(true);
    await close();
    return await used(name, 1, { tenants: ["two"] });
  },
  "that a process has open, with its last commits in the log": async (name) => {
    const config = await used(name, 1);
    await used(name, 1, {
      tenants: ["three"],
      after: async () => await cp(place(name), place(`${name} open`), { recursive: true }),
    });
    expect(await faultsIn(config)).toStrictEqual([]);
    return configIn(`${name} open`);
  },
};

const sealedTables = [
  "tenants",
  "api_keys",
  "destinations",
  "clearing_credentials",
  "clearing_tokens",
  "capture_tokens",
  "blocked_faces",
  "listed_documents",
];

const used = async (name: string, rounds: number, use: Parameters<typeof useStore>[2] = {}) => {
  await useStore(configIn(name), rounds, use);
  return configIn(name);
};

it("ten whole stores of different use have no fault", { timeout: 900_000 }, async () => {
  const found: Record<string, readonly StoreFault[]> = {};
  for (const [words, make] of Object.entries(wholeStores)) found[words] = await faultsIn(await make(words));
  const counts = Object.values(found).map((faults) => faults.length);
  process.stdout.write(
    `whole stores: ${counts.length}, false faults: ${counts.reduce((sum, n) => sum + n, 0)}\n`,
  );
  expect(found).toStrictEqual(Object.fromEntries(Object.keys(wholeStores).map((words) => [words, []])));
  expect(counts).toHaveLength(10);
});
