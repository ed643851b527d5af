import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeKeyring } from "#storage/keyring";
import { masterKeyOf } from "#storage/master-key";
import { erasedTables } from "./erased-tables.ts";
import { eraseTenant } from "./storage.ts";
import type { Store } from "./store.ts";
import { openStoreHere } from "./testing/store-here.ts";

type Cell = string | number | Buffer | null;

const madeAt = new Date(Date.now() - 3_600_000);
const [erased, other] = [randomUUID(), randomUUID()];
let folder: string;
let store: Store;
let sqlite: Database.Database;

/** Values that the checks of a table ask for. */
const values: Readonly<Record<string, Readonly<Record<string, Cell>>>> = {
  // A blob of an operation is of no validation.
  assets: { blob_id: "none" },
  capture_sessions: { state: "OPEN" },
  capture_tokens: { holder: "page" },
  clearing_callbacks: { state: "due", sealed: Buffer.from([1]) },
  clearing_tokens: { same_person_by: "image", uses: 0, uses_max: 1 },
  clearing_transfers: { state: "created" },
  deliveries: { state: "due" },
  destinations: { state: "active" },
  operations: { state: "open" },
  transactions: { measurements: "null", result: "{}", models: "{}", token_hashes: "[]" },
  validations: { status: "DONE", decided_at: madeAt.getTime() },
  verifications: { state: "PROCESSING" },
};

/** Tables with rows of a tenant that are made otherwise, or of no tenant. */
const madeOtherwise = ["migrations", "secrets", "tenants", "keys"];

const tablesIn = (): readonly string[] =>
  sqlite
    .prepare<[], { name: string }>("select name from sqlite_master where type = 'table' order by name")
    .all()
    .map(({ name }) => name);

type Column = { readonly name: string; readonly type: string; readonly notnull: number; readonly pk: number };

/** One row of a tenant: each id is the same, so that the rows of all tables belong together. */
const fill = (table: string, tenantId: string, dataKeyId: string): void => {
  const columns = sqlite.prepare<[], Column>(`pragma table_info(${table})`).all();
  const cellOf = ({ name, type, notnull, pk }: Column): Cell => {
    const own = values[table]?.[name];
    if (own !== undefined) return own;
    if (name === "tenant_id") return tenantId;
    if (name === "data_key_id") return dataKeyId;
    if (name === "environment") return "test";
    // A blob of another row has a name of its own.
    if (name === "blob_ids") return "none";
    if (notnull === 0 && pk === 0) return null;
    if (name.endsWith("_at")) return madeAt.getTime();
    if (type.toLowerCase() === "integer") return 1;
    if (type.toLowerCase() === "blob") return Buffer.from([1]);
    return `row of ${tenantId}`;
  };
  const names = columns.map(({ name }) => name);
  sqlite
    .prepare(`insert into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`)
    .run(...columns.map(cellOf));
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
    for (const table of tablesIn().filter((name) => !madeOtherwise.includes(name))) {
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

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

it("every table of the store has a fate in an erasure, and no other table has one", () => {
  const declared = Object.keys(erasedTables).map(snake);
  expect(declared.toSorted()).toEqual(tablesIn().filter((name) => name !== "migrations"));
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
