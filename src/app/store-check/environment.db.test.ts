/**
 * What is sealed in a row with an environment opens in that environment alone: each sealed column of each
 * table.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeSessionSeal } from "#features/capture/sealed-session";
import { getSession } from "#features/capture/sessions";
import { getValidation } from "#judging/document/validation/find-validation";
import { makeSealing } from "#judging/document/validation/sealed";
import { useSealed } from "#support/app/used-sealed";
import { configOf, storeFileOf, useStore } from "#support/app/used-store";
import { copyDirectory } from "../../../test/harness/damage.ts";
import { openPlaces, openStorage } from "../storage.ts";
import { sealedColumns } from "./sealed-columns.ts";
import { verifyStore } from "./verify-store.ts";

const masterKey = new Uint8Array(randomBytes(32));
let home: string;
const place = (name: string): string => join(home, name);

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "idem-environment-"));
  await useStore(configOf(place("whole"), masterKey), 1, { after: useSealed });
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** Tables with sealed content whose rows do not name their environment, each with the reason. */
const withoutEnvironment: Readonly<Record<string, string>> = {
  idempotent_calls: "the name of the row is a keyed hash of the environment and the retry key",
  user_references: "a reference has the environment of its user, which binds its seal",
  destination_tokens: "a token has the environment of its destination, which binds its seal",
  delivery_attempts: "an answer has the environment of its event, which binds its seal",
};

/**
 * Runs SQL as someone with the store and without the master key would. Such a person can write the file
 * without its constraints.
 */
const past = <Value>(directory: string, work: (sqlite: Database.Database) => Value): Value => {
  const sqlite = new Database(storeFileOf(directory));
  try {
    sqlite.pragma("foreign_keys = off");
    return work(sqlite);
  } finally {
    sqlite.close();
  }
};

const tables = [...new Set(sealedColumns.map(({ table }) => table))];

const columnsOf = (sqlite: Database.Database, table: string): readonly unknown[] =>
  sqlite.prepare("select name from pragma_table_info(?)").pluck().all(table);

const sealedRowFaults = async (directory: string): Promise<readonly string[]> => {
  const parts = await verifyStore(configOf(directory, masterKey), () => undefined);
  const part = parts?.find((one) => one.part === "sealed rows");
  return (part?.faults ?? []).map((fault) => fault.place);
};

it("every table with sealed content names its environment, or its reason stands in the list of this test", () => {
  past(place("whole"), (sqlite) => {
    const unnamed = tables.filter((table) => !columnsOf(sqlite, table).includes("environment"));
    expect(unnamed.toSorted()).toStrictEqual(Object.keys(withoutEnvironment).toSorted());
    for (const { table, column, boundBy, needs } of sealedColumns) {
      if (!unnamed.includes(table)) expect(needs, `${table}.${column}`).toContain("environment");
      if (unnamed.includes(table)) expect(boundBy, `${table}.${column}`).not.toBe("row");
    }
  });
});

it("every sealed column opens in the environment of its row", async () => {
  past(place("whole"), (sqlite) => {
    for (const { table, column } of sealedColumns) {
      const filled = sqlite
        .prepare(`select count(*) from ${table} where length(${column}) > 0`)
        .pluck()
        .get();
      expect(filled, `${table}.${column}`).toBeGreaterThan(0);
    }
  });
  expect(await sealedRowFaults(place("whole"))).toStrictEqual([]);
});

const bound = sealedColumns.filter(({ table }) => !Object.hasOwn(withoutEnvironment, table));

it.each(bound)(
  "a row that was moved to the other environment past the service is named by its sealed content: $column of $table",
  async ({ table, column }) => {
    await copyDirectory(place("whole"), place("copy"));
    past(place("copy"), (sqlite) => {
      const key = sqlite.prepare("select name from pragma_table_info(?) where pk > 0").pluck().all(table);
      const { changes } = sqlite
        .prepare(
          `update ${table} set environment = 'live' where (${key.join()}) =
            (select ${key.join()} from ${table} where length(${column}) > 0 limit 1)`,
        )
        .run();
      expect(changes).toBe(1);
    });
    const faults = await sealedRowFaults(place("copy"));
    expect(faults.map((where) => where.split(" ")[0])).toContain(`${table}.${column}`);
    // All of them are of one row.
    expect(new Set(faults.map((where) => where.replace(/^(\w+)\.\w+ /, "$1 "))).size).toBe(1);
  },
);

it("a validation and a capture session of test that were moved to live past the service are read by no live key", async () => {
  await copyDirectory(place("whole"), place("copy"));
  const [validation, session] = past(place("copy"), (sqlite) =>
    ["validations", "capture_sessions"].map((table) => {
      const row = sqlite.prepare<[], Place>(`select tenant_id as tenantId, id from ${table} limit 1`).get();
      if (row === undefined) throw new Error(`There is no row of ${table}`);
      sqlite.prepare(`update ${table} set environment = 'live' where id = ?`).run(row.id);
      return row;
    }),
  );
  const config = configOf(place("copy"), masterKey);
  const { store, keyring, close } = openStorage(await openPlaces(config), config);
  const sealing = makeSealing(keyring);
  const seal = makeSessionSeal(keyring);
  try {
    const damaged = { code: "stored_damaged" };
    const liveKey = ({ tenantId }: Place) => ({ tenantId, environment: "live" }) as const;
    await expect(
      getValidation({ store, sealing }, liveKey(validation!), validation!.id),
    ).rejects.toMatchObject(damaged);
    await expect(getSession({ store, seal }, liveKey(session!), session!.id)).rejects.toMatchObject(damaged);
  } finally {
    await close();
  }
});

type Place = { readonly tenantId: string; readonly id: string };
