import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hashApiKey, makeApiKey } from "#contract/api-key";
import { readConfig } from "#machine/config/config";
import { stepOf } from "#record/transactions/record-call";
import { writeRights } from "#support/storage/right-rows";
import { at } from "#support/storage/suite";
import { differsFromEntries } from "./compare-rights.ts";
import { openKeyAdmin } from "./keys.ts";
import { isReady, type ReadyConfig } from "./master-keys.ts";
import { beginRightsAnew } from "./rights.ts";
import { listRightsFaults } from "./rights-watch.ts";
import {
  inspectStore,
  openStore,
  openStoreToRead,
  openTokenKeys,
  openUnheld,
  rewrapKeys,
} from "./storage.ts";

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

const withUnheld = async <Result>(work: (store: Opened) => Promise<Result>): Promise<Result> => {
  const { store, close } = await openUnheld(configOf());
  try {
    return await work(store);
  } finally {
    await close();
  }
};

const faultsIn = async (store: Opened): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const { place, fault } of listRightsFaults(store, configOf()))
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

  it("is begun anew by the operator on rows with seals of the former key, and with their ends", async () => {
    const { text } = await withStore(makeTenant);
    run("delete from secrets where name = 'rights'");
    const { store, close } = await openUnheld(configOf());
    expect(await beginRightsAnew(store, configOf(), new Date())).toBe(true);
    await close();
    await withStore(async (opened) => {
      expect(await faultsIn(opened)).toEqual([]);
      expect(await opened.findApiKey(hashApiKey(text))).toBeDefined();
    });
  });

  it("is a fault where it was removed, in a service that holds it too", async () => {
    await withStore(makeTenant);
    await withStore(async (store) => {
      run("delete from secrets where name = 'rights'");
      expect(await faultsIn(store)).toEqual([expect.stringContaining("secrets: was removed")]);
    });
    const opened = await openStoreToRead(configOf());
    if (opened === undefined) throw new Error("There is a store");
    const found: string[] = [];
    for await (const { place } of listRightsFaults(opened.store, configOf())) found.push(place);
    await opened.close();
    expect(found).toEqual(["secrets rights"]);
  });
});

