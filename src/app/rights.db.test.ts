import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "#config/config";
import { hashApiKey, makeApiKey } from "#contract/api-key";
import { writeRights } from "#storage/testing/right-rows";
import { at } from "#storage/testing/suite";
import { openKeyAdmin } from "./keys.ts";
import { isReady, type ReadyConfig } from "./master-keys.ts";
import { beginRightsAnew } from "./rights.ts";
import { listRightsFaults } from "./rights-watch.ts";
import { inspectStore, openStore, openTokenKeys, openUnheld, rewrapKeys } from "./storage.ts";

let folder: string;
let masterKey: string;
const configOf = (change: Readonly<Record<string, string>> = {}): ReadyConfig => {
  const config = readConfig({ IDEM_DATA: folder, IDEM_MASTER_KEY: masterKey, ...change });
  if (!isReady(config)) throw new Error("There is a master key");
  return config;
};

const run = (statement: string, ...values: readonly unknown[]): void => {
  const sqlite = new Database(join(folder, "idem.sqlite"));
  sqlite.prepare(statement).run(...values);
  sqlite.close();
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-rights-"));
  masterKey = randomBytes(32).toString("base64");
});
afterEach(() => rm(folder, { recursive: true }));

type Opened = Awaited<ReturnType<typeof openStore>>["store"];

const withStore = async <Result>(
  work: (store: Opened) => Promise<Result>,
  config = configOf(),
): Promise<Result> => {
  const { store, close } = await openStore(config);
  try {
    return await work(store);
  } finally {
    await close();
  }
};

const faultsIn = async (store: Opened): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const { place, fault } of listRightsFaults(store))
    found.push(`${place.split(" ")[0]}: ${fault}`);
  return found;
};

/** A tenant with two keys, made by the use cases, and one key text. */
const makeTenant = async (store: Opened) => {
  const tenantId = randomUUID();
  await store.createTenant({ id: tenantId, name: tenantId, createdAt: at(0) });
  const admin = openKeyAdmin(store);
  const text = makeApiKey("live");
  const keyOf = (hash: string) => ({
    id: randomUUID(),
    tenantId,
    hash,
    name: "k",
    environment: "live" as const,
    scopes: ["face" as const],
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + 90_000_000),
  });
  const [first, revoked] = [keyOf(hashApiKey(text)), keyOf(hashApiKey(makeApiKey("live")))];
  await admin.createApiKey(first);
  await admin.createApiKey(revoked);
  await admin.revokeApiKey(tenantId, revoked.id, new Date());
  return { tenantId, text, first, revoked };
};

const addForgedKey = (tenantId: string): string => {
  const text = makeApiKey("live");
  run(
    `insert into api_keys (tenant_id, id, hash, name, environment, scopes, created_at)
      values (?, ?, ?, 'forged', 'live', '["face","document","token","user","review","key"]', ?)`,
    tenantId,
    randomUUID(),
    hashApiKey(text),
    Date.now(),
  );
  return text;
};

describe("the key of the seals", () => {
  it("is made once, and a key that is added past the service opens nothing and is named", async () => {
    const { tenantId, text } = await withStore(makeTenant);
    expect(await withStore(faultsIn)).toEqual([]);
    const forged = addForgedKey(tenantId);
    await withStore(async (store) => {
      expect((await store.findApiKey(hashApiKey(text)))?.scopes).toEqual(["face"]);
      await expect(store.findApiKey(hashApiKey(forged))).rejects.toMatchObject({ code: "stored_damaged" });
      expect(await faultsIn(store)).toEqual([
        "api_keys: was added past the service: it has no seal",
        "api_keys: has no entry: no command made it",
      ]);
    });
  });

  it("follows a rotation of the master key, and opens under no other key", async () => {
    const { text } = await withStore(makeTenant);
    const former = masterKey;
    masterKey = randomBytes(32).toString("base64");
    await expect(openStore(configOf())).rejects.toThrow("another master key");
    const rotating = configOf({ IDEM_MASTER_KEY_PREVIOUS: former });
    await withStore((store) => rewrapKeys(store, rotating), rotating);
    await withStore(async (store) => {
      expect(await store.findApiKey(hashApiKey(text))).toBeDefined();
      expect(await faultsIn(store)).toEqual([]);
    });
  });

  it("is not made anew where it was removed: neither beside seals, nor beside secrets that name it", async () => {
    const { tenantId } = await withStore(async (store) => {
      await openTokenKeys(store, configOf()).loadOrCreate(new Date());
      return await makeTenant(store);
    });
    addForgedKey(tenantId);
    run("delete from secrets where name = 'rights'");
    await expect(openStore(configOf())).rejects.toThrow("lost the key of its seals");
    for (const table of ["tenants", "api_keys", "evidence_heads"]) run(`update ${table} set seal = null`);
    run("delete from evidence_heads");
    await expect(openStore(configOf())).rejects.toThrow("idem rights begin");
    const { store, close } = await openUnheld(configOf());
    expect(await beginRightsAnew(store, configOf(), new Date())).toBe(true);
    await close();
    await expect(withStore(faultsIn)).resolves.toEqual([]);
  });

  it("is needed to write: a process without the master key adds no row", async () => {
    await withStore(makeTenant);
    const { store, close } = await openUnheld(configOf());
    const tenant = { id: "other", name: "other", createdAt: at(0) };
    await expect(store.createTenant(tenant)).rejects.toMatchObject({ code: "store_unavailable" });
    expect(await store.listTenants()).toHaveLength(1);
    await close();
  });

  it("does not begin under a master key that is not that of the data", async () => {
    const { store, close } = await openUnheld(configOf());
    await writeRights(store);
    await close();
    await expect(openStore(configOf())).rejects.toThrow("under the master key m1");
  });
});

