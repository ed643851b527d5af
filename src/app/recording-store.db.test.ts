import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TransactionRecord } from "#record/transactions/record";
import { makeChainVerifier } from "#record/transactions/verify-chain";
import { openStoreHere } from "#support/app/store-here";
import { destroyTenantKeys, makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { makeRecordingStore, type RecordingStore } from "./recording-store.ts";
import { eraseTenant } from "./storage.ts";
import type { Store } from "./store.ts";

const noStep = { evidence: [] };
const canary = "canaryEyeDistance";
let folder: string;
let file: string;
let sealedStore: Store;
let store: RecordingStore;
let tenantId: string;
let now: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-recording-"));
  file = join(folder, "idem.sqlite");
  sealedStore = await openStoreHere({ path: file });
  tenantId = randomUUID();
  now = 0;
  await sealedStore.createTenant({ id: tenantId, name: "a", createdAt: new Date() });
  const masters = [masterKeyOf(randomBytes(32))] as const;
  const keyring = makeKeyring({ store: sealedStore, masters, now: () => new Date(now) });
  store = makeRecordingStore(sealedStore, keyring);
});
afterEach(async () => {
  await sealedStore.close();
  await rm(folder, { recursive: true });
});

const record = (change: Partial<TransactionRecord> = {}): TransactionRecord => ({
  id: randomUUID(),
  tenantId,
  keyId: "k",
  environment: "test",
  endpoint: "identity",
  at: new Date(),
  result: { code: 1 },
  measurements: { [canary]: 61.5, pose: [1, null, "ñ\u0000"] },
  policyVersion: "1",
  models: {},
  tokenHashes: [],
  ...change,
});
const run = (statement: string): void => {
  const sqlite = new Database(file);
  sqlite.exec(statement);
  sqlite.close();
};
/** What a thief of the disk reads: the file and its log. */
const bytesOnDisk = async (): Promise<string> =>
  (await Promise.all([file, `${file}-wal`].map((path) => readFile(path, "latin1")))).join("");

describe("measurements of a call", () => {
  it("return as they were recorded, and the disk does not show them", async () => {
    const calls = [record(), record({ measurements: null }), record({ measurements: 0 })];
    for (const call of calls) await store.recordTransaction(call, [], noStep);
    for (const call of calls) expect(await store.findTransaction(tenantId, call.id)).toStrictEqual(call);
    const byTime = calls.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));
    expect(await store.listTransactions(tenantId, new Date(0))).toStrictEqual(byTime);
    expect(await bytesOnDisk()).not.toContain(canary);
  });

  it("do not open in another record", async () => {
    const [one, two] = [record(), record()];
    for (const call of [one, two]) await store.recordTransaction(call, [], noStep);
    run(
      `update transactions set sealed_measurements =
        (select sealed_measurements from transactions where id = '${one.id}') where id = '${two.id}'`,
    );
    expect(await store.findTransaction(tenantId, one.id)).toStrictEqual(one);
    await expect(store.findTransaction(tenantId, two.id)).rejects.toMatchObject({ code: "stored_damaged" });
  });

  it("read as null once the tenant's key is destroyed; new ones are readable", async () => {
    const old = record();
    await store.recordTransaction(old, [], noStep);
    await destroyTenantKeys(sealedStore, tenantId, new Date());
    now += 10_000;
    const fresh = record();
    await store.recordTransaction(fresh, [], noStep);
    expect(await store.findTransaction(tenantId, old.id)).toStrictEqual({ ...old, measurements: null });
    expect(await store.findTransaction(tenantId, fresh.id)).toStrictEqual(fresh);
  });
});

describe("an erasure", () => {
  const evidence = () => [
    { id: randomUUID(), kind: "person_enrolled", at: new Date(), body: { person: canary } },
  ];
  const verify = async () => {
    const verifier = makeChainVerifier([]);
    (await sealedStore.listLinks(tenantId, 0)).forEach(verifier.take);
    return verifier.end();
  };

  it("leaves neither measurements nor bodies on the disk, and a chain that is whole, with receipts", async () => {
    const [sealed, plain] = [record(), record()];
    await store.recordTransaction(sealed, [], { evidence: evidence() });
    await store.recordTransaction(plain, [], { evidence: evidence() });
    run(
      `update transactions set sealed_measurements = null, measurements = '{"${canary}":1}' where id = '${plain.id}'`,
    );
    expect(await bytesOnDisk()).toContain(canary);
    expect(await eraseTenant(sealedStore, tenantId)).toHaveLength(1);
    now += 10_000;
    expect(await bytesOnDisk()).not.toContain(canary);
    for (const call of [sealed, plain]) {
      expect(await store.findTransaction(tenantId, call.id)).toStrictEqual({ ...call, measurements: null });
    }
    expect(await verify()).toMatchObject({ entries: 4, bodiesRemoved: 2, faults: [] });
    expect(
      (await sealedStore.listLinks(tenantId, 2)).map(({ kind, body }) => [kind, body !== undefined]),
    ).toStrictEqual([
      ["data_key_destroyed", true],
      ["evidence_bodies_removed", true],
    ]);
    expect(await eraseTenant(sealedStore, tenantId)).toStrictEqual([]);
    expect(await verify()).toMatchObject({ entries: 4, faults: [] });
  });

  it("spares the other tenants", async () => {
    const other = randomUUID();
    await sealedStore.createTenant({ id: other, name: "b", createdAt: new Date() });
    const spared = record({ tenantId: other });
    await store.recordTransaction(spared, [], { evidence: evidence() });
    await store.recordTransaction(record(), [], noStep);
    await eraseTenant(sealedStore, tenantId);
    expect(await store.findTransaction(other, spared.id)).toStrictEqual(spared);
    expect((await sealedStore.listLinks(other, 0)).map(({ body }) => body?.text)).toStrictEqual([
      `{"person":"${canary}"}`,
    ]);
  });
});
