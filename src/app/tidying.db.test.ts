import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeDiskObjects } from "#machine/storage/disk-objects";
import { startSchedule } from "#record/jobs/schedule";
import { makeMeasurementSeal } from "#record/transactions/measurement-seal";
import { stepOf } from "#record/transactions/record-call";
import { openStoreHere } from "#support/app/store-here";
import { aLease } from "#support/document/a-lease";
import { newDestination } from "#support/webhooks/deliveries";
import { destroyTenantKeys, makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import type { Retention } from "./retention.ts";
import type { Store } from "./store.ts";
import { makeTidyingTasks } from "./tidying.ts";

const tenantId = randomUUID();
const validationId = randomUUID();
const ids = Array.from({ length: 2_500 }, () => randomUUID());
const errors: unknown[] = [];
const masters = [masterKeyOf(randomBytes(32))] as const;
const dayMs = 86_400_000;
const longMs = 400 * dayMs;
const keptLong: Retention = {
  imagesMs: longMs,
  numbersMs: longMs,
  velocityMs: longMs,
  transactionsMs: longMs,
  validationsMs: longMs,
  evidenceMs: longMs,
  transfersMs: longMs,
  documentsMs: longMs,
  capturesMs: longMs,
  captureFailuresMs: longMs,
  operationsMs: longMs,
  operationImagesMs: longMs,
  answersMs: longMs,
};
/** Time of the rows that the tests write: all are beyond no retention of `keptLong`. */
const madeAt = new Date(Date.now() - 100 * dayMs);
let folder: string;
let store: Store;

const sealing = () => {
  const now = () => new Date();
  return makeMeasurementSeal(makeKeyring({ store, masters, now }));
};

const start = (change: Partial<Store> = {}, kept: Partial<Retention> = {}) =>
  startSchedule({
    tasks: makeTidyingTasks({
      objects: makeDiskObjects(join(folder, "blobs")),
      store: { ...store, ...change },
      measurements: sealing(),
      kept: { ...keptLong, imagesMs: 1_000, ...kept },
      clock: () => new Date(),
      newId: randomUUID,
    }),
    everyMs: 3_600_000,
    onError: (error) => errors.push(error),
  });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-tidying-"));
  store = await openStoreHere({ path: join(folder, "idem.sqlite") });
  await store.createTenant({ id: tenantId, name: "t", createdAt: new Date() });
  const [id, environment, createdAt] = [validationId, "test", madeAt] as const;
  const job = {
    id,
    tenantId,
    environment,
    version: 2,
    createdAt,
    sealedInput: new Uint8Array(1),
    blobIds: [],
  } as const;
  const call = {
    id,
    tenantId,
    keyId: id,
    environment,
    endpoint: "e",
    at: createdAt,
    result: 1,
    sealedMeasurements: new Uint8Array(),
  } as const;
  const blobs = ids.map((blob) => ({ id: blob, tenantId, kind: "front", bytes: 1, createdAt }));
  const step = { evidence: [] };
  await store.createValidation(
    job,
    blobs,
    { ...call, policyVersion: "1", models: {}, tokenHashes: [] },
    step,
  );
});

afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
  expect(errors).toStrictEqual([]);
});

it("repeats a command until it removes no row, even if another process locks some rows of each thousand", async () => {
  const tidying = start({ forgetBlobs: async (before) => Math.min(999, await store.forgetBlobs(before)) });
  await expect.poll(() => store.knownBlobIds(tenantId, ids), { timeout: 10_000 }).toStrictEqual([]);
  await tidying.stop();
});

it("stops after the running command, so that the store can be closed", async () => {
  let calls = 0;
  const forgetBlobs = async (before: Date): Promise<number> => {
    calls += 1;
    await setTimeout(200);
    return await store.forgetBlobs(before);
  };
  const tidying = start({ forgetBlobs });
  await setTimeout(50);
  await tidying.stop();
  expect([calls, (await store.knownBlobIds(tenantId, ids)).length]).toStrictEqual([1, 1_500]);
});

it("runs the other tasks when one task fails", async () => {
  const outage = new Error("no bucket");
  let rounds = 0;
  const tidying = start({
    forgetBlobs: () => Promise.reject(outage),
    purgeVelocityEvents: async (before) => {
      rounds += 1;
      return await store.purgeVelocityEvents(before);
    },
  });
  await expect.poll(() => rounds, { timeout: 10_000 }).toBe(1);
  await tidying.stop();
  expect(errors.splice(0)).toStrictEqual([outage]);
});

