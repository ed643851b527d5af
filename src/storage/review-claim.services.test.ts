// Needs PostgreSQL: eval "$(test/services/start-postgres.sh)".
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { expect, it } from "vitest";
import { serviceVariable } from "../../test/services/environment.ts";
import { migratePostgres, openPostgresStore } from "./postgres-store.ts";
import type { TransactionRecord } from "./store.ts";

const server = serviceVariable("IDEM_TEST_POSTGRES_URL", "start-postgres.sh");

const query = async (url: string, statement: string) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
};

const noStep = { events: [], evidence: [] };
const now = new Date();
const [tenantId, keyId] = [randomUUID(), randomUUID()];
const aTransaction = (): TransactionRecord => ({
  id: randomUUID(),
  tenantId,
  keyId,
  world: "test",
  endpoint: "documentValidation",
  at: now,
  result: null,
  measurements: null,
  policyVersion: "1",
  models: {},
  tokenHashes: [],
});

/** Holds whoever claims for `reviewed` between that and the commit. */
const slowClaim = `create function slow() returns trigger language plpgsql as
  $$ begin if new.customer = 'reviewed' then perform pg_sleep(1); end if; return new; end $$;
  create trigger slow after insert on document_claims for each row execute function slow()`;

it("a review that approves a number is seen by an analysis that compares whose it is before that commit", async () => {
  const name = `idem_test_${randomBytes(6).toString("hex")}`;
  await query(server, `create database ${name}`);
  const { href: url } = Object.assign(new URL(server), { pathname: `/${name}` });
  await migratePostgres({ url }, now);
  await query(url, slowClaim);
  const store = await openPostgresStore({ url });
  await store.createTenant({ id: tenantId, name: "a", createdAt: now });
  const [reviewed, analysed] = [randomUUID(), randomUUID()];
  for (const id of [reviewed, analysed]) {
    const validation = { id, tenantId, world: "test", version: 2, createdAt: now, blobIds: [] } as const;
    await store.createValidation({ ...validation, sealedInput: randomBytes(9) }, [], aTransaction(), noStep);
  }
  await store.leaseValidations({ worker: "w", leaseMs: 60_000, limit: 9, now });
  const end = { tenantId, worker: "w", status: "DONE", at: now } as const;
  await store.finishValidation({ ...end, id: reviewed, decision: "Review" }, noStep);
  const reviewer = { tenantId, world: "test", keyId } as const;
  await store.claimReview(reviewer, reviewed, { now, until: new Date(now.getTime() + 60_000) }, noStep);
  const approval = {
    decision: "Approved",
    at: now,
    sealedRecord: randomBytes(9),
    transaction: aTransaction(),
  } as const;
  const ending = store.endReview(
    reviewer,
    reviewed,
    { ...approval, claim: { number: "n", customer: "reviewed", seen: [] } },
    noStep,
  );
  const sleepers = `select 1 from pg_stat_activity where datname = '${name}' and wait_event = 'PgSleep'`;
  while ((await query(url, sleepers)).length === 0) await sleep(10);
  const claim = { number: "n", customer: "analysed", seen: [] };
  const answer = await store.finishValidation({ ...end, id: analysed, decision: "Approved", claim }, noStep);
  expect([answer, await ending]).toStrictEqual(["outdated", "finished"]);
  await store.close();
  await query(server, `drop database ${name} with (force)`);
});
