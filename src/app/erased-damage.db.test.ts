import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { snakeOf } from "#machine/storage/table";
import { type Cell, type Column, insertRow, madeAt, tablesIn } from "#support/app/erased-rows";
import { openStoreHere } from "#support/app/store-here";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { ErasureUnfinished } from "./erasure.ts";
import { eraseTenant } from "./storage.ts";
import type { Store } from "./store.ts";
import { tables } from "./tables.ts";

type Reference = {
  readonly id: number;
  readonly table: string;
  readonly from: string;
  readonly to: string | null;
};

const rows = ["one", "two"] as const;
const madeOtherwise = [
  "migrations",
  "secrets",
  "tenants",
  "keys",
  "evidence_anchors",
  "evidence_heads",
  "scrubs",
];
let folder: string;
let path: string;
let store: Store;
let tenantId: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-erased-damage-"));
  path = join(folder, "idem.sqlite");
  store = await openStoreHere({ path });
  tenantId = randomUUID();
  await fillStore();
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const withFile = <Result>(work: (sqlite: Database.Database) => Result): Result => {
  const sqlite = new Database(path);
  try {
    return work(sqlite);
  } finally {
    sqlite.close();
  }
};

const blobOwners = ["assets", "validation_blobs", "capture_sessions", "verifications", "signed_documents"];

/** A row of this name: each id is the name, so that the rows of one name belong together in all tables. */
const fill = (sqlite: Database.Database, table: string, name: string, dataKeyId: string): void => {
  const cells: Readonly<Record<string, Cell>> = {
    tenant_id: tenantId,
    data_key_id: dataKeyId,
    // An erasure removes the rows of one environment after those of the other.
    environment: name === "one" ? "test" : "live",
    // The image of an operation, and the object of every other owner, has a row of its own.
    blob_ids: `${table} ${name}`,
    blob_id: `${table} ${name}`,
  };
  const row = { text: name, number: name === "one" ? 1 : 2 };
  if (table !== "blobs") return insertRow(sqlite, table, { ...row, of: (column) => cells[column] });
  for (const owner of blobOwners) {
    const of = (column: string) => (column === "id" ? `${owner} ${name}` : cells[column]);
    insertRow(sqlite, table, { ...row, of });
  }
};

const fillStore = async (): Promise<void> => {
  const keyring = makeKeyring({ store, masters: [masterKeyOf(randomBytes(32))], now: () => madeAt });
  await store.createTenant({ id: tenantId, name: tenantId, createdAt: madeAt });
  for (const purpose of ["templates", "images"] as const)
    await keyring.seal(tenantId, purpose, new Uint8Array([1]));
  const keys = await store.findKeys(tenantId);
  withFile((sqlite) => {
    sqlite.pragma("foreign_keys = off");
    for (const table of tablesIn(sqlite).filter((name) => !madeOtherwise.includes(name)))
      for (const [at, name] of rows.entries()) fill(sqlite, table, name, keys[at]!.id);
    expect(sqlite.pragma("foreign_key_check")).toEqual([]);
  });
};

const erasedNames = tables
  .filter(({ name, erase }) => !("kept" in erase) && name !== "evidenceBodies")
  .map(({ name }) => snakeOf(name));

const leftRows = (): readonly string[] =>
  withFile((sqlite) =>
    erasedNames.filter(
      (table) =>
        sqlite.prepare(`select 1 from ${table} where tenant_id = ? limit 1`).get(tenantId) !== undefined,
    ),
  );

/** Each foreign key of the schema that leads from a row of a tenant to another row of that tenant. */
const references = async (): Promise<
  readonly { readonly table: string; readonly columns: readonly Reference[] }[]
> =>
  withFile((sqlite) =>
    tablesIn(sqlite).flatMap((table) => {
      const all = sqlite.prepare<[], Reference>(`pragma foreign_key_list(${table})`).all();
      return [...Map.groupBy(all, ({ id }) => id).values()]
        .filter((columns) => columns[0]?.table !== "tenants" && !table.startsWith("evidence"))
        .map((columns) => ({ table, columns }));
    }),
  );

