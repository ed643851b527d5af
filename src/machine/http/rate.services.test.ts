// Needs PostgreSQL: eval "$(test/services/start-postgres.sh)".
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openPostgresStore, type Store } from "#app/store";
import { migrations } from "#app/tables";
import { hashApiKey, makeApiKey } from "#contract/api-key";
import { migratePostgres } from "#machine/storage/postgres-store";
import { goodBody, post, startServer } from "#support/http/harness";
import { createDatabase, type PostgresDatabase } from "#support/storage/postgres-database";
import type { RateLimit } from "./options.ts";

let database: PostgresDatabase;
let stores: Store[];
let key: string;

beforeEach(async () => {
  database = await createDatabase();
  await migratePostgres(database, migrations, new Date());
  stores = await Promise.all([1, 2].map(() => openPostgresStore(database)));
  const [store] = stores;
  const tenant = await store!.createTenant({ id: randomUUID(), name: "Bank", createdAt: new Date() });
  key = makeApiKey("test");
  await store!.createApiKey({
    id: randomUUID(),
    tenantId: tenant.id,
    hash: hashApiKey(key),
    name: "till",
    environment: "test",
    scopes: ["face"],
    createdAt: new Date(),
  });
});
afterEach(async () => {
  await Promise.all(stores.map(({ close }) => close()));
  await database.remove();
});

/** Two servers on one database, each with its own connections. */
const startServers = (rate: RateLimit, isShared: boolean) =>
  stores.map((store) =>
    startServer({
      keys: { find: store.findApiKey, touch: store.touchApiKeys },
      limits: { rate },
      ...(isShared && { askRate: store.askRate }),
    }),
  );

/** Calls both servers until `isOver`, eight calls at a time; counts the answers and takes the time. */
const callBoth = async (
  rate: RateLimit,
  isShared: boolean,
  isOver: (calls: number, ms: number) => boolean,
) => {
  const servers = startServers(rate, isShared);
  const started = performance.now();
  const counts = servers.map(() => ({ accepted: 0, refused: 0 }));
  const callers = servers.flatMap((server, at) =>
    [1, 2, 3, 4].map(async () => {
      const count = counts[at]!;
      while (!isOver(count.accepted + count.refused, performance.now() - started)) {
        const { statusCode } = await post(server, key, goodBody);
        count[statusCode === 200 ? "accepted" : "refused"] += 1;
      }
    }),
  );
  await Promise.all(callers);
  const seconds = (performance.now() - started) / 1000;
  await Promise.all(servers.map(({ server }) => server.drain()));
  const accepted = counts.reduce((sum, one) => sum + one.accepted, 0);
  return { accepted, counts, allowed: rate.burst + rate.perSecond * seconds };
};

it("is exceeded by at most 5 % over two servers, and is given in full", async () => {
  const rate = { perSecond: 60, burst: 40 };
  const { accepted, counts, allowed } = await callBoth(rate, true, (_, ms) => ms > 4_000);
  for (const { refused } of counts) expect(refused).toBeGreaterThan(0);
  expect(accepted).toBeLessThanOrEqual(1.05 * allowed);
  expect(accepted).toBeGreaterThanOrEqual(rate.burst);
});

it("is exceeded by two servers that count alone: otherwise the test above would show nothing", async () => {
  const rate = { perSecond: 1, burst: 200 };
  const alone = await callBoth(rate, false, (calls) => calls >= 250);
  expect(alone.accepted).toBeGreaterThanOrEqual(400);
  const shared = await callBoth(rate, true, (calls) => calls >= 250);
  expect(shared.accepted).toBeLessThanOrEqual(1.05 * shared.allowed);
});
