import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "#app/storage";
import { openSqliteStore } from "#app/store";
import { hashApiKey, looksLikeApiKey, makeApiKey } from "#contract/api-key";
import { readConfig } from "#machine/config/config";
import { findDeployment, prepareDirectory } from "../kit/store/deployment.ts";
import { settleMasterKey } from "../kit/store/development-master-key.ts";
import { makeFirstKey, readDevelopmentKey, storeCertificateKey } from "../kit/store/first-key.ts";
import { begin } from "./serve.ts";

let directory = "";
beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), "idem-first-")), "data");
});
afterEach(() => rm(join(directory, ".."), { recursive: true }));

const development = () => readConfig({ IDEM_DATA: directory });
const production = () =>
  readConfig({
    IDEM_DATA: directory,
    IDEM_MODE: "production",
    IDEM_MASTER_KEY: randomBytes(32).toString("base64"),
  });
/** A start up to its master key. */
const settle = async (config = development()) => {
  await prepareDirectory(config);
  const { store, close } = await openStore(config);
  try {
    return await settleMasterKey(config, store);
  } finally {
    await close();
  }
};
/** The directory of a start, and the settings. */
const prepared = async (config = development()) => {
  await prepareDirectory(config);
  return config;
};
const change = async (sql: string): Promise<void> => {
  const sqlite = new Database(join(directory, "idem.sqlite"));
  sqlite.exec(sql);
  sqlite.close();
};
const rightsOf = async (path: string) => (await stat(path)).mode & 0o777;

