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

/** Ends every review in one commit; readers of validations wait for it, readers of reviews do not. */
const endAll = `begin; lock table validations; select pg_sleep(1); delete from reviews;
  update validations set decision = 'Approved'; commit`;

it.each(["listReviews", "findReview"] as const)(
  "%s lists no open review whose document is decided at that moment",
  async (command) => {
    const { name, url, remove } = await createDatabase();
    await migratePostgres({ url }, migrations, now);
    const store = await openPostgresStore({ url });
    const tenantId = await newTenantIn(store);
    const id = randomUUID();
    const validation = {
      id,
      tenantId,
      environment: "test",
      version: 2,
      createdAt: now,
      blobIds: [],
    } as const;
    const sent = { ...validation, sealedInput: randomBytes(9) };
    await store.createValidation(sent, [], aTransaction(tenantId), noStep);
    await store.leaseValidations(aLease("w", now, { leaseMs: 60_000, limit: 9 }));
    const end = {
      tenantId,
      id,
      revision: 0,
      worker: "w",
      status: "DONE",
      decision: "Review",
      at: now,
    } as const;
    await store.finishValidation(end, noStep);
    const of = { tenantId, environment: "test" } as const;
    const find = async () =>
      command === "listReviews" ? (await store.listReviews(of)).reviews[0] : await store.findReview(of, id);
    expect(await find()).toMatchObject({ id, validation: { decision: "Review" } });
    const ending = queryPostgres(url, endAll);
    const sleepers = `select 1 from pg_stat_activity where datname = '${name}' and wait_event = 'PgSleep'`;
    while ((await queryPostgres(url, sleepers)).length === 0) await sleep(10);
    expect(await find()).toBeUndefined();
    await ending;
    await store.close();
    await remove();
  },
);
