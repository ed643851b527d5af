import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandSet } from "#app/store-commands";
import { tables } from "#app/tables";
import { describeWholeStore } from "#support/app/describe-store";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#support/storage/embedded-postgres";
import { describeFormerStore } from "#support/storage/former-store";
import { postgresDialect } from "./sql-dialect.ts";
import { type Column, snakeOf } from "./table.ts";

const place = "PostgreSQL in this process";

let postgres: EmbeddedPostgres;

const byPlace = (rows: readonly Record<string, unknown>[]) =>
  rows.toSorted((a, b) => (String(a["place"]) < String(b["place"]) ? -1 : 1));

beforeAll(async () => {
  postgres = await startEmbeddedPostgres();
});
afterAll(() => postgres.stop());

describeFormerStore(place, postgresDialect, async () => ({
  run: postgres.query,
  open: async () => {
    await postgres.migrate();
    return await postgres.openStore(commandSet);
  },
  remove: postgres.removeTables,
}));

describe("migrated", () => {
  beforeAll(() => postgres.migrate());

  it("every column of the list of tables is in the database as it is declared, and no other", async () => {
    const found = await postgres.query(`select table_name || '.' || column_name as place, data_type as type,
        is_nullable = 'YES' as "isNullable" from information_schema.columns where table_schema = 'public'`);
    const declared = tables.flatMap(({ name, columns }) =>
      Object.entries<Column>(columns).map(([column, { type, isNullable }]) => ({
        place: `${snakeOf(name)}.${snakeOf(column)}`,
        type: { text: "text", int: "bigint", bytes: "bytea" }[type],
        isNullable,
      })),
    );
    expect(byPlace(declared)).toEqual(byPlace(found));
  });

  describeWholeStore(`the store on ${place}`, async () => ({
    open: () => postgres.openStore(commandSet),
    query: postgres.query,
    remove: postgres.removeRows,
  }));
});