describe("the first start", () => {
  it("creates a directory and a master key for their owner only, and finds both again", async () => {
    const first = await settle();
    const second = await settle();
    expect(second.masterKey).toEqual(first.masterKey);
    expect(await rightsOf(directory)).toBe(0o700);
    expect(await rightsOf(join(directory, "development-master.key"))).toBe(0o600);
  });

  it("gives others no right on any file of an open store", async () => {
    await settle();
    const { close } = await openStore(development());
    const names = await readdir(directory);
    expect(names).toEqual(
      expect.arrayContaining(["idem.sqlite", "idem.sqlite-wal", "lock.sqlite", "lock.pid"]),
    );
    for (const name of names) expect(await rightsOf(join(directory, name)), name).toBe(0o600);
    await close();
  });

  it("creates a master key that production refuses as a setting", async () => {
    await settle();
    const made = (await readFile(join(directory, "development-master.key"), "utf8")).trim();
    expect(() => readConfig({ IDEM_MODE: "production", IDEM_MASTER_KEY: made })).toThrow(
      "is a development key",
    );
  });

  it("does not replace a damaged master key", async () => {
    await settle();
    await writeFile(join(directory, "development-master.key"), "idem_dev_short");
    await expect(settle()).rejects.toThrow("restore it from a backup");
  });

  it("gives one master key to two starts on one database, although both create it at once", async () => {
    await prepareDirectory(development());
    const { store, close } = await openStore(development());
    const settled = await Promise.all([1, 2, 3].map(() => settleMasterKey(development(), store)));
    await close();
    expect(new Set(settled.map(({ masterKey }) => Buffer.from(masterKey).toString("hex"))).size).toBe(1);
  });

  it.each([
    ["a data key", "keys"],
    ["the token keys", "secrets"],
  ])("creates no master key beside a store that holds %s", async (_what, table) => {
    await prepareDirectory(development());
    const { store, close } = await openStore(development());
    const [id, wrapped] = [randomUUID(), randomBytes(60)];
    await store.createTenant({ id, name: "Bank", createdAt: new Date() });
    await (table === "secrets"
      ? store.replaceSecret("token-keys", undefined, wrapped)
      : store.insertKey({ id, tenantId: id, purpose: "p", masterId: "m", wrapped, createdAt: new Date() }));
    await expect(settleMasterKey(development(), store)).rejects.toThrow("development-master.key is missing");
    await close();
    await expect(findDeployment(development())).rejects.toThrow("development-master.key is missing");
    expect(await readdir(directory)).not.toContain("development-master.key");
  });

  it("creates a master key where an earlier start ended before it", async () => {
    await prepareDirectory(development());
    await (await openStore(development())).close();
    await expect(findDeployment(development())).rejects.toThrow("Nothing is stored");
    expect((await settle()).masterKey).toHaveLength(32);
  });

  it("treats a file without a table as one of a start that was cut off", async () => {
    await prepareDirectory(development());
    await writeFile(join(directory, "idem.sqlite"), "");
    await expect(findDeployment(development())).rejects.toThrow("Nothing is stored");
  });

  it.each([
    [
      "is no database",
      () => writeFile(join(directory, "idem.sqlite"), "x".repeat(8192)),
      "is there, but the master key that it was made with is not",
    ],
    [
      "has newer tables",
      () => change("insert into migrations values (9999, 'next', 0)"),
      "schema version 9999",
    ],
    ["has older tables", () => change("delete from migrations"), "run idem migrate"],
  ])(
    "states what is wrong with a file that %s, and not that nothing is stored",
    async (_what, spoil, reason) => {
      await prepareDirectory(development());
      await (await openStore(development())).close();
      await spoil();
      await expect(findDeployment(development())).rejects.toThrow(reason);
    },
  );

  it("states that a page of the file is damaged where the tenants cannot be read", async () => {
    await prepareDirectory(development());
    await (await openStore(development())).close();
    const sqlite = new Database(join(directory, "idem.sqlite"));
    const page = Number(
      sqlite.prepare("select rootpage from sqlite_schema where name = 'tenants'").pluck().get(),
    );
    const pageBytes = Number(sqlite.pragma("page_size", { simple: true }));
    sqlite.close();
    const file = await open(join(directory, "idem.sqlite"), "r+");
    await file.write(Buffer.alloc(pageBytes, 0xff), 0, pageBytes, (page - 1) * pageBytes);
    await file.close();
    await expect(findDeployment(development())).rejects.toThrow("Restore it from a backup");
  });

  it("names the missing master key where a store holds tenants and nothing that the key wrapped", async () => {
    await prepareDirectory(development());
    const { store, close } = await openStore(development());
    await store.createTenant({ id: randomUUID(), name: "Bank", createdAt: new Date() });
    const missing = `${join(directory, "idem.sqlite")} holds tenants and keys, but the master key of its service is missing`;
    await expect(findDeployment(development())).rejects.toThrow(missing);
    await close();
    await expect(findDeployment(development())).rejects.toThrow(missing);
    expect(await readdir(directory)).not.toContain("development-master.key");
  });

  it("creates one tenant and one key, once, and stores only the key's hash", async () => {
    const config = await prepared();
    const store = await openSqliteStore({ path: join(directory, "idem.db") });
    const key = (await makeFirstKey(config, store)) ?? "";
    expect(looksLikeApiKey(key)).toBe(true);
    expect(await makeFirstKey(config, store)).toBeUndefined();
    expect(await store.findApiKey(hashApiKey(key))).toMatchObject({ environment: "test" });
    expect(await readDevelopmentKey(directory)).toBe(key);
    expect(await rightsOf(join(directory, "development-key"))).toBe(0o600);
    await store.close();
    expect((await readFile(join(directory, "idem.db"))).includes(key)).toBe(false);
  });

  it("stores the sandbox's key of certificates once, with that scope alone, and not in production", async () => {
    const config = await prepared();
    const key = makeApiKey("test");
    const test = {
      url: "http://a",
      basic: "a:b",
      institution: "1",
      certificateKey: key,
      credentials: undefined,
    };
    const clearing = { ...config.clearing, entities: { live: undefined, test } };
    const store = await openSqliteStore({ path: join(directory, "idem.db") });
    await makeFirstKey(config, store);
    await storeCertificateKey({ mode: "production", clearing }, store);
    expect(await store.findApiKey(hashApiKey(key))).toBeUndefined();
    for (let start = 0; start < 2; start += 1)
      await storeCertificateKey({ mode: "development", clearing }, store);
    const known = await store.findApiKey(hashApiKey(key));
    expect(known).toMatchObject({ environment: "test", scopes: ["certificate"] });
    await store.close();
  });

  it.each(["createTenant", "createApiKey"] as const)(
    "finishes a start that was interrupted before %s, with the key from its file",
    async (step) => {
      const config = await prepared();
      const store = await openSqliteStore({ path: join(directory, "idem.db") });
      const cutShort = { ...store, [step]: () => Promise.reject(new Error("killed")) };
      await expect(makeFirstKey(config, cutShort)).rejects.toThrow("killed");
      const left = await readDevelopmentKey(directory);
      expect(await makeFirstKey(config, store)).toBe(left);
      expect(await store.findApiKey(hashApiKey(left))).toMatchObject({ environment: "test" });
      expect(await store.listTenants()).toHaveLength(1);
      await store.close();
    },
  );

  it("gives a key to a first tenant without a key, also where the file is missing or damaged", async () => {
    const config = await prepared();
    await writeFile(join(directory, "development-key"), "idem_test_cut");
    const store = await openSqliteStore({ path: join(directory, "idem.db") });
    await store.createTenant({ id: randomUUID(), name: "Test tenant", createdAt: new Date() });
    const key = (await makeFirstKey(config, store)) ?? "";
    expect(looksLikeApiKey(key)).toBe(true);
    expect(await readDevelopmentKey(directory)).toBe(key);
    expect(await store.findApiKey(hashApiKey(key))).toBeDefined();
    await store.close();
  });

  it("does not change a store with a tenant of the operator", async () => {
    const config = await prepared();
    const store = await openSqliteStore({ path: join(directory, "idem.db") });
    await store.createTenant({ id: randomUUID(), name: "Bank", createdAt: new Date() });
    expect(await makeFirstKey(config, store)).toBeUndefined();
    await store.close();
  });

  it("leaves no temporary file behind", async () => {
    const config = await prepared();
    const store = await openSqliteStore({ path: join(directory, "idem.db") });
    await makeFirstKey(config, store);
    await store.close();
    expect((await readdir(directory)).filter((name) => name.endsWith(".new"))).toEqual([]);
  });
});

