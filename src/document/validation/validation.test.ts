import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Call, Caller, Endpoint } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { Blobs } from "#storage/blobs";
import type { Store } from "#storage/store";
import { makeCases } from "../../cli/demo-cases.ts";
import { readPersons } from "../../cli/persons.ts";
import { makeInspectImage } from "../../imaging/inspect-image.ts";
import { ledger } from "../../inference/ledger.ts";
import { modelHashes } from "../../inference/model-files.ts";
import type { Pool } from "../../inference/pool.ts";
import { openUnrulyPool } from "../../inference/testing/unruly-pool.ts";
import type { UnrulyTasks } from "../../inference/testing/unruly-worker.ts";
import { makeDiskObjects } from "../../storage/disk-objects.ts";
import { destroyTenantKeys, type Masters, makeKeyring } from "../../storage/keyring.ts";
import { masterKeyOf } from "../../storage/master-key.ts";
import { makeBlobs } from "../../storage/sealed-blobs.ts";
import { openSqliteStore } from "../../storage/sqlite-store.ts";
import type { DocumentEngine } from "../engine.ts";
import type { HistoryQuestion, LookUpHistory } from "../history.ts";
import { startValidationEndpoint } from "../http/start-validation.endpoint.ts";
import { validationDataEndpoints } from "../http/validation-data.endpoint.ts";
import { validationStatusEndpoints } from "../http/validation-status.endpoint.ts";
import { defaultDocumentPolicy } from "../policy.ts";
import { makeCutPart } from "../signature.ts";
import { openReader } from "../testing/reader.ts";
import { collectFields } from "../testing/reading.ts";
import { makeGetValidation, makeGetValidationStatus } from "./find-validation.ts";
import { makeFailValidation } from "./outcome.ts";
import { makeRunValidation } from "./run-validation.ts";
import { makeSealing } from "./sealed.ts";
import { makeStartValidation } from "./start-validation.ts";
import { makeValidationWorker } from "./validation-worker.ts";

const reader = await openReader();
/** An artificial passport, valid for six years, photographed on a table. */
const passport = await (async () => {
  const cases = await makeCases(reader.imaging, await readPersons(), new Date());
  return Buffer.from(cases.find(({ name }) => name === "genuine")!.document);
})();
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

/** The product's own reading, in this thread. */
const engine: DocumentEngine = {
  inspect: (bytes) => makeInspectImage(reader.imaging)({ bytes }),
  cutPart: makeCutPart(reader.imaging),
  read: (pictures, hints) => reader.readDocument(pictures, hints),
  models: modelHashes(ledger),
};

/** That reading behind a pool's queue and thread, with which it succeeds or fails. */
const behind = (pool: Pool<UnrulyTasks>, task: "double" | "die"): DocumentEngine => ({
  ...engine,
  read: async (pictures, hints) => {
    await pool.run(task, { value: 1 });
    return await engine.read(pictures, hints);
  },
});

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
  readonly onPostponed?: () => Promise<void>;
  readonly using?: DocumentEngine;
  readonly kept?: Pick<Store, "createValidation">;
  readonly putting?: (put: Blobs["put"]) => Blobs["put"];
  readonly holding?: Masters;
  readonly lookUpHistory?: LookUpHistory;
};

/** Of an operator who blocks nobody, and keeps and searches nothing. */
const noHistory: LookUpHistory = async () => ({ history: {}, record: [] });

const openService = ({
  now = clock,
  onPostponed,
  using = engine,
  kept,
  putting = (put) => put,
  holding = masters,
  lookUpHistory = noHistory,
}: Service = {}) => {
  const keyring = makeKeyring({ store, masters: holding, now: () => new Date() });
  const blobs = makeBlobs(makeDiskObjects(folder), keyring);
  const sealing = makeSealing(keyring);
  const policy = defaultDocumentPolicy;
  const deps = {
    blobs,
    sealing,
    engine: using,
    collectFields,
    lookUpHistory,
    policy,
    clock,
    newId: randomUUID,
  };
  const errors: unknown[] = [];
  const worker = (name: string, leaseMs = 30_000) =>
    makeValidationWorker({
      store: {
        ...store,
        postponeValidation: async (...args) => {
          const isGiven = await store.postponeValidation(...args);
          await onPostponed?.();
          return isGiven;
        },
      },
      clock: now,
      random: Math.random,
      runValidation: makeRunValidation(deps),
      failValidation: makeFailValidation(deps),
      onError: (_, __, error) => errors.push(error),
      options: { name, concurrency: 2, leaseMs, pollMs: 50, attemptsMax: 3 },
    });
  const getStatus = makeGetValidationStatus(store);
  const startValidation = makeStartValidation({
    ...deps,
    blobs: { ...blobs, put: putting(blobs.put) },
    store: { ...store, ...kept },
    getStatus,
    poke: () => undefined,
  });
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
  documentFrontRawImage: passport.toString("base64"),
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

const blobPaths = async (): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.startsWith("idem.sqlite"))
    .map((entry) => join(entry.parentPath, entry.name));

