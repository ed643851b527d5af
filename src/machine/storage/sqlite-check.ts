import type { Database } from "better-sqlite3";
import {
  type CheckedTable,
  type DatabaseCheck,
  type DatabaseFault,
  findUnknownTenants,
  makeRowReader,
} from "./database-check.ts";
import { migrate } from "./migrate.ts";
import type { Migration } from "./migrations.ts";
import { messageOf } from "./outage.ts";
import { sqliteDialect } from "./sql-dialect.ts";
import { openSqliteConnection } from "./sqlite-database.ts";

/** Opens the file of an embedded store, which must exist. Throws where the file is no database. */
export const openSqliteCheck = (path: string, migrations: readonly Migration[]): DatabaseCheck => {
  const { sqlite, db } = openSqliteConnection<unknown>(path);
  sqlite.pragma("query_only = ON");
  const tables = (): readonly CheckedTable[] => tablesOf(sqlite);
  return {
    tables: () => Promise.resolve(tables()),
    faults: async function* (onTable) {
      yield* named("the file", () => structureOf(sqlite));
      yield* await schemaFaults(sqlite, migrations);
      const all = readOr(tables, []);
      for (const [at, table] of all.entries()) {
        onTable(at, all.length);
        yield* named(table.name, () => contentOf(sqlite, table));
      }
      yield* named("the file", () => referencesOf(sqlite));
      try {
        yield* findUnknownTenants(db, all);
      } catch (error) {
        yield { place: "tenants", finding: messageOf(error) };
      }
      onTable(all.length, all.length);
    },
    limits: () => Promise.resolve([]),
    rows: makeRowReader(db),
    close: () => db.destroy(),
  };
};

/** A damaged page can make any statement fail: that is a finding too. */
const named = (place: string, find: () => readonly DatabaseFault[]): readonly DatabaseFault[] => {
  try {
    return find();
  } catch (error) {
    return [{ place, finding: messageOf(error) }];
  }
};

const readOr = <Value>(read: () => Value, otherwise: Value): Value => {
  try {
    return read();
  } catch {
    // The structure, which was read before, has named the fault.
    return otherwise;
  }
};

/** Findings of one check that are named; SQLite stops there. */
const findingsMax = 100;

/**
 * Pages, free pages and the order of each tree. Not whether indexes agree with their tables: that is asked
 * for each table.
 */
const structureOf = (sqlite: Database): readonly DatabaseFault[] =>
  wordsOf(sqlite.pragma(`quick_check(${findingsMax})`), "quick_check").map((finding) => ({
    place: "the file",
    finding,
  }));

/**
 * The rows of a table against each of its indexes, among them the witness with a second copy of its plain
 * columns.
 */
const contentOf = (sqlite: Database, { name }: CheckedTable): readonly DatabaseFault[] =>
  wordsOf(sqlite.pragma(`integrity_check('${name}')`), "integrity_check").map((finding) => ({
    place: name,
    finding,
  }));

const wordsOf = (rows: unknown, column: string): readonly string[] =>
  (Array.isArray(rows) ? rows : [])
    .map((row: unknown) => textAt(row, column))
    .filter((text) => text !== "ok");

const textAt = (row: unknown, column: string): string => {
  const found: unknown = typeof row === "object" && row !== null ? Reflect.get(row, column) : undefined;
  return typeof found === "string" ? found : "";
};

/** Rows that name a row which is not there, by table. */
const referencesOf = (sqlite: Database): readonly DatabaseFault[] => {
  const rows: unknown = sqlite.pragma("foreign_key_check");
  const counts = new Map<string, number>();
  for (const row of Array.isArray(rows) ? rows : []) {
    const key = `${textAt(row, "table")} ${textAt(row, "parent")}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => {
    const [table = "", parent = ""] = key.split(" ");
    return { place: table, finding: `${count} rows name a row of ${parent} that is not there` };
  });
};

const tablesOf = (sqlite: Database): readonly CheckedTable[] =>
  sqlite
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
    .all()
    .map((row) => textAt(row, "name"))
    .map((name) => ({
      name,
      key: sqlite
        .prepare("select name from pragma_table_info(?) where pk > 0 order by pk")
        .all(name)
        .map((row) => textAt(row, "name")),
    }));

/**
 * Compares tables, indexes and triggers with those that the migrations make. A changed text would change what
 * the store checks and how it reads a row. A store of another release than this program is not compared.
 */
const schemaFaults = async (
  sqlite: Database,
  migrations: readonly Migration[],
): Promise<readonly DatabaseFault[]> => {
  const made = openSqliteConnection<unknown>(":memory:");
  try {
    await migrate(made.db, migrations, sqliteDialect, new Date());
    const [found, wanted] = [schemaOf(sqlite), schemaOf(made.sqlite)];
    if (versionOf(sqlite) !== versionOf(made.sqlite)) return [];
    return [...new Set([...found.keys(), ...wanted.keys()])]
      .filter((name) => found.get(name) !== wanted.get(name))
      .map((name) => ({ place: name, finding: "its definition is not that of the migrations" }));
  } catch (error) {
    return [{ place: "the schema", finding: messageOf(error) }];
  } finally {
    await made.db.destroy();
  }
};

const versionOf = (of: Database): unknown => of.prepare("select max(version) from migrations").pluck().get();

/** Quotes and spaces depend on the release of SQLite that renamed a column. */
const schemaOf = (sqlite: Database): ReadonlyMap<string, string> =>
  new Map(
    sqlite
      .prepare("select type, name, sql from sqlite_schema where name not like 'sqlite_%'")
      .all()
      .map((row) => [
        textAt(row, "name"),
        `${textAt(row, "type")} ${textAt(row, "sql").replace(/["\s]+/g, "")}`,
      ]),
  );
