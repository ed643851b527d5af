import { afterEach, beforeEach, expect, it } from "vitest";
import { migrations } from "#app/tables";
import { joinMigrations, migrationsOf } from "./create-table.ts";
import { migrate } from "./migrate.ts";
import { postgresDialect, sqliteDialect } from "./sql-dialect.ts";
import { openSqliteConnection, type SqliteConnection } from "./sqlite-database.ts";
import { defineTable, environment, int, orNull, sealed, text } from "./table.ts";

const next = (migrations.at(-1)?.version ?? 0) + 1;

const notes = defineTable(
  "notes",
  {
    tenantId: text(),
    id: text(),
    environment: environment(),
    sessionId: text(),
    leasedBy: orNull(text()),
    writtenAt: int(),
    sealedNote: orNull(sealed("captures", "note {id}")),
  },
  {
    key: ["tenantId", "id"],
    erase: { by: "eraseNotes" },
    keep: { until: "the test ends" },
    rights: { record: "a row of a test, which gives no right" },
    isNew: {
      version: next,
      indexes: {
        age: { on: ["tenantId", "writtenAt"] },
        leased: { on: ["leasedBy"], where: "leased_by is not null" },
        once: { on: ["tenantId", "sessionId"], isUnique: true },
      },
      checks: ["written_at > 0"],
    },
  },
);

let connection: SqliteConnection<unknown>;
const rowsOf = (statement: string): readonly unknown[] => connection.sqlite.prepare(statement).raw().all();

beforeEach(async () => {
  connection = openSqliteConnection(":memory:");
  await migrate(connection.db, [...migrations, ...migrationsOf([notes])], sqliteDialect, new Date());
  connection.sqlite.exec("insert into tenants (id, name, created_at) values ('t', 't', 0)");
});
afterEach(() => connection.db.destroy());

const insert = (values: string) => () => connection.sqlite.exec(`insert into notes values (${values})`);

it("a new table is made by the migration of its version, with its indexes", () => {
  expect(rowsOf("select version, name from migrations order by version desc limit 1")).toEqual([
    [next, "notes"],
  ]);
  expect(
    rowsOf("select name from sqlite_schema where tbl_name = 'notes' and sql is not null order by name"),
  ).toEqual([["notes"], ["notes_age"], ["notes_leased"], ["notes_once"], ["notes_witness"]]);
});

it("a new table refuses what its declaration refuses", () => {
  insert("'t', 'a', 'test', 's', null, 1, null")();
  expect(insert("'t', 'a', 'test', 'other', null, 1, null")).toThrow("UNIQUE");
  expect(insert("'t', 'b', 'test', 's', null, 1, null")).toThrow("UNIQUE");
  expect(insert("'t', 'c', 'none', 'c', null, 1, null")).toThrow("CHECK");
  expect(insert("'t', 'd', 'test', 'd', null, 0, null")).toThrow("CHECK");
  expect(insert("'t', 'e', 'test', null, null, 1, null")).toThrow("NOT NULL");
  expect(insert("'t', 'f', 'test', 'f', null, 'one', null")).toThrow("cannot store TEXT");
  expect(insert("'unknown', 'g', 'test', 'g', null, 1, null")).toThrow("FOREIGN KEY");
});

it("the plain columns that no whole index holds have a second copy, on the embedded store alone", () => {
  const [witness = []] = [rowsOf("select sql from sqlite_schema where name = 'notes_witness'")[0]].flat();
  expect(witness).toBe("CREATE INDEX notes_witness on notes (+environment, +leased_by)");
  const [migration] = migrationsOf([notes]);
  expect(migration?.statements(postgresDialect).filter((line) => line.includes("witness"))).toEqual([]);
});

it("a written migration that comes after a new table stands after it", () => {
  const later = { version: next + 1, name: "a later change", statements: () => [] };
  const earlier = { version: next - 1, name: "an earlier change", statements: () => [] };
  expect(joinMigrations([earlier, later], [notes]).map(({ version }) => version)).toEqual([
    next - 1,
    next,
    next + 1,
  ]);
});

it("the versions of all migrations follow one another", () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, at) => at + 1));
});
