// Needs PostgreSQL: eval "$(test/services/start-postgres.sh)".

import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { openPostgresStore } from "#app/store";
import { migrations } from "#app/tables";
import { describeWholeStore } from "#support/app/describe-store";
import { createDatabase, queryPostgres } from "#support/storage/postgres-database";
import type { StoreHarness } from "#support/storage/suite";
import { migratePostgres } from "./postgres-store.ts";

const makeHarness = async (): Promise<StoreHarness> => {
  const { url, remove } = await createDatabase();
  await migratePostgres({ url }, migrations, new Date());
  return {
    open: () => openPostgresStore({ url }),
    query: (statement) => queryPostgres(url, statement),
    remove,
  };
};

describeWholeStore("the store on PostgreSQL", makeHarness);

describe("PostgreSQL alone", () => {
  it("refuses to open a database that was not migrated, and migrates once", async () => {
    const { url, remove } = await createDatabase();
    await expect(openPostgresStore({ url })).rejects.toThrow("idem migrate");
    const counts = await Promise.all([1, 2, 3].map(() => migratePostgres({ url }, migrations, new Date())));
    expect(counts.filter((count) => count > 0)).toHaveLength(1);
    const store = await openPostgresStore({ url });
    await store.ping();
    await store.close();
    await remove();
  });

  it("refuses to empty the evidence with TRUNCATE", async () => {
    const harness = await makeHarness();
    await expect(harness.query("truncate evidence cascade")).rejects.toThrow("append-only");
    await harness.remove();
  });

  it("answers store_unavailable when the server goes away and works again when it is back", async () => {
    const { url, remove } = await createDatabase();
    await migratePostgres({ url }, migrations, new Date());
    const proxy = await startProxy(new URL(url));
    const store = await openPostgresStore({ url: proxy.url });
    await store.ping();
    await proxy.cut();
    await expect(store.listTenants()).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(store.ping()).rejects.toMatchObject({ code: "store_unavailable" });
    await proxy.repair();
    await expect(store.listTenants()).resolves.toStrictEqual([]);
    await store.close();
    await proxy.cut();
    await remove();
  });

  it("removes the old row version of a destroyed key from the table", async () => {
    const harness = await makeHarness();
    const store = await harness.open();
    await store.createTenant({ id: "a", name: "a", createdAt: new Date() });
    const key = { tenantId: "a", purpose: "images", masterId: "m", createdAt: new Date() };
    await store.insertKey({ ...key, id: "k", wrapped: new Uint8Array(60) });
    expect(await store.destroyKey("k", new Date(), { evidence: [] })).toBe(true);
    await harness.query("create extension pageinspect");
    const kept = "select lp from heap_page_items(get_raw_page('keys', 0)) where t_data is not null";
    expect(await harness.query(kept)).toHaveLength(1);
    await store.close();
    await harness.remove();
  });

  it("does not wait for a silent server, and uses it again when it is back", async () => {
    const { url, remove } = await createDatabase();
    await migratePostgres({ url }, migrations, new Date());
    const proxy = await startProxy(new URL(url));
    const store = await openPostgresStore({ url: proxy.url, connectionsMax: 1, silenceMsMax: 500 });
    await store.ping();
    proxy.freeze();
    const started = performance.now();
    const silent = { code: "store_unavailable" };
    const tenant = { id: "a", name: "a", createdAt: new Date() };
    await expect(store.createTenant(tenant)).rejects.toMatchObject(silent);
    await expect(store.ping()).rejects.toMatchObject(silent);
    expect(performance.now() - started).toBeLessThan(3_000);
    proxy.thaw();
    await expect(store.listTenants()).resolves.toStrictEqual([]);
    await store.close();
    await proxy.cut();
    await remove();
  });
});

/** A TCP relay to the server that can be cut like a cable, or drop everything silently in both directions. */
const startProxy = async (target: URL) => {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const relay = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => isFrozen || to.write(bytes));
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
    }
  });
  const listen = async (port: number): Promise<number> => {
    relay.listen(port, "127.0.0.1");
    await once(relay, "listening");
    const address = relay.address();
    return address !== null && typeof address === "object" ? address.port : 0;
  };
  const port = await listen(0);
  const url = new URL(target);
  url.port = String(port);
  return {
    url: url.href,
    cut: async () => {
      relay.close();
      for (const socket of sockets) {
        socket.destroy();
      }
      await once(relay, "close");
    },
    repair: () => listen(port),
    freeze: () => {
      isFrozen = true;
    },
    thaw: () => {
      isFrozen = false;
    },
  };
};
