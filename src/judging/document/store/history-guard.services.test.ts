// Needs PostgreSQL: eval "$(test/services/start-postgres.sh)".

import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openPostgresStore } from "#app/store";
import { migrations } from "#app/tables";
import { migratePostgres } from "#machine/storage/postgres-store";
import type { SealedTransaction } from "#record/transactions/record";
import { aLease } from "#support/document/a-lease";
import { createDatabase, queryPostgres } from "#support/storage/postgres-database";
import { aStep, aTransaction, newTenantIn, noStep } from "#support/storage/suite";
import type { Finish } from "./validation.ts";

const now = new Date();
const hash = "ab".repeat(32);

/** Delays the commit of the first decision: after the first row of this table that it writes. */
const slowInsert = (table: string): string => `create function slow() returns trigger language plpgsql as
  $$ begin perform pg_sleep(1); return new; end $$;
  create trigger slow after insert on ${table} for each row execute function slow()`;

const openTwo = async () => {
  const { name, url, remove } = await createDatabase();
  await migratePostgres({ url }, migrations, now);
  const processes = [await openPostgresStore({ url }), await openPostgresStore({ url })] as const;
  const [store] = processes;
  const tenantId = await newTenantIn(store);
  const ends: Finish<SealedTransaction>[] = [];
  for (const worker of ["first", "second"]) {
    const id = randomUUID();
    const validation = {
      id,
      tenantId,
      environment: "test",
      version: 2,
      createdAt: now,
      blobIds: [],
    } as const;
    const sealedInput = new Uint8Array(randomBytes(9));
    await store.createValidation({ ...validation, sealedInput }, [], aTransaction(tenantId), noStep);
    await store.leaseValidations(aLease(worker, now, { leaseMs: 60_000, limit: 1 }));
    ends.push({ tenantId, id, revision: 0, worker, status: "DONE", at: now });
  }
  /** Resolves when a statement of this database sleeps inside its transaction. */
  const untilSleeping = async (): Promise<void> => {
    const sleepers = `select 1 from pg_stat_activity where datname = '${name}' and wait_event = 'PgSleep'`;
    while ((await queryPostgres(url, sleepers)).length === 0) await sleep(10);
  };
  const close = async (): Promise<void> => {
    for (const one of processes) await one.close();
    await remove();
  };
  return { url, processes, tenantId, ends, untilSleeping, close };
};

it("a decision that counts attempts waits for the commit of another process, and counts its attempt", async () => {
  const { url, processes, ends, untilSleeping, close } = await openTwo();
  await queryPostgres(url, slowInsert("velocity_events"));
  const velocity = { since: new Date(now.getTime() - 1000), eventsMax: 0 };
  const [first, second] = processes.map(
    (store, n) => () =>
      store.finishValidation(
        { ...ends[n]!, velocityEvents: [hash], expected: { unlisted: [], velocity } },
        noStep,
      ),
  );
  const answer = first!();
  await untilSleeping();
  expect([await second!(), await answer]).toStrictEqual(["outdated", "finished"]);
  await close();
});

it("after the block list has answered, no process approves a document with the listed number", async () => {
  const { url, processes, tenantId, ends, untilSleeping, close } = await openTwo();
  const [first, second] = processes;
  const expected = { unlisted: [hash] };
  const listed = { tenantId, id: randomUUID(), environment: "test", number: hash, at: now } as const;
  await queryPostgres(url, slowInsert("evidence"));
  const listing = first.listDocument({ ...listed, sealedNote: new Uint8Array(9) }, aStep("listed"));
  await untilSleeping();
  const answer = await second.finishValidation({ ...ends[0]!, expected }, noStep);
  expect([answer, await listing]).toStrictEqual(["outdated", true]);
  expect(await second.finishValidation({ ...ends[1]!, expected }, noStep)).toBe("outdated");
  await close();
});
