import { afterEach, beforeEach, expect, it } from "vitest";
import { migrations } from "#app/tables";
import { joinMigrations } from "./create-table.ts";
import { migrate } from "./migrate.ts";
import { defineRows } from "./rows.ts";
import { sqliteDialect } from "./sql-dialect.ts";
import { openSqliteConnection, type SqliteConnection } from "./sqlite-database.ts";
import { defineTable, environment, int, text } from "./table.ts";

const version = (migrations.at(-1)?.version ?? 0) + 1;
const ends = {
  erase: { by: "eraseNotes" },
  keep: { until: "the test ends" },
  rights: { record: "a row of a test, which gives no right" },
} as const;

const notes = defineTable(
  "notes",
  { tenantId: text(), id: text(), environment: environment(), createdAt: int() },
  {
    ...ends,
    key: ["tenantId", "id"],
    isNew: { version, indexes: { age: { on: ["tenantId", "createdAt"] } } },
  },
);

const remarks = defineTable(
  "remarks",
  { tenantId: text(), noteId: text() },
  {
    ...ends,
    key: ["tenantId", "noteId"],
    isNew: {
      version,
      indexes: {},
      references: ["foreign key (tenant_id, note_id) references notes (tenant_id, id)"],
    },
  },
);

let connection: SqliteConnection<unknown>;

beforeEach(async () => {
  connection = openSqliteConnection(":memory:");
  await migrate(connection.db, joinMigrations(migrations, [notes, remarks]), sqliteDialect, new Date());
  connection.sqlite.exec(`insert into tenants (id, name, created_at) values ('t', 't', 0), ('u', 'u', 0);
    insert into notes values ('t', 'old', 'test', 1), ('t', 'new', 'test', 9), ('u', 'old', 'test', 1);
    insert into remarks values ('t', 'old'), ('t', 'new'), ('u', 'old')`);
});
afterEach(() => connection.db.destroy());

it("rows without objects are removed by age, and with them the rows that name them", async () => {
  const { remove } = defineRows(notes, { age: "createdAt", children: { table: "remarks", by: "noteId" } });
  const session = { db: connection.db, locksRows: false };
  expect(await remove(session, "t", new Date(5))).toBe(1);
  expect(await remove(session, "t", new Date(5))).toBe(0);
  const left = [
    ["t", "new"],
    ["u", "old"],
  ];
  expect(connection.sqlite.prepare("select tenant_id, id from notes").raw().all()).toEqual(left);
  expect(connection.sqlite.prepare("select tenant_id, note_id from remarks").raw().all()).toEqual(left);
});
