import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashApiKey, looksLikeApiKey } from "#contract/api-key";
import { openSqliteStore } from "#storage/sqlite-store";
import { readConfig } from "../config.ts";
import { makeFirstKey, prepareDirectory, readDevelopmentKey } from "./first-start.ts";

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
    IDEM_MASTER_KEY: Buffer.alloc(32).toString("base64"),
  });
const rightsOf = async (path: string) => (await stat(path)).mode & 0o777;

describe("the first start", () => {
  it("makes a directory and a master key for their owner only, and finds both again", async () => {
    const first = await prepareDirectory(development());
    const second = await prepareDirectory(development());
    expect(second.masterKey).toEqual(first.masterKey);
    expect(await rightsOf(directory)).toBe(0o700);
    expect(await rightsOf(join(directory, "development-master.key"))).toBe(0o600);
  });

  it("makes a master key that production refuses as a setting", async () => {
    await prepareDirectory(development());
    const made = (await readFile(join(directory, "development-master.key"), "utf8")).trim();
    expect(() => readConfig({ IDEM_MODE: "production", IDEM_MASTER_KEY: made })).toThrow(
      "is a development key",
    );
  });

  it("does not replace a damaged master key", async () => {
    await prepareDirectory(development());
    await writeFile(join(directory, "development-master.key"), "idem_dev_short");
    await expect(prepareDirectory(development())).rejects.toThrow("restore it from a backup");
  });

  it("makes one tenant and one key, once, and leaves only the key's hash in the store", async () => {
    const config = await prepareDirectory(development());
    const store = await openSqliteStore({ path: join(directory, "idem.db") });
    const key = (await makeFirstKey(config, store)) ?? "";
    expect(looksLikeApiKey(key)).toBe(true);
    expect(await makeFirstKey(config, store)).toBeUndefined();
    expect(await store.findApiKey(hashApiKey(key))).toMatchObject({ world: "test" });
    expect(await readDevelopmentKey(directory)).toBe(key);
    expect(await rightsOf(join(directory, "development-key"))).toBe(0o600);
    await store.close();
    expect((await readFile(join(directory, "idem.db"))).includes(key)).toBe(false);
  });

  it.each(["createTenant", "createApiKey"] as const)(
    "finishes a start that was cut short before %s, with the key that lies in its file",
    async (step) => {
      const config = await prepareDirectory(development());
      const store = await openSqliteStore({ path: join(directory, "idem.db") });
      const cutShort = { ...store, [step]: () => Promise.reject(new Error("killed")) };
      await expect(makeFirstKey(config, cutShort)).rejects.toThrow("killed");
      const left = await readDevelopmentKey(directory);
      expect(await makeFirstKey(config, store)).toBe(left);
      expect(await store.findApiKey(hashApiKey(left))).toMatchObject({ world: "test" });
      expect(await store.listTenants()).toHaveLength(1);
      await store.close();
    },
  );

  it("gives a key to a first tenant without one, also where the file is missing or damaged", async () => {
    const config = await prepareDirectory(development());
    await writeFile(join(directory, "development-key"), "idem_test_cut");
    const store = await openSqliteStore({ path: join(directory, "idem.db") });
    await store.createTenant({ id: randomUUID(), name: "Test tenant", createdAt: new Date() });
    const key = (await makeFirstKey(config, store)) ?? "";
    expect(looksLikeApiKey(key)).toBe(true);
    expect(await readDevelopmentKey(directory)).toBe(key);
    expect(await store.findApiKey(hashApiKey(key))).toBeDefined();
    await store.close();
  });

  it("leaves a store alone that holds a tenant of somebody else", async () => {
    const config = await prepareDirectory(development());
    const store = await openSqliteStore({ path: join(directory, "idem.db") });
    await store.createTenant({ id: randomUUID(), name: "Bank", createdAt: new Date() });
    expect(await makeFirstKey(config, store)).toBeUndefined();
    await store.close();
  });

  it("leaves no temporary file behind", async () => {
    const config = await prepareDirectory(development());
    const store = await openSqliteStore({ path: join(directory, "idem.db") });
    await makeFirstKey(config, store);
    await store.close();
    expect((await readdir(directory)).filter((name) => name.endsWith(".new"))).toEqual([]);
  });
});

describe("production", () => {
  it("makes no tenant and no key by itself", async () => {
    const config = await prepareDirectory(production());
    const store = await openSqliteStore({ path: join(directory, "idem.db") });
    expect(await makeFirstKey(config, store)).toBeUndefined();
    expect(await store.listTenants()).toEqual([]);
    await store.close();
  });

  it("refuses a directory in which development secrets lie", async () => {
    await prepareDirectory(development());
    await expect(prepareDirectory(production())).rejects.toThrow("development-master.key");
  });
});
