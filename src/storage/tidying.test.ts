import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeDiskObjects } from "./disk-objects.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import type { Store } from "./store.ts";
import { startTidying } from "./tidying.ts";

const tenantId = randomUUID();
const ids = Array.from({ length: 2_500 }, () => randomUUID());
const errors: unknown[] = [];
let folder: string;
let store: Store;

const start = (change: Partial<Store> = {}) =>
  startTidying({
    objects: makeDiskObjects(join(folder, "blobs")),
    store: { ...store, ...change },
    picturesKeptMs: 1_000,
    numbersKeptMs: 1_000,
    further: [],
    sightingsKeptMs: 1_000,
    clock: () => new Date(),
    onError: (error) => errors.push(error),
  });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-tidying-"));
  store = await openSqliteStore({ path: join(folder, "idem.sqlite") });
  await store.createTenant({ id: tenantId, name: "t", createdAt: new Date() });
  const [id, world, createdAt] = [randomUUID(), "test", new Date(0)] as const;
  const job = {
    id,
    tenantId,
    world,
    version: 2,
    createdAt,
    sealedInput: new Uint8Array(1),
    blobIds: [],
  } as const;
  const call = {
    id,
    tenantId,
    keyId: id,
    world,
    endpoint: "e",
    at: createdAt,
    result: 1,
    measurements: 1,
  } as const;
  const blobs = ids.map((blob) => ({ id: blob, tenantId, kind: "front", bytes: 1, createdAt }));
  const step = { events: [], evidence: [] };
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

it("goes on until nothing is left, also where another process holds a part of each thousand", async () => {
  const stop = start({ forgetBlobs: async (before) => Math.min(999, await store.forgetBlobs(before)) });
  await expect.poll(() => store.knownBlobIds(tenantId, ids), { timeout: 10_000 }).toStrictEqual([]);
  await stop();
});

it("ends after the command that runs, and the store may be closed then", async () => {
  let calls = 0;
  const forgetBlobs = async (before: Date): Promise<number> => {
    calls += 1;
    await setTimeout(200);
    return await store.forgetBlobs(before);
  };
  const stop = start({ forgetBlobs });
  await setTimeout(50);
  await stop();
  expect([calls, (await store.knownBlobIds(tenantId, ids)).length]).toStrictEqual([1, 1_500]);
});

it("does the rest where one work fails", async () => {
  const outage = new Error("no bucket");
  let rounds = 0;
  const stop = start({
    forgetBlobs: () => Promise.reject(outage),
    purgeSightings: async (before) => {
      rounds += 1;
      return await store.purgeSightings(before);
    },
  });
  await expect.poll(() => rounds, { timeout: 10_000 }).toBe(1);
  await stop();
  expect(errors.splice(0)).toStrictEqual([outage]);
});
