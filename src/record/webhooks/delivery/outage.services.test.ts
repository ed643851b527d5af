// Needs PostgreSQL: eval "$(test/services/start-postgres.sh)".
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrations } from "#app/tables";
import { openWebhookBench, type WebhookBench } from "#app/webhook-bench";
import { type Receiver, startReceiver } from "#cli/bench/start-receiver";
import { readConfig } from "#machine/config/config";
import { migratePostgres } from "#machine/storage/postgres-store";
import { createDatabase, type PostgresDatabase } from "#support/storage/postgres-database";

/** A connection to PostgreSQL that the test cuts. */
const openLine = async (url: string) => {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    return socket.once("close", () => sockets.delete(socket));
  };
  const server: Server = createServer((incoming) => {
    keep(incoming);
    if (isCut) {
      incoming.destroy();
      return;
    }
    const outgoing = keep(connect(Number(target.port), target.hostname));
    incoming.pipe(outgoing).pipe(incoming);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(port) }).href,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      isCut = false;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

let database: PostgresDatabase;
let line: Awaited<ReturnType<typeof openLine>>;
let folder: string;
let receiver: Receiver;
let bench: WebhookBench;

beforeEach(async () => {
  database = await createDatabase();
  await migratePostgres(database, migrations, new Date());
  line = await openLine(database.url);
  folder = await mkdtemp(join(tmpdir(), "idem-outage-"));
  receiver = await startReceiver();
  const config = readConfig({
    IDEM_DATA: folder,
    IDEM_EGRESS_ALLOW: "127.0.0.1",
    IDEM_DATABASE_URL: line.url,
  });
  bench = await openWebhookBench({ ...config, masterKey: randomBytes(32) }, () => undefined);
});
afterEach(async () => {
  await bench.stop();
  await bench.close();
  line.close();
  receiver.stop();
  await rm(folder, { recursive: true });
  await database.remove();
});

/** Long enough that every command in flight fails, and shorter than a lease. */
const outageMs = 5_000;

it("delivers every event after an outage of the store in the middle, by itself", {
  timeout: 240_000,
}, async () => {
  const tenantId = await bench.addTenant(["/one", "/two", "/three", "/four"].map(receiver.url));
  const events = 400;
  for (let n = 0; n < events; n += 1) await bench.recordEvent(tenantId);
  bench.start();
  const arrived = new Set<string>();
  const take = async (): Promise<void> => {
    for (const { id, path } of await receiver.report()) arrived.add(`${id} ${path}`);
  };
  while (arrived.size < 100) {
    await sleep(10);
    await take();
  }
  line.cut();
  await sleep(outageMs);
  await take();
  expect(arrived.size).toBeLessThan(events * 4);
  line.mend();
  while (arrived.size < events * 4) {
    await sleep(50);
    await take();
  }
  expect(arrived.size).toBe(events * 4);
});