const attemptsOf = async (id: string): Promise<number | undefined> =>
  (await store.findValidation(caller.tenantId, id))?.attempts;

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
        document: { type: "PASSPORT", country: "CHL", number: "F12345678" },
        person: {
          firstName: "FRANCO ANDRÉS",
          lastName: "MUÑOZ PRUEBA",
          dateOfBirth: "1980-03-14",
          gender: "M",
        },
      },
    });
    expect(service.errors).toEqual([]);
  });

  it.each([
    ["no Base64", { documentFrontRawImage: "%%%" }, "request_invalid"],
    ["no image", { documentFrontRawImage: Buffer.from("no image").toString("base64") }, "image_unsupported"],
    [
      "a truncated image",
      { documentFrontRawImage: passport.subarray(0, 2000).toString("base64") },
      "image_unreadable",
    ],
    ["another format than declared", { documentRawImageMimeType: "image/png" }, "image_unsupported"],
    ["a card without its back", { idType: "ID_CARD" }, "request_invalid"],
    ["an unknown country", { country: "XQX" }, "request_invalid"],
  ])("refuses %s and stores nothing", async (_, change, code) => {
    const service = openService();
    const before = await blobPaths();
    await expect(service.start.handle(callOf({ ...passportRequest, ...change }))).rejects.toMatchObject({
      code,
    });
    expect(await blobPaths()).toEqual(before);
  });

  it.each([1, 2])("keeps neither picture where storing the one of number %i fails", async (failing) => {
    let puts = 0;
    const service = openService({
      putting: (put) => async (tenantId, bytes) => {
        if (++puts === failing) throw new Error("the disk is full");
        return await put(tenantId, bytes);
      },
    });
    const request = { ...passportRequest, documentBackRawImage: passportRequest.documentFrontRawImage };
    await expect(service.start.handle(callOf(request))).rejects.toThrow("the disk is full");
    expect([puts, await blobPaths()]).toEqual([2, []]);
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
    const outcome = await makeRunValidation(service.deps)(job!, new AbortController().signal);
    expect(outcome).toMatchObject({ status: "DONE" });
  });

  it("waits for galleries that are being filled, asks with the number and the portrait, and keeps the claim of an approval", async () => {
    const asked: HistoryQuestion[] = [];
    const service = openService({
      lookUpHistory: async (question) => {
        asked.push(question);
        if (asked.length === 1) throw new Failure("search_unavailable");
        return {
          history: { blockedFace: "none", numberOfAnother: false },
          record: [],
          claim: { number: "n1", customer: "c1", seen: [] },
        };
      },
      // A postponement lasts two seconds at least.
      now: () => new Date(Date.now() + 5_000 * asked.length),
    });
    const worker = service.worker("w1");
    worker.start();
    const scanReference = await startOne(service);
    expect(await ended(service, scanReference)).toBe("DONE");
    await worker.stop();
    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatchObject({
      owner: { tenantId: caller.tenantId, world: "test" },
      customer: "order-1",
      number: ["CHL", expect.any(String)],
      portrait: expect.any(Uint8Array),
    });
    expect(await store.findClaims(caller.tenantId, "n1")).toStrictEqual(["c1"]);
    expect(await attemptsOf(scanReference)).toBe(1);
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
  it("ends each of four validations once, also when a worker dies in the middle", async () => {
    let reads = 0;
    const counting: DocumentEngine = {
      ...engine,
      read: (...of) => {
        reads++;
        return engine.read(...of);
      },
    };
    const service = openService({ using: counting });
    const references = await Promise.all(Array.from({ length: 4 }, () => startOne(service)));
    // A worker that never comes back holds two leases, as after SIGKILL: nothing is renewed or finished.
    const leased = await store.leaseValidations({ worker: "dead", leaseMs: 300, limit: 2, now: new Date() });
    expect(leased.length).toBe(2);
    const worker = service.worker("w2");
    worker.start();
    for (const reference of references) {
      expect(await ended(service, reference)).toBe("DONE");
    }
    await worker.stop();
    expect(reads).toBe(4);
    expect(service.errors).toEqual([]);
  });

  it("gives up after three attempts with FAILED and reason 648", async () => {
    const pool = await openUnrulyPool();
    const service = openService({ using: behind(pool, "die") });
    const scanReference = await startOne(service);
    const worker = service.worker("w3", 200);
    worker.start();
    expect(await ended(service, scanReference)).toBe("FAILED");
    await worker.stop();
    expect(pool.readings().died).toBe(3);
    await pool.close();
    expect(await service.data.handle(callOf({ scanReference }))).toMatchObject({
      status: "Fail",
      verification: { code: 9103, reasonCode: 648 },
    });
  });

  it("outlives an outage of the storage, of which it counts no attempt", async () => {
    let [laterMs, outages] = [0, 0];
    const scanReference = await startOne(openService());
    const [path = ""] = await blobPaths();
    // Reading a directory fails as a disk does, and not as a file that is missing.
    await rename(path, `${path}.away`);
    await mkdir(path);
    const service = openService({
      now: () => new Date(Date.now() + laterMs),
      onPostponed: async () => {
        // The pause passes at once, however long it is.
        laterMs += 400_000;
        outages++;
        if (outages === 5) {
          await rmdir(path);
          await rename(`${path}.away`, path);
        }
      },
    });
    const worker = service.worker("w6");
    worker.start();
    expect(await ended(service, scanReference)).toBe("DONE");
    await worker.stop();
    expect([outages, await attemptsOf(scanReference)]).toEqual([5, 1]);
  });

  it.each([
    ["lost", async (path: string) => rm(path)],
    [
      "damaged",
      async (path: string) => {
        const sealed = await readFile(path);
        await writeFile(path, sealed.with(sealed.length - 1, sealed.at(-1)! ^ 1));
      },
    ],
    ["cut off", async (path: string) => writeFile(path, (await readFile(path)).subarray(0, 20))],
  ])("ends a validation whose picture is %s with FAILED and reason 648", async (_, spoil) => {
    const service = openService();
    const scanReference = await startOne(service);
    const [path = ""] = await blobPaths();
    await spoil(path);
    const worker = service.worker("w7", 200);
    worker.start();
    expect(await ended(service, scanReference)).toBe("FAILED");
    await worker.stop();
    expect(service.errors).toHaveLength(3);
    expect(await service.data.handle(callOf({ scanReference }))).toMatchObject({
      status: "Fail",
      verification: { code: 9103, reasonCode: 648 },
    });
  });

  it("ends a validation on which our own code fails every time with FAILED and reason 648", async () => {
    const broken: DocumentEngine = {
      ...engine,
      read: async (...of) =>
        new Proxy(await engine.read(...of), {
          get: (reading, name) => (name === "then" ? undefined : Reflect.get(reading, `${String(name)}?`)),
        }),
    };
    const service = openService({ using: broken });
    const scanReference = await startOne(service);
    const worker = service.worker("w9", 1000);
    worker.start();
    expect(await ended(service, scanReference)).toBe("FAILED");
    await worker.stop();
    expect(service.errors).toHaveLength(3);
    expect(service.errors[0]).toBeInstanceOf(TypeError);
    expect(await service.data.handle(callOf({ scanReference }))).toMatchObject({
      verification: { code: 9103, reasonCode: 648 },
    });
  });

  it("ends a validation whose record the store refuses every time, without a record", async () => {
    const service = openService();
    const scanReference = await startOne(service);
    const beside = new Database(join(folder, "idem.sqlite"));
    beside.exec(`create trigger refuse before update of status on validations when new.sealed_record is not null
      begin select raise(abort, 'refused'); end`);
    beside.close();
    const worker = service.worker("w10", 5000);
    worker.start();
    expect(await ended(service, scanReference)).toBe("FAILED");
    await worker.stop();
    expect(await attemptsOf(scanReference)).toBe(3);
  });

  it("waits for a master key that was not given, of which it counts no attempt", async () => {
    const scanReference = await startOne(openService());
    const postponed = Promise.withResolvers<void>();
    const other = [masterKeyOf(randomBytes(32))] as const;
    const service = openService({ holding: other, onPostponed: async () => postponed.resolve() });
    const worker = service.worker("w11");
    worker.start();
    await postponed.promise;
    await worker.stop();
    expect(await attemptsOf(scanReference)).toBe(0);
    expect(service.errors).toMatchObject([{ cause: { name: "MasterKeyMissing" } }]);
  });

  it("ends a validation whose own row is damaged, without a record", async () => {
    const service = openService();
    const scanReference = await startOne(service);
    const beside = new Database(join(folder, "idem.sqlite"));
    beside.prepare("update validations set sealed_input = zeroblob(90) where id = ?").run(scanReference);
    beside.close();
    const worker = service.worker("w8", 200);
    worker.start();
    expect(await ended(service, scanReference)).toBe("FAILED");
    await worker.stop();
    await expect(service.data.handle(callOf({ scanReference }))).rejects.toMatchObject({
      code: "stored_damaged",
    });
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
    const pool = await openUnrulyPool();
    const service = openService({ using: behind(pool, "double") });
    const scanReference = await startOne(service);
    const others = [1, 2].map(() => pool.run("sleep", { ms: 500 }));
    const worker = service.worker("w4");
    worker.start();
    expect(await ended(service, scanReference)).toBe("DONE");
    await worker.stop();
    await Promise.all(others);
    expect(pool.readings().refused).toBeGreaterThan(1);
    expect(await attemptsOf(scanReference)).toBe(1);
    await pool.close();
  });

  it("finishes what runs before it stops", async () => {
    const service = openService();
    const scanReference = await startOne(service);
    const worker = service.worker("w5");
    worker.start();
    await expect.poll(() => attemptsOf(scanReference), { interval: 1 }).toBe(1);
    const stopped = worker.stop();
    expect(await service.status.handle(callOf({ scanReference }))).toMatchObject({ status: "PENDING" });
    await stopped;
    expect(await service.status.handle(callOf({ scanReference }))).toMatchObject({ status: "DONE" });
  });
});