describe("the last step of a start", () => {
  it("opens the port when the first key is in the store already", async () => {
    const config = await prepared();
    const store = await openSqliteStore({ path: join(directory, "idem.db") });
    let foundAtListen: unknown;
    const listen = async (): Promise<string> => {
      foundAtListen = await store.findApiKey(hashApiKey(await readDevelopmentKey(directory)));
      return "http://127.0.0.1:1";
    };
    const { firstKey } = await begin(config, { server: { listen }, store, stop: () => store.close() });
    expect(firstKey).toBe(await readDevelopmentKey(directory));
    expect(foundAtListen).toMatchObject({ environment: "test" });
    await store.close();
  });

  it("closes the service and names the port that cannot be opened", async () => {
    const config = await prepared();
    const store = await openSqliteStore({ path: join(directory, "idem.db") });
    const listen = () => Promise.reject(Object.assign(new Error("taken"), { code: "EADDRINUSE" }));
    const started = begin(config, { server: { listen }, store, stop: () => store.close() });
    await expect(started).rejects.toThrow("IDEM_PORT: 8080 on 127.0.0.1 is taken");
    await expect(store.listTenants()).rejects.toThrow("closed");
  });
});

describe("production", () => {
  it("creates no tenant and no key by itself", async () => {
    const config = await prepared(production());
    const store = await openSqliteStore({ path: join(directory, "idem.db") });
    expect(await makeFirstKey(config, store)).toBeUndefined();
    expect(await store.listTenants()).toEqual([]);
    await store.close();
  });

  it("refuses a directory with development secrets", async () => {
    await settle();
    await expect(prepareDirectory(production())).rejects.toThrow("development-master.key");
  });
});
