import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Column, snakeOf } from "#machine/storage/table";
import { type Cell, insertRow, madeAt, tablesIn } from "#support/app/erased-rows";
import { openStoreHere } from "#support/app/store-here";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { eraseTenant } from "./storage.ts";
import type { Store } from "./store.ts";
import { tables } from "./tables.ts";

const [erased, other] = [randomUUID(), randomUUID()];
let folder: string;
let store: Store;
let sqlite: Database.Database;

/** Tables with rows of a tenant that are made otherwise, or of no tenant. */
const madeOtherwise = ["migrations", "secrets", "tenants", "keys"];

/** One row of a tenant: each id is the same, so that the rows of all tables belong together. */
const fill = (table: string, tenantId: string, dataKeyId: string): void => {
  const cells: Readonly<Record<string, Cell>> = {
    tenant_id: tenantId,
    data_key_id: dataKeyId,
    environment: "test",
    // A blob of another row has a name of its own.
    blob_ids: "none",
    // A blob of an operation is of no validation.
    ...(table === "assets" && { blob_id: "none" }),
  };
  insertRow(sqlite, table, { of: (column) => cells[column], text: `row of ${tenantId}`, number: 1 });
};

const countOf = (table: string, tenantId: string): number =>
  sqlite
    .prepare<[string], { n: number }>(`select count(*) as n from ${table} where tenant_id = ?`)
    .get(tenantId)?.n ?? 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-erased-"));
  const path = join(folder, "idem.sqlite");
  store = await openStoreHere({ path });
  sqlite = new Database(path);
  sqlite.pragma("foreign_keys = off");
  const masters = [masterKeyOf(randomBytes(32))] as const;
  const keyring = makeKeyring({ store, masters, now: () => madeAt });
  for (const tenantId of [erased, other]) {
    await store.createTenant({ id: tenantId, name: tenantId, createdAt: madeAt });
    await keyring.seal(tenantId, "templates", new Uint8Array([1]));
    const [key] = await store.findKeys(tenantId);
    for (const table of tablesIn(sqlite).filter((name) => !madeOtherwise.includes(name))) {
      fill(table, tenantId, key!.id);
    }
  }
  await eraseTenant(store, erased);
});
afterAll(async () => {
  sqlite.close();
  await store.close();
  await rm(folder, { recursive: true });
});

it("every table of the database is in the list, and every table of the list in the database", () => {
  expect(tables.map(({ name }) => snakeOf(name)).toSorted()).toEqual(tablesIn(sqlite));
});

const typeNames = { text: "TEXT", int: "INTEGER", bytes: "BLOB" } as const;

it.each(tables)("every column of $name is in the database as it is declared, and no other", (table) => {
  const found = sqlite
    .prepare<[], { name: string; type: string; notnull: number; pk: number }>(
      `pragma table_info(${snakeOf(table.name)})`,
    )
    .all();
  const isKey = (name: string) => table.key.some((column) => snakeOf(column) === name);
  const declared = Object.entries<Column>(table.columns).map(([name, { type, isNullable }]) => ({
    name: snakeOf(name),
    type: typeNames[type],
    isNullable,
  }));
  expect(byName(declared)).toEqual(
    byName(
      found.map(({ name, type, notnull }) => ({
        name,
        type,
        isNullable: notnull === 0 && !isKey(name),
      })),
    ),
  );
  const key = found.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  expect(table.key.map(snakeOf)).toEqual(key.map(({ name }) => name));
});

const byName = <Named extends { readonly name: string }>(list: readonly Named[]): readonly Named[] =>
  list.toSorted((a, b) => (a.name < b.name ? -1 : 1));

const ofTenants = tables.filter(({ columns }) => "tenantId" in columns);

it("every row of a tenant goes with an erasure, or stays for a reason, and has an end", () => {
  const names = new Set<string>(tables.map(({ name }) => name));
  for (const { name, erase, keep } of ofTenants) {
    for (const words of [...Object.values<string>(erase), ...Object.values<string>(keep)]) {
      expect(words.length, name).toBeGreaterThan(2);
    }
    if ("goesWith" in erase) expect(names).toContain(erase.goesWith);
  }
});

it.each(ofTenants)("an erasure leaves the rows of $name as declared, and those of other tenants", (table) => {
  const { name, erase } = table;
  const count = (tenantId: string) => countOf(snakeOf(name), tenantId);
  const isKept = "kept" in erase;
  if (isKept) expect(count(erased)).toBeGreaterThan(0);
  else if (name !== "evidenceBodies") expect(count(erased)).toBe(0);
  expect(count(other)).toBe(1);
});

it("an erasure leaves the bodies of its receipts alone", () => {
  const bodies = sqlite
    .prepare<[string], { kind: string }>(
      "select kind from evidence join evidence_bodies using (tenant_id, seq) where tenant_id = ? order by seq",
    )
    .all(erased);
  expect(bodies.map(({ kind }) => kind)).toEqual(["data_key_destroyed", "evidence_bodies_removed"]);
});
