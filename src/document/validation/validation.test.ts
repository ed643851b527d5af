import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Call, Caller, Endpoint } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { Store } from "#storage/store";
import { makeDiskObjects } from "../../storage/disk-objects.ts";
import { destroyTenantKeys, makeKeyring } from "../../storage/keyring.ts";
import { masterKeyOf } from "../../storage/master-key.ts";
import { makeBlobs } from "../../storage/sealed-blobs.ts";
import { openSqliteStore } from "../../storage/sqlite-store.ts";
import type { DocumentEngine } from "../engine.ts";
import { startValidationEndpoint } from "../http/start-validation.endpoint.ts";
import { validationDataEndpoints } from "../http/validation-data.endpoint.ts";
import { validationStatusEndpoints } from "../http/validation-status.endpoint.ts";
import { defaultDocumentPolicy } from "../policy.ts";
import { drawCard } from "../testing/card.ts";
import { openReader } from "../testing/reader.ts";
import { passportLines, readingOf, sideOf, zoneOf } from "../testing/reading.ts";
import { makeGetValidation, makeGetValidationStatus } from "./find-validation.ts";
import { makeFailValidation, makeRunValidation, type RunValidation } from "./run-validation.ts";
import { makeSealing } from "./sealed.ts";
import { makeStartValidation } from "./start-validation.ts";
import { makeValidationWorker } from "./validation-worker.ts";

const reader = await openReader();
const jpeg = Buffer.from(await reader.imaging.encodeJpeg(drawCard(1300, 900, 1), 90));
const masters = [masterKeyOf(randomBytes(32))] as const;
let folder: string;
let store: Store;

const tenants = ["a", "b"].map((name) => ({ id: randomUUID(), name, createdAt: new Date() }));
const caller: Caller = { tenantId: tenants[0]!.id, keyId: randomUUID(), world: "test" };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-document-"));
  store = await openSqliteStore({ path: join(folder, "idem.sqlite") });
  for (const tenant of tenants) {
    await store.createTenant(tenant);
  }
});

afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** A passport in the pictures' place, so that these tests ask what becomes of a reading and not how it is made. */
const engine: DocumentEngine = {
  inspect: async (bytes) => (await reader.imaging.open(bytes)).file,
  read: async () => readingOf(sideOf({ mrz: zoneOf(passportLines) })),
  models: { "mrz-line": "ab".repeat(32) },
};

const callOf = (request: unknown, from: Caller = caller): Call<unknown> => ({
  request,
  caller: from,
  transactionId: randomUUID(),
  requestId: randomUUID(),
  receivedAt: new Date(),
  signal: new AbortController().signal,
  elapsedMs: () => 3,
});

const clock = () => new Date();

type Service = {
  readonly now?: () => Date;
  readonly onPostponed?: () => void;
  readonly work?: RunValidation;
  readonly kept?: Pick<Store, "createValidation">;
};

const openService = ({ now = clock, onPostponed, work, kept }: Service = {}) => {
  const keyring = makeKeyring({ store, masters, now: () => new Date() });
  const blobs = makeBlobs(makeDiskObjects(folder), keyring);
  const sealing = makeSealing(keyring);
  const policy = defaultDocumentPolicy;
  const deps = { blobs, sealing, engine, policy, clock, newId: randomUUID };
  const errors: unknown[] = [];
  const worker = (name: string, leaseMs = 30_000) =>
    makeValidationWorker({
      store: {
        ...store,
        postponeValidation: async (...args) => {
          const isGiven = await store.postponeValidation(...args);
          onPostponed?.();
          return isGiven;
        },
      },
      clock: now,
      random: Math.random,
      runValidation: work ?? makeRunValidation(deps),
      failValidation: makeFailValidation(deps),
      onError: (_, __, error) => errors.push(error),
      options: { name, concurrency: 2, leaseMs, pollMs: 50, attemptsMax: 3 },
    });
  const startValidation = makeStartValidation({
    ...deps,
    store: kept ?? store,
    policyVersion: policy.version,
    poke: () => undefined,
  });
  const getStatus = makeGetValidationStatus(store);
  return {
    deps,
    worker,
    errors,
    start: startValidationEndpoint({ startValidation, imageBytesMax: 5_000_000 }),
    status: validationStatusEndpoints({ getStatus })[0]!,
    data: validationDataEndpoints({ getValidation: makeGetValidation(getStatus, sealing) })[0]!,
  };
};

