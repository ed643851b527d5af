// Needs PostgreSQL: eval "$(test/services/start-postgres.sh)".
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openPostgresStore, type Store } from "#app/store";
import { migrations } from "#app/tables";
import { migratePostgres } from "#machine/storage/postgres-store";
import { createDatabase, queryPostgres } from "#support/storage/postgres-database";
import { at, newTenantIn } from "#support/storage/suite";
import { newDestination, recordEvents } from "#support/webhooks/deliveries";

let url: string;
let store: Store;
let tenantId: string;
/** A connection of another process, with a transaction that is open at the start of each test. */
let other: Client;
let close: () => Promise<void>;

beforeEach(async () => {
  const database = await createDatabase();
  url = database.url;
  await migratePostgres({ url }, migrations, new Date());
  store = await openPostgresStore({ url });
  tenantId = await newTenantIn(store);
  await newDestination(store, tenantId);
  await recordEvents(store, tenantId, "one");
  other = new Client({ connectionString: url });
  await other.connect();
  await other.query("begin");
  close = async () => {
    await other.end();
    await store.close();
    await database.remove();
  };
});
afterEach(() => close());

/** Resolves when a statement waits for a lock, or when the erasure has ended. */
const untilWaiting = async (erasure: Promise<unknown>): Promise<void> => {
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
  };
  void erasure.then(end, end);
  const waiting =
    "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => hasEnded || (await queryPostgres(url, waiting)).length === 1).toBe(true);
};

const erase = async (): Promise<void> => {
  while ((await store.eraseOperations(tenantId, at(100_000))) > 0);
};

const countOf = async (table: string): Promise<number> =>
  Number((await other.query(`select count(*) as n from ${table}`)).rows[0].n);

it("waits for a delivery that ends at the same moment, and removes its log too", async () => {
  await other.query("update deliveries set attempts = attempts + 1");
  const erasure = erase();
  await untilWaiting(erasure);
  await other.query(
    `insert into delivery_attempts (tenant_id, destination_id, event_id, attempt, at, outcome, decision, timings)
      select tenant_id, destination_id, event_id, 1, 1, 'delivered', 'delivered', '{}' from deliveries`,
  );
  await other.query("commit");
  await erasure;
  for (const table of ["delivery_attempts", "deliveries", "events", "operations"]) {
    expect(await countOf(table), table).toBe(0);
  }
});

it("waits for a call that holds an operation, and removes what the call wrote", async () => {
  await other.query("select id from operations for update");
  const erasure = erase();
  await untilWaiting(erasure);
  await other.query(
    `insert into events (tenant_id, id, environment, operation_id, sequence, name, at, sealed_data)
      select tenant_id, $1, environment, id, 9, 'selfie_captured', 1, '\\x00' from operations`,
    [randomUUID()],
  );
  await other.query("commit");
  await erasure;
  expect(await countOf("operations")).toBe(0);
  expect(await countOf("events")).toBe(0);
});