it("reports rows that it could not remove without the words of an erasure", async () => {
  const outage = new Error("no store");
  const tidying = start({ purgeUsers: () => Promise.reject(outage) });
  await expect.poll(() => errors, { timeout: 10_000 }).toHaveLength(1);
  await tidying.stop();
  expect(errors.splice(0)).toMatchObject([
    {
      name: "Error",
      message: "The tidying could not remove rows under destroyed keys: users. The next round tries again.",
      cause: outage,
    },
  ]);
});

type Deps = Parameters<typeof makeTidyingTasks>[0];

const run = async (kept: Partial<Retention> = {}, changed: Partial<Deps> = {}): Promise<void> => {
  const objects = makeDiskObjects(join(folder, "blobs"));
  const { signal } = new AbortController();
  const clock = () => new Date();
  const measurements = sealing();
  const deps = { objects, store, measurements, kept: { ...keptLong, ...kept }, clock, newId: randomUUID };
  for (const task of makeTidyingTasks({ ...deps, ...changed })) await task(signal);
};

/** Writes beside the store, as an earlier release did. */
const change = (statement: string): void => {
  const sqlite = new Database(join(folder, "idem.sqlite"));
  sqlite.prepare(statement).run();
  sqlite.close();
};

const entry = (kind: string) =>
  stepOf({ evidence: [{ id: randomUUID(), kind, at: madeAt, body: { kind } }] });
const callOf = (id: string) => ({
  id,
  tenantId,
  keyId: "k",
  environment: "test" as const,
  endpoint: "identity",
  at: madeAt,
  result: 1,
  sealedMeasurements: new Uint8Array(),
  policyVersion: "1",
  models: {},
  tokenHashes: [],
});
const bodies = async () => (await store.listLinks(tenantId, 0)).map(({ body }) => body?.text);

it("keeps calls, validations and bodies of evidence for their retention, and removes them afterwards", async () => {
  const id = randomUUID();
  await store.recordTransaction(callOf(id), [], entry("person_enrolled"));
  const held = { tenantId, id: validationId, revision: 0, worker: "w" };
  await store.leaseValidations(aLease("w", madeAt, { leaseMs: 1000, limit: 1 }));
  await store.finishValidation(
    { ...held, status: "DONE", at: madeAt, decision: "Approved" },
    entry("decided"),
  );
  const kept = async () => [
    (await store.findTransaction(tenantId, id)) !== undefined,
    (await store.findValidation(tenantId, validationId)) !== undefined,
    (await bodies()).filter((text) => text !== undefined).length,
  ];
  const soon = 101 * dayMs;
  await run({ transactionsMs: soon, validationsMs: soon, evidenceMs: soon });
  expect(await kept()).toStrictEqual([true, true, 2]);
  await run({ transactionsMs: 99 * dayMs });
  expect(await kept()).toStrictEqual([false, true, 2]);
  await run({ validationsMs: 99 * dayMs });
  expect(await kept()).toStrictEqual([false, false, 2]);
  await run({ evidenceMs: 98 * dayMs });
  const removed = '{"count":2,"from":1,"through":2}';
  expect(await bodies()).toStrictEqual([undefined, undefined, removed]);
  await run({ evidenceMs: 98 * dayMs });
  expect(await bodies()).toHaveLength(3);
});

it("removes bodies of whole days alone, so that a tenant gets one receipt a day", async () => {
  await store.recordTransaction(callOf(randomUUID()), [], entry("k"));
  const startOfDay = Math.floor(madeAt.getTime() / dayMs) * dayMs;
  const now = Date.now();
  // The limit lies on the same day as the entry and after it.
  await run({ evidenceMs: now - (startOfDay + dayMs - 3_600_000) });
  expect(await bodies()).toHaveLength(1);
  await run({ evidenceMs: now - (startOfDay + dayMs + 3_600_000) });
  expect(await bodies()).toHaveLength(2);
});