const text = (value: unknown, name: string): string => {
  const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return String(found);
};

const passportRequest = {
  country: "CHL",
  idType: "PASSPORT",
  documentFrontRawImage: jpeg.toString("base64"),
  merchantIdScanReference: "order-1",
};

const startOne = async ({ start }: { readonly start: Endpoint }): Promise<string> =>
  text(await start.handle(callOf(passportRequest)), "scanReference");

const ended = async (service: ReturnType<typeof openService>, scanReference: string): Promise<string> => {
  for (let tries = 0; tries < 400; tries++) {
    const status = text(await service.status.handle(callOf({ scanReference })), "status");
    if (status !== "PENDING") {
      return status;
    }
    await setTimeout(25);
  }
  return "PENDING";
};

const blobFiles = async () => (await readdir(folder, { recursive: true })).length;

describe("a document validation", () => {
  it("is PENDING and Submitted after start, DONE and decided after the worker has run", async () => {
    const service = openService();
    const scanReference = await startOne(service);
    expect(await service.data.handle(callOf({ scanReference }))).toMatchObject({
      status: "Success",
      verification: {
        code: 7002,
        status: "Submitted",
        reason: null,
        decisionTime: null,
        document: { type: "PASSPORT" },
      },
    });
    const worker = service.worker("w1");
    worker.start();
    expect(await ended(service, scanReference)).toBe("DONE");
    await worker.stop();
    expect(await service.data.handle(callOf({ scanReference }))).toMatchObject({
      status: "Success",
      verification: {
        scanReference,
        code: 9001,
        status: "Approved",
        reasonCode: null,
        merchantScanReference: "order-1",
        document: { type: "PASSPORT", country: "CHL", number: "F12345678", validUntil: "2035-01-01" },
        person: { firstName: "ANA MARIA", lastName: "SOLIS PRUEBA", dateOfBirth: "1990-01-01", gender: "F" },
      },
    });
    expect(service.errors).toEqual([]);
  });

  it.each([
    ["no Base64", { documentFrontRawImage: "%%%" }, "request_invalid"],
    ["no image", { documentFrontRawImage: Buffer.from("no image").toString("base64") }, "image_unsupported"],
    [
      "a truncated image",
      { documentFrontRawImage: jpeg.subarray(0, 2000).toString("base64") },
      "image_unreadable",
    ],
    ["another format than declared", { documentRawImageMimeType: "image/png" }, "image_unsupported"],
    ["a card without its back", { idType: "ID_CARD" }, "request_invalid"],
    ["an unknown country", { country: "XQX" }, "request_invalid"],
  ])("refuses %s and stores nothing", async (_, change, code) => {
    const service = openService();
    const before = await blobFiles();
    await expect(service.start.handle(callOf({ ...passportRequest, ...change }))).rejects.toMatchObject({
      code,
    });
    expect(await blobFiles()).toBe(before);
  });

  it("keeps its pictures when the store fails after its commit", async () => {
    // The commit's answer is lost, as when the connection to the database breaks at that moment.
    const service = openService({
      kept: {
        createValidation: async (...args) => {
          await store.createValidation(...args);
          throw new Error("the connection broke");
        },
      },
    });
    await expect(startOne(service)).rejects.toThrow("the connection broke");
    const now = new Date();
    const [job] = await store.leaseValidations({ worker: "w0", leaseMs: 30_000, limit: 1, now });
    const tried = await makeRunValidation(service.deps)(job!, new AbortController().signal);
    expect(tried).toMatchObject({ outcome: { status: "DONE" } });
  });

  it("is not found by another tenant, in the other world, or when it does not exist, with the same words", async () => {
    const service = openService();
    const scanReference = await startOne(service);
    const refusal = async (from: Caller, reference: string) =>
      service.data.handle(callOf({ scanReference: reference }, from)).then(
        () => "found",
        (error: unknown) =>
          error instanceof Failure ? JSON.stringify([error.code, error.message, error.facts]) : error,
      );
    const unknown = await refusal(caller, randomUUID());
    expect(unknown).toContain("not_found");
    expect(await refusal({ ...caller, tenantId: tenants[1]!.id }, scanReference)).toBe(unknown);
    expect(await refusal({ ...caller, world: "live" }, scanReference)).toBe(unknown);
  });

  it("is found by its reference in either case; what is no UUID is unknown without a question to the store", async () => {
    const service = openService();
    const scanReference = await startOne(service);
    expect(await service.status.handle(callOf({ scanReference: scanReference.toUpperCase() }))).toMatchObject(
      {
        scanReference,
      },
    );
    // A database that knows the type of the column refuses such a value as its caller's error.
    const typed = { findValidation: () => Promise.reject(new Error("invalid input syntax for type uuid")) };
    const getStatus = makeGetValidationStatus(typed);
    for (const reference of ["\u0000", "order-1", `${scanReference}0`]) {
      await expect(getStatus(caller, reference)).rejects.toMatchObject({ code: "not_found", facts: {} });
    }
  });
});

