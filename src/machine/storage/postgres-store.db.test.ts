import { afterAll, beforeAll, describe } from "vitest";
import { commandSet } from "#app/store-commands";
import { describeWholeStore } from "#support/app/describe-store";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#support/storage/embedded-postgres";
import { describeFormerStore } from "#support/storage/former-store";
import { postgresDialect } from "./sql-dialect.ts";

const place = "PostgreSQL in this process";

let postgres: EmbeddedPostgres;

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

  describeWholeStore(`the store on ${place}`, async () => ({
    open: () => postgres.openStore(commandSet),
    query: postgres.query,
    remove: postgres.removeRows,
  }));
});
