// Needs PostgreSQL: eval "$(test/services/start-postgres.sh)".

import { type ChildProcess, fork } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgresStore, type Store } from "#app/store";
import { migrations } from "#app/tables";
import { migratePostgres } from "#machine/storage/postgres-store";
import type { Raced } from "#support/idempotency/race";
import { createDatabase, type PostgresDatabase, queryPostgres } from "#support/storage/postgres-database";
import { aTransaction, newTenantIn, noStep } from "#support/storage/suite";
import type { Claim } from "./store/claim.ts";

const program = fileURLToPath(new URL("../../../test/support/idempotency/race.ts", import.meta.url));

let database: PostgresDatabase;
let store: Store;
let tenantId: string;

beforeAll(async () => {
  database = await createDatabase();
  await migratePostgres({ url: database.url }, migrations, new Date());
  store = await openPostgresStore({ url: database.url });
  tenantId = await newTenantIn(store);
});
afterAll(async () => {
  await store.close();
  await database.remove();
});

const startRacer = async (master: string): Promise<ChildProcess> => {
  const child = fork(program, [database.url, tenantId, master], { serialization: "advanced" });
  await once(child, "message");
  return child;
};

const attempt = async (racer: ChildProcess, keys: readonly string[]): Promise<readonly Raced[]> => {
  const answered = once(racer, "message");
  racer.send([...keys]);
  const [results]: readonly unknown[] = await answered;
  return isRaced(results) ? results : [];
};

const isRaced = (value: unknown): value is readonly Raced[] => Array.isArray(value);

describe("two processes on PostgreSQL", () => {
  it("carry out each of 1,000 raced calls once, and retries get its one answer", {
    timeout: 600_000,
  }, async () => {
    const master = randomBytes(32).toString("base64");
    const racers = await Promise.all([startRacer(master), startRacer(master)]);
    let simultaneous = 0;
    for (let round = 0; round < 50; round += 1) {
      const keys = Array.from({ length: 20 }, (_, n) => `${n % 2 === 0 ? "deferred" : "own"} ${round} ${n}`);
      const [left = [], right = []] = await Promise.all(racers.map((racer) => attempt(racer, keys)));
      // A retry after the race, in the process that won or lost it.
      const after = await attempt(racers[round % 2]!, keys);
      keys.forEach((key, n) => {
        const both = [left[n], right[n]];
        const first = both.filter((end) => end !== undefined && "body" in end && !end.isReplayed);
        const refused = both.filter((end) => end !== undefined && "failure" in end);
        expect(first, key).toHaveLength(1);
        expect(refused.every((end) => "failure" in end && end.failure === "idempotency_call_running")).toBe(
          true,
        );
        simultaneous += refused.length;
        expect(after[n], key).toStrictEqual({ ...first[0], isReplayed: true });
      });
    }
    for (const racer of racers) racer.kill("SIGKILL");
    const [count] = await queryPostgres(
      database.url,
      "select count(*)::int n from transactions where endpoint = 'race'",
    );
    expect(count).toStrictEqual({ n: 1_000 });
    expect(simultaneous, "some attempts must have met while the call ran").toBeGreaterThan(0);
  });
});

describe("a taken-over call on PostgreSQL", () => {
  const aClaim = (name: string, transactionId = randomUUID()): Claim => ({
    tenantId,
    name,
    request: "request",
    owner: "key",
    transactionId,
    keyId: "key",
    environment: "test",
    now: new Date(),
    leasedUntil: new Date(0),
    forgottenBefore: new Date(0),
  });

  /** A command of the former attempt that has written its record and not committed yet. */
  const writeSlowly = async (transactionId: string): Promise<Client> => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query("begin");
    await client.query(
      `insert into transactions (tenant_id, id, key_id, environment, endpoint, at, result, measurements, policy_version,
        models, token_hashes) values ($1, $2, 'key', 'test', 'slow', 0, '{}', 'null', '1', '{}', '[]')`,
      [tenantId, transactionId],
    );
    return client;
  };

  const untilItWaits = async (): Promise<void> => {
    const waiting =
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await expect.poll(() => queryPostgres(database.url, waiting), { timeout: 20_000 }).toHaveLength(1);
  };

  it.each([
    ["commit", "lost"],
    ["rollback", "claimed"],
  ])("waits for the former attempt's transaction: after its %s it is %s", async (end, kind) => {
    const dead = aClaim(`slow ${end}`);
    await store.claimCall(dead);
    const slow = await writeSlowly(dead.transactionId);
    const claiming = store.claimCall(aClaim(dead.name));
    await untilItWaits();
    await slow.query(end);
    await slow.end();
    expect(await claiming).toMatchObject({ kind });
  });

  it("refuses the former attempt's commit afterwards", async () => {
    const dead = aClaim("late");
    await store.claimCall(dead);
    expect(await store.claimCall(aClaim("late"))).toStrictEqual({ kind: "claimed" });
    const record = aTransaction(tenantId, { id: dead.transactionId });
    await expect(store.recordTransaction(record, [], noStep)).rejects.toThrow("duplicate key");
  });
});
