import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { clearingCallbacks } from "#machine/storage/callback-tables";
import { sqliteDialect } from "#machine/storage/sql-dialect";
import { openCallbackBench, owner } from "#support/clearing/callback-bench";
import { startServer } from "#support/webhooks/servers";

/** An attempt, as the log of release 0.2.0 has it. Its reason quotes a member of the log. */
const formerAttempt = {
  at: "2026-11-25T10:00:00.000Z",
  said: 200,
  outcome: "refused",
  status: 500,
  decision: "retry",
  totalMs: 12,
  reason: 'The receiver answered "said":',
};

/**
 * Turns a store into that of release 0.2.0: its callbacks stand in their own table, each after one attempt.
 */
const downgrade = (path: string): void => {
  const sqlite = new Database(path);
  for (const statement of clearingCallbacks(sqliteDialect)) sqlite.exec(statement);
  const columns =
    "tenant_id, id, environment, state, created_at, settled_at, sealed, attempts, leased_by, leased_until, lone_deaths";
  sqlite
    .prepare(
      `insert into clearing_callbacks (${columns}, failures, log) select ${columns}, 1, ? from one_shots`,
    )
    .run(JSON.stringify([formerAttempt]));
  sqlite.exec("drop table one_shots; delete from migrations where version >= 31");
  sqlite.close();
};

it("a callback that waits in the store of an earlier release is delivered after the upgrade", async () => {
  const receiver = await startServer((_, _request, response) => response.writeHead(204).end());
  const folder = await mkdtemp(join(tmpdir(), "idem-callback-upgrade-"));
  const place = { folder, masterKey: randomBytes(32).toString("hex"), receiverUrl: receiver.url };
  const before = await openCallbackBench(place);
  const id = await before.create();
  await before.close();
  downgrade(join(folder, "idem.sqlite"));

  const { store, loop, close } = await openCallbackBench(place);
  const { said, ...attempt } = formerAttempt;
  expect(await store.listOneShots(owner, 10)).toMatchObject([
    { id, state: "due", failures: 1, log: [{ ...attempt, reportedStatus: said }] },
  ]);
  loop.start();
  await expect
    .poll(async () => (await store.listOneShots(owner, 10))[0], { timeout: 20_000 })
    .toMatchObject({
      state: "delivered",
      log: [{ outcome: "refused" }, { outcome: "delivered", status: 204 }],
    });
  expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([id]);
  await close();
  receiver.close();
  await rm(folder, { recursive: true });
});