describe("the worker", () => {
  it("ends each of twenty validations once, also when a worker dies in the middle", async () => {
    const service = openService();
    const references = await Promise.all(Array.from({ length: 20 }, () => startOne(service)));
    // A worker that never comes back holds two leases, as after SIGKILL: nothing is renewed or finished.
    const leased = await store.leaseValidations({ worker: "dead", leaseMs: 300, limit: 2, now: new Date() });
    expect(leased.length).toBe(2);
    let runs = 0;
    const counting = openService({
      work: async () => {
        runs++;
        return { engineError: new Failure("image_unreadable") };
      },
    });
    const worker = counting.worker("w2");
    worker.start();
    for (const reference of references) {
      expect(await ended(counting, reference)).toBe("FAILED");
    }
    await worker.stop();
    expect(runs).toBe(20);
  });

  it("gives up after three attempts with FAILED and reason 648", async () => {
    let attempts = 0;
    const service = openService({
      work: async () => {
        attempts++;
        return { engineError: new Error("the engine broke") };
      },
    });
    const scanReference = await startOne(service);
    const worker = service.worker("w3", 200);
    worker.start();
    expect(await ended(service, scanReference)).toBe("FAILED");
    await worker.stop();
    expect(attempts).toBe(3);
    expect(await service.data.handle(callOf({ scanReference }))).toMatchObject({
      status: "Fail",
      verification: { code: 9103, reasonCode: 648 },
    });
  });

  it("outlives an outage of the storage, of which it counts no attempt", async () => {
    const scanReference = await startOne(openService());
    let [laterMs, tries] = [0, 0];
    const service = openService({
      now: () => new Date(Date.now() + laterMs),
      // The pause passes at once, however long it is.
      onPostponed: () => {
        laterMs += 400_000;
      },
      work: async (validation, signal) => {
        tries++;
        expect(validation.attempts).toBe(1);
        if (tries < 6) {
          throw new Error("the bucket does not answer");
        }
        return await makeRunValidation(service.deps)(validation, signal);
      },
    });
    const worker = service.worker("w6");
    worker.start();
    expect(await ended(service, scanReference)).toBe("DONE");
    await worker.stop();
    expect(tries).toBe(6);
  });

  it("ends a validation whose key was destroyed, without a record", async () => {
    const scanReference = await startOne(openService());
    await destroyTenantKeys(store, caller.tenantId, new Date());
    const service = openService();
    const worker = service.worker("w4", 200);
    worker.start();
    expect(await ended(service, scanReference)).toBe("FAILED");
    await worker.stop();
    await expect(service.data.handle(callOf({ scanReference }))).rejects.toMatchObject({ code: "not_found" });
    const keys = await store.findKeys(caller.tenantId);
    expect(keys.filter(({ destroyedAt }) => destroyedAt === undefined)).toStrictEqual([]);
  });

  it("waits for a busy engine without counting it as an attempt", async () => {
    let calls = 0;
    const service = openService({
      work: async () => {
        calls++;
        return { engineError: new Failure(calls < 6 ? "engine_busy" : "image_unreadable") };
      },
    });
    const scanReference = await startOne(service);
    const worker = service.worker("w4");
    worker.start();
    expect(await ended(service, scanReference)).toBe("FAILED");
    await worker.stop();
    expect(calls).toBe(6);
  });

  it("finishes what runs before it stops", async () => {
    let isDone = false;
    const service = openService({
      work: async () => {
        await setTimeout(150);
        isDone = true;
        return { engineError: new Failure("image_unreadable") };
      },
    });
    const scanReference = await startOne(service);
    const worker = service.worker("w5");
    worker.start();
    await setTimeout(80);
    await worker.stop();
    expect(isDone).toBe(true);
    expect(await ended(service, scanReference)).toBe("FAILED");
  });
});
