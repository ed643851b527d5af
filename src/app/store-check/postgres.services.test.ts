// Needs PostgreSQL: eval "$(test/services/start-postgres.sh)".
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { configOf, useStore } from "#support/app/used-store";
import { createDatabase, type PostgresDatabase } from "#support/storage/postgres-database";
import { openObjects } from "../open-objects.ts";
import { openStore, type ReadyConfig } from "../storage.ts";
import { verifyStore } from "./verify-store.ts";

let home: string;
let database: PostgresDatabase;
let config: ReadyConfig;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "idem-verify-"));
  await mkdir(join(home, "data"));
  database = await createDatabase();
  config = configOf(join(home, "data"), new Uint8Array(randomBytes(32)), database.url);
  const { close } = await openStore(config, { migrate: true });
  await close();
  await useStore(config, 2);
});
afterAll(async () => {
  await database.remove();
  await rm(home, { recursive: true, force: true });
});

const faults = async () => {
  const parts = await verifyStore(config, () => undefined);
  return parts?.flatMap((part) => part.faults) ?? [];
};

/** Runs SQL beside the store, without its triggers and foreign keys, as damage would. */
const query = async (statement: string): Promise<readonly Readonly<Record<string, string>>[]> => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query("set session_replication_role = replica");
    return (await client.query<Readonly<Record<string, string>>>(statement)).rows;
  } finally {
    await client.end();
  }
};

it("a used store on PostgreSQL is whole, and every part of it was checked", async () => {
  const parts = (await verifyStore(config, () => undefined)) ?? [];
  expect(parts.flatMap((part) => part.faults)).toStrictEqual([]);
  expect(parts.map(({ part }) => part)).toStrictEqual([
    "database",
    "sealed rows",
    "evidence",
    "rights",
    "blobs",
  ]);
  for (const { part, checked } of parts) expect(checked, part).toBeGreaterThan(10);
});

it("on PostgreSQL damaged objects, sealed columns, links of a chain and rows of no tenant are named", async () => {
  const objects = await openObjects(config);
  const [blob] = await query("select tenant_id, id from blobs order by id limit 1");
  const name = { tenantId: blob?.["tenant_id"] ?? "", id: blob?.["id"] ?? "" };
  const bytes = (await objects.read(name)) ?? new Uint8Array();
  await objects.write(name, bytes.with(60, bytes[60]! ^ 1));
  expect(await faults()).toMatchObject([
    { part: "blobs", tenant: name.tenantId, place: `blobs/${name.tenantId}/${name.id}` },
  ]);
  await objects.write(name, bytes);

  const flip =
    "set sealed_measurements = set_byte(sealed_measurements, 40, get_byte(sealed_measurements, 40) # 1)";
  const one = "id = (select min(id) from transactions where length(sealed_measurements) > 60)";
  await query(`update transactions ${flip} where ${one}`);
  expect(await faults()).toMatchObject([
    { part: "sealed rows", place: expect.stringContaining("transactions.sealed_measurements") },
  ]);
  await query(`update transactions ${flip} where ${one}`);

  await query("update evidence set kind = kind || 'x' where seq = 2");
  expect((await faults()).map(({ part }) => part)).toContain("evidence");
  await query("update evidence set kind = left(kind, -1) where seq = 2");

  await query(
    "insert into blobs (tenant_id, id, kind, bytes, created_at) values ('none', 'x', 'front', 1, 0)",
  );
  const found = await faults();
  expect(found.map(({ part, place }) => `${part} ${place}`)).toContain("database blobs");
  await query("delete from blobs where tenant_id = 'none'");
  expect(await faults()).toStrictEqual([]);
});