/**
 * Points the first row at what the second row names; the rows of the primary key then stand for one another.
 */
const pointAtOther = (table: string, columns: readonly Reference[]): number =>
  withFile((sqlite) => {
    sqlite.pragma("foreign_keys = on");
    const own = columns.filter(({ from }) => from !== "tenant_id");
    const changed = own.map(({ from }) => `${from} = (select ${from} from other)`).join(", ");
    const keys = sqlite.prepare<[], Column>(`pragma table_info(${table})`).all();
    const key = keys.filter(({ pk }) => pk > 0).map(({ name }) => name);
    // Of a row whose key is its foreign key there is one for each row that it names.
    if (key.every((name) => name === "tenant_id" || own.some(({ from }) => from === name))) return 0;
    const first = own[0]!.from;
    // The log of a delivery names its key, so that the database refuses another key.
    if (table === "deliveries") sqlite.exec("delete from delivery_attempts");
    return sqlite
      .prepare(`with other as (select * from ${table} where tenant_id = '${tenantId}' order by ${first} desc limit 1)
      update or ignore ${table} set ${changed} where tenant_id = '${tenantId}' and ${first} <> (select ${first} from other)`)
      .run().changes;
  });

it("ends, and leaves no row, where any one foreign key leads to another row of the tenant", {
  timeout: 120_000,
}, async () => {
  const all = await references();
  expect(all.length).toBeGreaterThan(10);
  const unchanged: string[] = [];
  for (const { table, columns } of all) {
    const isChanged = pointAtOther(table, columns) > 0;
    if (!isChanged) unchanged.push(table);
    await eraseTenant(store, tenantId);
    expect(leftRows(), `${table} ${columns.map(({ from }) => from).join(", ")}`).toEqual([]);
    await store.close();
    await rm(path);
    for (const end of ["-wal", "-shm"]) await rm(`${path}${end}`, { force: true });
    store = await openStoreHere({ path });
    tenantId = randomUUID();
    await fillStore();
  }
  expect(unchanged).toEqual(["destination_tokens", "registry_photos", "reviews"]);
});

it("ends, and leaves no row, where all of them lead to another row at once", async () => {
  for (const { table, columns } of await references()) pointAtOther(table, columns);
  await eraseTenant(store, tenantId);
  expect(leftRows()).toEqual([]);
});

it.each(["validation_blobs", "capture_sessions", "verifications", "signed_documents"])(
  "ends, and leaves no row, where an image of an operation is the object of another owner in %s",
  async (owner) => {
    withFile((sqlite) => sqlite.exec(`update assets set blob_id = '${owner} two'`));
    await eraseTenant(store, tenantId);
    expect(leftRows()).toEqual([]);
  },
);

it("keeps an object that another row names until that row goes, in the retention too", async () => {
  withFile((sqlite) => {
    sqlite.exec("update assets set blob_id = 'validation_blobs one' where id = 'one'");
    sqlite.exec("delete from reviews");
  });
  expect(await store.purgeValidations(tenantId, new Date())).toBeGreaterThan(0);
  expect(await store.knownBlobIds(tenantId, ["validation_blobs one"])).toEqual(["validation_blobs one"]);
  expect(await store.purgeAssets(tenantId, new Date())).toBe(2);
  expect(await store.knownBlobIds(tenantId, ["validation_blobs one"])).toEqual([]);
});

it("removes every other part where one fails, and states the rest in a sentence", async () => {
  const failing: Store = {
    ...store,
    eraseOperations: () => Promise.reject(new Error("FOREIGN KEY constraint failed")),
  };
  const erasure = eraseTenant(failing, tenantId);
  await expect(erasure).rejects.toBeInstanceOf(ErasureUnfinished);
  await expect(erasure).rejects.toThrow(
    /^The keys are destroyed, .*: operations \(.*\)\. Run the command again\./u,
  );
  expect(leftRows()).not.toContain("signed_documents");
  expect(leftRows()).not.toContain("capture_sessions");
});
