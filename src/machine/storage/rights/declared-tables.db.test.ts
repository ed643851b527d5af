import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { tables } from "#app/tables";
import { openStoreHere } from "#support/app/store-here";
import { snakeOf } from "../table.ts";
import { isRightTable, type RightTable, rightTables } from "./declared-tables.ts";

let folder: string;
let columns: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-tables-"));
  const path = join(folder, "idem.sqlite");
  await (await openStoreHere({ path })).close();
  const sqlite = new Database(path);
  const names = sqlite
    .prepare<[], { readonly name: string }>(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
    )
    .all();
  columns = new Map(
    names.map(({ name }) => [
      name,
      sqlite
        .prepare<[], { readonly name: string }>(`select name from pragma_table_info('${name}')`)
        .all()
        .map((column) => column.name),
    ]),
  );
  sqlite.close();
});
afterAll(() => rm(folder, { recursive: true }));

it("each table of the store states whether its rows give a right, once, and why not", () => {
  const sealed = tables.filter(({ rights }) => rights === "seal").map(({ name }) => snakeOf(name));
  expect(sealed.toSorted()).toEqual(Object.keys(rightTables).toSorted());
  const declared = tables.map(({ name }) => snakeOf(name));
  expect(declared.toSorted()).toEqual([...columns.keys()].toSorted());
  for (const { rights } of tables) {
    for (const reason of rights === "seal" ? [] : Object.values(rights)) {
      expect(reason.length).toBeGreaterThan(10);
    }
  }
});

it("each column of a table that gives a right is covered by the seal, or beside it with a reason", () => {
  const declared: Readonly<Record<string, RightTable>> = rightTables;
  for (const [table, found] of columns) {
    const right = declared[table];
    if (right === undefined || !isRightTable(table)) continue;
    expect([...right.key, ...right.covers, ...Object.keys(right.beside), "seal"].toSorted()).toEqual(
      found.toSorted(),
    );
  }
});