describe("a store of an earlier release", () => {
  /** Rows without seals, as an earlier release leaves them. */
  const writeFormer = async () => {
    const { store, close } = await openUnheld(configOf());
    const made = await makeTenant(store);
    run("delete from evidence_heads");
    await close();
    return made;
  };

  it("is sealed by its first start, which states what it found, and then takes no row without a seal", async () => {
    const { tenantId, text, first, revoked } = await writeFormer();
    await withStore(async (store) => {
      expect(await faultsIn(store)).toEqual([]);
      expect((await store.findApiKey(hashApiKey(text)))?.id).toBe(first.id);
      const last = (await store.listLinks(tenantId, 0)).at(-1);
      expect(last?.kind).toBe("rights_sealed");
      expect(JSON.parse(last?.body?.text ?? "").apiKeys).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ apiKey: first.id, revokedAt: null }),
          expect.objectContaining({ apiKey: revoked.id, revokedAt: expect.any(String) }),
        ]),
      );
    });
    const forged = addForgedKey(tenantId);
    await withStore(async (store) => {
      await expect(store.findApiKey(hashApiKey(forged))).rejects.toMatchObject({ code: "stored_damaged" });
    });
  });

  it("is sealed as a whole or not at all: of starts at once one seals it", async () => {
    const { text } = await writeFormer();
    const opened = await openUnheld(configOf());
    const written = await Promise.all(
      [1, 2, 3].map(() => beginRightsAnew(opened.store, configOf(), new Date())),
    );
    await opened.close();
    expect(written.filter(Boolean)).toHaveLength(1);
    await withStore(async (store) => {
      expect(await faultsIn(store)).toEqual([]);
      expect(await store.findApiKey(hashApiKey(text))).toBeDefined();
    });
  });
});

it("a key that a service makes while the rows are compared is no fault, and a forged one beside it is", async () => {
  await withStore(async (store) => {
    const { tenantId } = await makeTenant(store);
    let isMade = false;
    // The chain was read, and its rows were not: the service makes a key between them.
    const listRights: Opened["listRights"] = async (id) => {
      if (!isMade) {
        isMade = true;
        const key = { id: randomUUID(), tenantId, hash: hashApiKey(makeApiKey("live")), name: "new" };
        const rest = { environment: "live" as const, scopes: ["face" as const], createdAt: new Date() };
        await openKeyAdmin(store).createApiKey({ ...key, ...rest });
      }
      return await store.listRights(id);
    };
    expect(await faultsIn({ ...store, listRights })).toEqual([]);
    expect(isMade).toBe(true);
    isMade = false;
    addForgedKey(tenantId);
    expect(await faultsIn({ ...store, listRights })).toEqual([
      "api_keys: was added past the service: it has no seal",
      "api_keys: has no entry: no command made it",
    ]);
  });
});

it("a store with seals is inspected by a process that does not hold their key", async () => {
  await withStore(makeTenant);
  expect(await inspectStore(configOf())).toMatchObject({ isCurrent: true });
  expect(await withStore(faultsIn)).toEqual([]);
});

describe("the entries of a store show a row", () => {
  /** A copy of rows with their seals, from before a change. */
  const copyRows = (table: string): (() => void) => {
    const sqlite = new Database(join(folder, "idem.sqlite"));
    sqlite.exec(`create table copied as select * from ${table}`);
    sqlite.close();
    return () => {
      run(`delete from ${table}`);
      run(`insert into ${table} select * from copied`);
      run("drop table copied");
    };
  };

  it("whose earlier state was put back with its seal: a revoked key, and one that ended", async () => {
    const { tenantId, first } = await withStore(makeTenant);
    const putBack = copyRows("api_keys");
    await withStore(async (store) => {
      await openKeyAdmin(store).revokeApiKey(tenantId, first.id, new Date());
    });
    putBack();
    expect(await withStore(faultsIn)).toEqual(["api_keys: was revoked, and its row is not"]);
  });

  it("whose end was put back", async () => {
    const { tenantId, first } = await withStore(makeTenant);
    const putBack = copyRows("api_keys");
    await withStore(async (store) => {
      expect(await openKeyAdmin(store).endApiKey(tenantId, first.id, new Date())).toBe(true);
    });
    expect(await withStore(faultsIn)).toEqual([]);
    putBack();
    expect(await withStore(faultsIn)).toEqual(["api_keys: has another end than its entries"]);
  });

  it("that was removed", async () => {
    const { first } = await withStore(makeTenant);
    run("delete from api_keys where id = ?", first.id);
    expect(await withStore(faultsIn)).toEqual([
      "api_keys: is missing: an entry names it, and no row holds it",
    ]);
  });

  it.each([
    ["scopes", `'["face","token"]'`, "has other scopes than its entry"],
    ["environment", "'test'", "has another environment than its entry"],
    ["expires_at", "expires_at + 1", "has another end than its entries"],
    ["expires_at", "null", "has another end than its entries"],
  ])("whose %s is %s, beside its seal", async (column, value, fault) => {
    const { first } = await withStore(makeTenant);
    run(`update api_keys set ${column} = ${value} where id = ?`, first.id);
    expect(await withStore(faultsIn)).toEqual([
      "api_keys: was changed past the service: its seal differs",
      `api_keys: ${fault}`,
    ]);
  });
});