it("names an image whose revocation was undone by an earlier state of its row with its seal, until the operator accepts it", async () => {
  await withStore(async (store) => {
    const { tenantId, assets } = await writeRights(store);
    const [{ id, operationId }] = [assets[0]!];
    run("create table kept as select * from assets");
    const body = { asset: id, operation: operationId, key: "k" };
    const evidence = [{ id: randomUUID(), kind: "asset_revoked", at: at(5), body }];
    const owner = { tenantId, environment: "test" } as const;
    expect(await store.revokeAsset(owner, operationId, id, at(5), stepOf({ evidence }))).toBe(true);
    const faults = async () => (await faultsIn(store)).filter((fault) => fault.startsWith("assets"));
    expect(await faults()).toEqual([]);
    run(
      "update assets set (revoked_at, seal) = (select revoked_at, seal from kept where kept.id = assets.id)",
    );
    run("drop table kept");
    expect(await faults()).toEqual(["assets: was revoked, and its row is not"]);
    expect(await store.acceptRight("assets", [tenantId, id], at(6), true)).toBe(true);
    expect(await faults()).toEqual([]);
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

  it("keeps its images and the deliveries that wait, more than a page of them, once its first start has sealed them", async () => {
    const { store, close } = await openUnheld(configOf());
    const { tenantId, destination, assets } = await writeRights(store);
    for (const table of ["evidence_heads", "blocked_faces", "keys"]) run(`delete from ${table}`);
    await close();
    run(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 1001)
      insert into events select tenant_id, 'event ' || i, environment, operation_id, 100 + i, name, at, sealed_data
        from n, (select * from events where id = 'face-event')`);
    run(`insert into deliveries (tenant_id, destination_id, event_id, operation_id, sequence, event_at, state, attempts, failures,
        is_manual, due_at, created_at)
      select tenant_id, '${destination.id}', id, operation_id, sequence, at, 'due', 0, 0, 0, at, at from events
        where id like 'event %'`);
    await withStore(async (opened) => {
      expect(await faultsIn(opened)).toEqual([]);
      expect(await opened.findAsset(assets[0]!.id)).not.toHaveProperty("isForged");
      const lease = {
        worker: "w",
        now: new Date(),
        leaseMs: 1000,
        limit: 5000,
        inFlightMax: 5000,
        after: "",
      };
      const { deliveries } = await opened.leaseDeliveries(lease);
      expect(deliveries.length).toBeGreaterThan(1001);
      expect(deliveries.filter(({ isForged }) => isForged === true)).toEqual([]);
      expect(tenantId).toBe(deliveries[0]?.tenantId);
    });
    run("update assets set seal = null");
    await withStore(async (opened) => {
      expect(await opened.findAsset(assets[0]!.id)).toMatchObject({ isForged: true });
    });
  });

  it("is not sealed a second time: the entry of the first start names it, and a second entry is a fault", async () => {
    await writeFormer();
    await withStore(async () => undefined);
    run("delete from secrets");
    for (const table of ["tenants", "api_keys"]) run(`update ${table} set seal = null`);
    run("delete from evidence_heads");
    await expect(openStore(configOf())).rejects.toThrow("idem rights begin");
    const { store, close } = await openUnheld(configOf());
    await store.beginRights(new Uint8Array(32), new Uint8Array(32), new Date());
    await close();
    run("delete from secrets");
    expect(await withUnheld(faultsIn)).toContain(
      "evidence: is a second start of the seals: their key was removed, and a start made another",
    );
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
    const listRights: Opened["listRights"] = async (...of) => {
      if (!isMade) {
        isMade = true;
        const key = { id: randomUUID(), tenantId, hash: hashApiKey(makeApiKey("live")), name: "new" };
        const rest = { environment: "live" as const, scopes: ["face" as const], createdAt: new Date() };
        await openKeyAdmin(store).createApiKey({ ...key, ...rest });
      }
      return await store.listRights(...of);
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

  it("that the operator accepted is named no more: forged, removed, or in an earlier state", async () => {
    const { tenantId, first } = await withStore(makeTenant);
    const accept = async (store: Opened, id: string): Promise<boolean> => {
      const place = `api_keys ${tenantId} ${id}`;
      const differs = await differsFromEntries(store, tenantId, place);
      return await store.acceptRight("api_keys", [tenantId, id], new Date(), differs);
    };
    addForgedKey(tenantId);
    run("update api_keys set id = 'forged' where name = 'forged'");
    await withStore(async (store) => {
      expect(await accept(store, first.id)).toBe(false);
      expect(await accept(store, "forged")).toBe(true);
      expect(await faultsIn(store)).toEqual([]);
    });
    const putBack = copyRows("api_keys");
    await withStore(async (store) => {
      await openKeyAdmin(store).revokeApiKey(tenantId, first.id, new Date());
    });
    putBack();
    await withStore(async (store) => {
      expect(await accept(store, first.id)).toBe(true);
      expect(await faultsIn(store)).toEqual([]);
    });
    run("delete from api_keys where id = ?", first.id);
    await withStore(async (store) => {
      expect(await accept(store, first.id)).toBe(true);
      expect(await accept(store, first.id)).toBe(false);
      expect(await faultsIn(store)).toEqual([]);
    });
  });

  it("whose credential was put back to an earlier state with its seal, and whose destination was", async () => {
    const { tenantId } = await withStore(makeTenant);
    const environment = "live" as const;
    const set = (store: Opened, second: number) =>
      store.setClearingCredentials(
        { tenantId, environment, user: "u", passwordHash: String(second), changedAt: at(second) },
        stepOf({
          evidence: [
            {
              id: randomUUID(),
              kind: "clearing_credentials_set",
              at: at(second),
              body: { environment, user: "u" },
            },
          ],
        }),
      );
    await withStore((store) => set(store, 1));
    const putCredentialBack = copyRows("clearing_credentials");
    await withStore((store) => set(store, 2));
    putCredentialBack();
    const destination = {
      tenantId,
      environment,
      id: randomUUID(),
      name: "d",
      state: "active" as const,
      topics: ["*"],
      isOrdered: false,
      sealedSettings: new Uint8Array(4),
      createdAt: at(1),
    };
    const stepOn = (kind: string, second: number) =>
      stepOf({
        evidence: [{ id: randomUUID(), kind, at: at(second), body: { destination: destination.id } }],
      });
    await withStore((store) => store.createDestination(destination, 5, stepOn("destination_created", 1)));
    const putDestinationBack = copyRows("destinations");
    await withStore((store) =>
      store.changeDestination(
        { ...destination, revision: 1 },
        { at: at(2), topics: ["a"] },
        stepOn("destination_changed", 2),
      ),
    );
    putDestinationBack();
    expect(await withStore(faultsIn)).toEqual([
      "destinations: is in an earlier state than its newest entry made",
      "clearing_credentials: is in an earlier state than its newest entry made",
    ]);
  });

  it("and are verified in the same pass: an entry that was changed explains nothing unnoticed", async () => {
    const { tenantId } = await withStore(makeTenant);
    run("drop trigger if exists evidence_no_update");
    run("update evidence set kind = 'api_key_other' where tenant_id = ? and seq = 1", tenantId);
    expect(await withStore(faultsIn)).toContain(
      "evidence: the id, the kind, the hash or several fields were changed",
    );
  });

  it("and are compared no further once the service stops", async () => {
    const { first } = await withStore(makeTenant);
    run("delete from api_keys where id = ?", first.id);
    const count = async (signal: AbortSignal): Promise<number> =>
      await withStore(
        async (store) => (await Array.fromAsync(listRightsFaults(store, configOf(), { signal }))).length,
      );
    expect(await count(new AbortController().signal)).toBe(1);
    expect(await count(AbortSignal.abort())).toBe(0);
  });
});
