import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Cell, insertRow, madeAt, snake, tablesIn } from "#support/app/erased-rows";
import { openStoreHere } from "#support/app/store-here";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { erasedTables } from "./erased-tables.ts";
import { eraseTenant } from "./storage.ts";
import type { Store } from "./store.ts";

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

it("every table of the store has a fate in an erasure, and no other table has one", () => {
  const declared = Object.keys(erasedTables).map(snake);
  expect(declared.toSorted()).toEqual(tablesIn(sqlite).filter((name) => name !== "migrations"));
});

/** Tables whose rows are of no single tenant. */
const ofNone = ["scrubs", "secrets", "tenants"];
const ofTenants = Object.entries(erasedTables).filter(([name]) => !ofNone.includes(name));

it.each(ofTenants)(
  "an erasure leaves the rows of %s as declared, and those of other tenants",
  (name, fate) => {
    const table = snake(name);
    const isEvidence = table.startsWith("evidence");
    if (fate === "erased" && !isEvidence) expect(countOf(table, erased)).toBe(0);
    if (fate !== "erased") expect(countOf(table, erased)).toBeGreaterThan(0);
    expect(countOf(table, other)).toBe(1);
  },
);

it("an erasure leaves the bodies of its receipts alone", () => {
  const bodies = sqlite
    .prepare<[string], { kind: string }>(
      "select kind from evidence join evidence_bodies using (tenant_id, seq) where tenant_id = ? order by seq",
    )
    .all(erased);
  expect(bodies.map(({ kind }) => kind)).toEqual(["data_key_destroyed", "evidence_bodies_removed"]);
});