it("seals measurements of an earlier release, and continues after an interruption", async () => {
  const calls = Array.from({ length: 250 }, () => randomUUID());
  for (const id of calls) await store.recordTransaction(callOf(id), [], stepOf());
  change(`update transactions set measurements = '{"eyes":61.5}', sealed_measurements = null`);
  let batches = 0;
  const interrupted = start({
    sealMeasurements: async (sealed) => {
      batches += 1;
      if (batches === 2) throw new Error("killed");
      await store.sealMeasurements(sealed);
    },
  });
  await expect.poll(() => errors.length, { timeout: 10_000 }).toBe(1);
  await interrupted.stop();
  errors.splice(0);
  expect((await store.listPlainMeasurements(tenantId)).length).toBeGreaterThan(0);
  await run();
  expect(await store.listPlainMeasurements(tenantId)).toStrictEqual([]);
  for (const id of calls) {
    const found = await store.findTransaction(tenantId, id);
    expect(found?.sealedMeasurements.length).toBeGreaterThan(40);
    expect((await sealing().open(found!)).measurements).toStrictEqual({ eyes: 61.5 });
  }
});

it("seals the measurements of a tenant while those of another cannot be sealed, and reports it", async () => {
  const others = ["00000000", "ffffffff"].map((first) => `${first}${randomUUID().slice(8)}`);
  for (const id of others) await store.createTenant({ id, name: id, createdAt: new Date() });
  for (const id of [tenantId, ...others]) {
    await store.recordTransaction({ ...callOf(randomUUID()), tenantId: id }, [], stepOf());
  }
  change(`update transactions set measurements = '{"eyes":61.5}', sealed_measurements = null`);
  const cause = new Error("The key of this tenant does not open");
  const { sealBytes } = sealing();
  const measurements: Deps["measurements"] = {
    sealBytes: (owner, former) =>
      owner.tenantId === tenantId ? sealBytes(owner, former) : Promise.reject(cause),
  };
  await expect(run({}, { measurements })).rejects.toMatchObject({
    message: expect.stringContaining("Measurements of 2 tenants"),
    cause,
  });
  const open = await Promise.all(
    [tenantId, ...others].map(async (id) => (await store.listPlainMeasurements(id)).length),
  );
  expect(open).toStrictEqual([0, 1, 1]);
});

it("forgets destinations and retries from before an interrupted erasure, and keeps later ones", async () => {
  await sealing().sealBytes({ tenantId, environment: "test", id: "x" }, {});
  const erasedAt = new Date();
  const owner = { tenantId, environment: "test" } as const;
  const former = await newDestination(store, tenantId, { createdAt: madeAt });
  const claim = (name: string, at: Date) =>
    store.claimCall({
      tenantId,
      name: name.padEnd(64, "0"),
      request: "b".repeat(64),
      owner: "key",
      transactionId: randomUUID(),
      keyId: randomUUID(),
      environment: "test",
      now: at,
      leasedUntil: at,
      forgottenBefore: madeAt,
    });
  await claim("former", madeAt);
  await destroyTenantKeys(store, tenantId, erasedAt);
  const later = new Date(erasedAt.getTime() + 1);
  const kept = await newDestination(store, tenantId, { createdAt: later });
  await claim("later", later);
  await run();
  expect(await store.findDestination(owner, former)).toBeUndefined();
  expect((await store.findDestination(owner, kept))?.id).toBe(kept);
  const sqlite = new Database(join(folder, "idem.sqlite"));
  expect(sqlite.prepare("select name from idempotent_calls").pluck().all()).toEqual([
    "later".padEnd(64, "0"),
  ]);
  sqlite.close();
});

it("finishes an erasure that was interrupted after it destroyed the keys", async () => {
  await store.recordTransaction(callOf(randomUUID()), [], entry("person_enrolled"));
  await sealing().sealBytes({ tenantId, environment: "test", id: "x" }, {});
  await destroyTenantKeys(store, tenantId, new Date());
  expect(await bodies()).toHaveLength(2);
  await run();
  const after = (await store.listLinks(tenantId, 0)).map(({ kind, body }) => [kind, body !== undefined]);
  expect(after).toStrictEqual([
    ["person_enrolled", false],
    ["data_key_destroyed", true],
    ["evidence_bodies_removed", true],
  ]);
  await store.recordTransaction(
    callOf(randomUUID()),
    [],
    stepOf({
      evidence: [{ id: randomUUID(), kind: "person_enrolled", at: new Date(), body: {} }],
    }),
  );
  await run();
  expect((await bodies()).at(-1)).toBe("{}");
});
