// Needs PostgreSQL: eval "$(test/services/start-postgres.sh)".

import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openPostgresStore } from "#app/store";
import { migrations } from "#app/tables";
import { migratePostgres } from "#machine/storage/postgres-store";
import { aLease } from "#support/document/a-lease";
import { createDatabase, queryPostgres } from "#support/storage/postgres-database";
import { aTransaction, newTenantIn, noStep } from "#support/storage/suite";

const now = new Date();
const keyId = randomUUID();

/** Delays every claim for `reviewed` between the claim and the commit. */
const slowClaim = `create function slow() returns trigger language plpgsql as
  $$ begin if new.customer = 'reviewed' then perform pg_sleep(1); end if; return new; end $$;
  create trigger slow after insert on document_claims for each row execute function slow()`;

it("an analysis that reads a number's claims before a review's commit sees the claim of that review", async () => {
  const { name, url, remove } = await createDatabase();
  await migratePostgres({ url }, migrations, now);
  await queryPostgres(url, slowClaim);
  const store = await openPostgresStore({ url });
  const tenantId = await newTenantIn(store);
  const [reviewed, analysed] = [randomUUID(), randomUUID()];
  for (const id of [reviewed, analysed]) {
    const validation = {
      id,
      tenantId,
      environment: "test",
      version: 2,
      createdAt: now,
      blobIds: [],
    } as const;
    await store.createValidation(
      { ...validation, sealedInput: randomBytes(9) },
      [],
      aTransaction(tenantId),
      noStep,
    );
  }
  await store.leaseValidations(aLease("w", now, { leaseMs: 60_000, limit: 9 }));
  const end = { tenantId, revision: 0, worker: "w", status: "DONE", at: now } as const;
  await store.finishValidation({ ...end, id: reviewed, decision: "Review" }, noStep);
  const reviewer = { tenantId, environment: "test", keyId } as const;
  await store.claimReview(reviewer, reviewed, { now, until: new Date(now.getTime() + 60_000) }, noStep);
  const approval = {
    decision: "Approved",
    at: now,
    sealedRecord: randomBytes(9),
    transaction: aTransaction(tenantId),
  } as const;
  const ending = store.endReview(
    reviewer,
    reviewed,
    { ...approval, claim: { numberHash: "n", customerHash: "reviewed", seen: [] } },
    noStep,
  );
  const sleepers = `select 1 from pg_stat_activity where datname = '${name}' and wait_event = 'PgSleep'`;
  while ((await queryPostgres(url, sleepers)).length === 0) await sleep(10);
  const claim = { numberHash: "n", customerHash: "analysed", seen: [] };
  const answer = await store.finishValidation({ ...end, id: analysed, decision: "Approved", claim }, noStep);
  expect([answer, await ending]).toStrictEqual(["outdated", "finished"]);
  await store.close();
  await remove();
});
