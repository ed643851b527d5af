import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeRecordingStore, type RecordingStore } from "#app/recording-store";
import type { Call, Caller, Endpoint } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { Blobs } from "#machine/storage/blobs";
import { makeDiskObjects } from "#machine/storage/disk-objects";
import type { Objects } from "#machine/storage/objects";
import { onDisk } from "#machine/storage/outage";
import { makeBlobs } from "#machine/storage/sealed-blobs";
import type { Pool } from "#machine/threads/pool";
import { makeLeaseLoop } from "#record/jobs/lease-loop";
import { makeRunLock } from "#record/jobs/run-lock";
import { openStoreHere } from "#support/app/store-here";
import { aLease } from "#support/document/a-lease";
import { collectFields } from "#support/document/reading";
import { openEngine } from "#support/document/validations";
import { openOperations } from "#support/operations/open-operations";
import { openUnrulyPool } from "#support/threads/unruly-pool";
import type { UnrulyTasks } from "#support/threads/unruly-worker";
import { destroyTenantKeys, type Masters, makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { decideDocument } from "../decision/decide.ts";
import type { HistoryQuestion, LookUpHistory } from "../decision/history/history.ts";
import { defaultDocumentPolicy } from "../decision/policy.ts";
import { startValidationEndpoint } from "../http/start-validation.endpoint.ts";
import { validationDataEndpoints } from "../http/validation-data.endpoint.ts";
import { validationStatusEndpoints } from "../http/validation-status.endpoint.ts";
import { makeDescribeValidation } from "../http/wire-record.ts";
import type { DocumentEngine } from "../reading/engine.ts";
import { getValidationStatus } from "./find-validation.ts";
import { makeFailValidation } from "./outcome.ts";
import { makeRunValidation } from "./run-validation.ts";
import { makeSealing } from "./sealed.ts";
import { makeStartValidation } from "./start-validation.ts";
import { makeTrackValidation } from "./track-validation.ts";
import { makeValidationJobs } from "./validation-jobs.ts";

/** The product's document engine, in this thread. */
const { engine, imageOf } = await openEngine();
/** An artificial passport, valid for six years, photographed on a table. */
const passport = Buffer.from(imageOf("genuine"), "base64");
const masters = [masterKeyOf(randomBytes(32))] as const;
let folder: string;
let store: RecordingStore;

const tenants = ["a", "b"].map((name) => ({ id: randomUUID(), name, createdAt: new Date() }));
const caller: Caller = { tenantId: tenants[0]!.id, keyId: randomUUID(), environment: "test" };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-document-"));
  const sealedStore = await openStoreHere({ path: join(folder, "idem.sqlite") });
  store = makeRecordingStore(sealedStore, makeKeyring({ store: sealedStore, masters, now: clock }));
  for (const tenant of tenants) {
    await store.createTenant(tenant);
  }
});

afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** The engine after a task of a thread pool. It succeeds or fails with that task. */
const afterTask = (pool: Pool<UnrulyTasks>, task: "double" | "die"): DocumentEngine => ({
  ...engine,
  read: async (images, hints) => {
    await pool.run(task, { value: 1 });
    return await engine.read(images, hints);
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
  readonly onRetry?: () => Promise<void>;
  readonly using?: DocumentEngine;
  readonly storeChange?: Pick<RecordingStore, "createValidation">;
  readonly changePut?: (put: Blobs["put"]) => Blobs["put"];
  readonly masterKeys?: Masters;
  readonly objects?: Objects;
  readonly lookUpHistory?: LookUpHistory;
};

/** History checks of an operator without block list, claims and search. */
const noHistory: LookUpHistory = async () => ({ history: {}, record: [] });

const openService = ({
  now = clock,
  onRetry,
  using = engine,
  storeChange,
  changePut = (put) => put,
  masterKeys = masters,
  objects = makeDiskObjects(folder),
  lookUpHistory = noHistory,
}: Service = {}) => {
  const keyring = makeKeyring({ store, masters: masterKeys, now: () => new Date() });
  const blobs = makeBlobs(objects, keyring, store);
  const sealing = makeSealing(keyring);
  const policy = defaultDocumentPolicy;
  const { tracking } = openOperations({ keyring, blobs, file: join(folder, "idem.sqlite") });
  const { trackCall, trackDecision } = tracking;
  const deps = {
    blobs,
    sealing,
    trackCall,
    trackValidation: makeTrackValidation(trackDecision, makeDescribeValidation("extended")),
    engine: using,
    decide: decideDocument,
    collectFields,
    lookUpHistory,
    policy,
    clock,
    newId: randomUUID,
  };
  const errors: unknown[] = [];
  const loop = (holder: string, leaseMs = 30_000) =>
    makeLeaseLoop({
      jobs: makeValidationJobs({
        store: {
          ...store,
          retryValidation: async (...args) => {
            const isHeld = await store.retryValidation(...args);
            await onRetry?.();
            return isHeld;
          },
        },
        holder,
        runValidation: makeRunValidation(deps),
        failValidation: makeFailValidation(deps),
        clock: now,
      }),
      clock: now,
      random: Math.random,
      lock: makeRunLock(),
      onError: (_, __, error) => errors.push(error),
      options: { concurrency: 2, leaseMs, pollMs: 50, attemptsMax: 3, deathsMax: 3 },
    });
  const startValidation = makeStartValidation({
    ...deps,
    blobs: { ...blobs, put: changePut(blobs.put) },
    store: { ...store, ...storeChange },
    wake: () => undefined,
  });
  return {
    deps,
    loop,
    errors,
    start: startValidationEndpoint({ startValidation, imageBytesMax: 5_000_000 }),
    status: validationStatusEndpoints({ store })[0]!,
    data: validationDataEndpoints({ store, sealing }, "extended")[0]!,
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
  for (;;) {
    const status = text(await service.status.handle(callOf({ scanReference })), "status");
    if (status !== "PENDING") return status;
    await setTimeout(25);
  }
};

const blobPaths = async (): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.startsWith("idem.sqlite"))
    .map((entry) => join(entry.parentPath, entry.name));

const attemptsOf = async (id: string): Promise<number | undefined> =>
  (await store.findValidation(caller.tenantId, id))?.attempts;

describe("a document validation", () => {
  it("is PENDING and Submitted after start, and DONE with a decision after its job has run", async () => {
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
    const loop = service.loop("w1");
    loop.start();
    expect(await ended(service, scanReference)).toBe("DONE");
    await loop.stop();
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

  it("names the image and both formats where the declared format is another one", async () => {
    const request = { ...passportRequest, documentRawImageMimeType: "image/png" };
    await expect(openService().start.handle(callOf(request))).rejects.toMatchObject({
      facts: {
        field: "documentFrontRawImage",
        sent: "jpeg",
        stated: "png",
        errors: ["documentRawImageMimeType: states png, and the image is jpeg"],
      },
    });
  });

  it.each([1, 2])("keeps no image if the store of image %i fails", async (failing) => {
    let puts = 0;
    const service = openService({
      changePut: (put) => async (tenantId, bytes) => {
        if (++puts === failing) throw new Error("the disk is full");
        return await put(tenantId, bytes);
      },
    });
    const request = { ...passportRequest, documentBackRawImage: passportRequest.documentFrontRawImage };
    await expect(service.start.handle(callOf(request))).rejects.toThrow("the disk is full");
    expect([puts, await blobPaths()]).toEqual([2, []]);
  });

  it("keeps its images when the store fails after its commit", async () => {
    // The answer of the commit is lost, as when the connection to the database breaks.
    const service = openService({
      storeChange: {
        createValidation: async (...args) => {
          await store.createValidation(...args);
          throw new Error("the connection broke");
        },
      },
    });
    await expect(startOne(service)).rejects.toThrow("the connection broke");
    const now = new Date();
    const { jobs } = await store.leaseValidations(aLease("w0", now, { limit: 1 }));
    const outcome = await makeRunValidation(service.deps)(jobs[0]!, new AbortController().signal);
    expect(outcome).toMatchObject({ status: "DONE" });
  });

  it("waits until the galleries are loaded, searches with number and portrait, and keeps the claim of an approval", async () => {
    const asked: HistoryQuestion[] = [];
    const service = openService({
      lookUpHistory: async (question) => {
        asked.push(question);
        if (asked.length === 1) throw new Failure("search_unavailable");
        return {
          history: { blockedFace: "none", numberOfAnother: false },
          record: [],
          claim: { numberHash: "n1", customerHash: "c1", seen: [] },
        };
      },
      // An uncounted retry waits two seconds at least.
      now: () => new Date(Date.now() + 5_000 * asked.length),
    });
    const loop = service.loop("w1");
    loop.start();
    const scanReference = await startOne(service);
    expect(await ended(service, scanReference)).toBe("DONE");
    await loop.stop();
    expect(asked).toHaveLength(2);
    expect(asked[1]).toMatchObject({
      owner: { tenantId: caller.tenantId, environment: "test" },
      customer: "order-1",
      number: ["CHL", expect.any(String)],
      portrait: expect.any(Uint8Array),
    });
    expect(await store.findClaims(caller.tenantId, "n1")).toStrictEqual(["c1"]);
    expect(await attemptsOf(scanReference)).toBe(1);
  });

  it("is not found by another tenant or in the other environment, with the same error as if it did not exist", async () => {
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
    expect(await refusal({ ...caller, environment: "live" }, scanReference)).toBe(unknown);
  });

  it("is found by its reference in upper or lower case; without a store query if the reference is no UUID", async () => {
    const service = openService();
    const scanReference = await startOne(service);
    expect(await service.status.handle(callOf({ scanReference: scanReference.toUpperCase() }))).toMatchObject(
      {
        scanReference,
      },
    );
    // A database with a UUID column refuses such a value with an error.
    const typed = { findValidation: () => Promise.reject(new Error("invalid input syntax for type uuid")) };
    for (const reference of ["\u0000", "order-1", `${scanReference}0`]) {
      await expect(getValidationStatus({ store: typed }, caller, reference)).rejects.toMatchObject({
        code: "not_found",
        facts: {},
      });
    }
  });
});

describe("the job of a validation", () => {
  it("ends each of four validations once, also when a lease holder dies", async () => {
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
    // A dead lease holder has two leases, as after SIGKILL. It renews and finishes nothing.
    const dead = await store.leaseValidations(aLease("dead", new Date(), { leaseMs: 300, limit: 2 }));
    expect(dead.jobs.length).toBe(2);
    // A third of its lease after its start it takes them over.
    const loop = service.loop("w2", 6_000);
    loop.start();
    for (const reference of references) {
      expect(await ended(service, reference)).toBe("DONE");
    }
    await loop.stop();
    expect(reads).toBe(4);
    expect(service.errors).toEqual([]);
  });

  it("ends with FAILED after three deaths of a process that ran it alone, and the log and the record say so", async () => {
    const service = openService();
    const scanReference = await startOne(service);
    for (const [death, isAlone] of [false, true, true, true].entries()) {
      const change = { leaseMs: 1, isAlone, now: new Date(Date.now() + 1000 * death) };
      const { jobs } = await store.leaseValidations(aLease(`dead ${death}`, new Date(), change));
      expect(jobs).toHaveLength(1);
    }
    const another = openService({ now: () => new Date(Date.now() + 5_000) });
    const loop = another.loop("w12", 3_000);
    loop.start();
    expect(await ended(another, scanReference)).toBe("FAILED");
    await loop.stop();
    expect(another.errors).toMatchObject([{ message: expect.stringContaining("3 deaths") }]);
    expect(await another.data.handle(callOf({ scanReference }))).toMatchObject({
      status: "Fail",
      verification: { code: 9103, reasonCode: 648 },
    });
    const transactions = await store.listTransactions(caller.tenantId, new Date(0));
    expect(transactions.find(({ endpoint }) => endpoint === "documentValidation")).toMatchObject({
      measurements: { attempts: 1, loneDeaths: 3 },
    });
  });

  it("gives up after three attempts with FAILED and reason 648", async () => {
    const pool = await openUnrulyPool();
    const service = openService({ using: afterTask(pool, "die") });
    const scanReference = await startOne(service);
    const loop = service.loop("w3", 200);
    loop.start();
    expect(await ended(service, scanReference)).toBe("FAILED");
    await loop.stop();
    expect(pool.readings().died).toBe(3);
    await pool.close();
    expect(await service.data.handle(callOf({ scanReference }))).toMatchObject({
      status: "Fail",
      verification: { code: 9103, reasonCode: 648 },
    });
  });

  it("survives an outage of the storage, and counts no attempt", async () => {
    let [laterMs, outages] = [0, 0];
    const scanReference = await startOne(openService());
    const disk = makeDiskObjects(folder);
    // As a disk that answers no read: of one file alone the service would call it damaged.
    const broken = (): Promise<never> =>
      onDisk(async () => {
        throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });
      });
    const service = openService({
      objects: {
        ...disk,
        read: (name) => (outages < 5 ? broken() : disk.read(name)),
        list: async function* () {
          if (outages < 5) await broken();
          yield* disk.list();
        },
      },
      now: () => new Date(Date.now() + laterMs),
      onRetry: async () => {
        // Skip the pause.
        laterMs += 400_000;
        outages++;
      },
    });
    const loop = service.loop("w6");
    loop.start();
    expect(await ended(service, scanReference)).toBe("DONE");
    await loop.stop();
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
  ])("ends with FAILED and reason 648 if an image is %s", async (_, damage) => {
    const service = openService();
    const scanReference = await startOne(service);
    const [path = ""] = await blobPaths();
    await damage(path);
    const loop = service.loop("w7", 200);
    loop.start();
    expect(await ended(service, scanReference)).toBe("FAILED");
    await loop.stop();
    expect(service.errors).toHaveLength(3);
    expect(await service.data.handle(callOf({ scanReference }))).toMatchObject({
      status: "Fail",
      verification: { code: 9103, reasonCode: 648 },
    });
  });

  it("ends with FAILED and reason 648 if our own code fails at every attempt", async () => {
    const broken: DocumentEngine = {
      ...engine,
      read: async (...of) =>
        new Proxy(await engine.read(...of), {
          get: (reading, name) => (name === "then" ? undefined : Reflect.get(reading, `${String(name)}?`)),
        }),
    };
    const service = openService({ using: broken });
    const scanReference = await startOne(service);
    const loop = service.loop("w9", 1000);
    loop.start();
    expect(await ended(service, scanReference)).toBe("FAILED");
    await loop.stop();
    expect(service.errors).toHaveLength(3);
    expect(service.errors[0]).toBeInstanceOf(TypeError);
    expect(await service.data.handle(callOf({ scanReference }))).toMatchObject({
      verification: { code: 9103, reasonCode: 648 },
    });
  });

  it("ends without a record if the store refuses the record at every attempt", async () => {
    const service = openService();
    const scanReference = await startOne(service);
    const other = new Database(join(folder, "idem.sqlite"));
    other.exec(`create trigger refuse before update of status on validations when new.sealed_record is not null
      begin select raise(abort, 'refused'); end`);
    other.close();
    const loop = service.loop("w10", 5000);
    loop.start();
    expect(await ended(service, scanReference)).toBe("FAILED");
    await loop.stop();
    expect(await attemptsOf(scanReference)).toBe(3);
  });

  it("waits for a missing master key, and counts no attempt", async () => {
    const scanReference = await startOne(openService());
    const retried = Promise.withResolvers<void>();
    const otherKeys = [masterKeyOf(randomBytes(32))] as const;
    const service = openService({ masterKeys: otherKeys, onRetry: async () => retried.resolve() });
    const loop = service.loop("w11");
    loop.start();
    await retried.promise;
    await loop.stop();
    expect(await attemptsOf(scanReference)).toBe(0);
    expect(service.errors).toMatchObject([{ cause: { name: "MasterKeyMissing" } }]);
  });

  it("ends without a record if its row is damaged", async () => {
    const service = openService();
    const scanReference = await startOne(service);
    const other = new Database(join(folder, "idem.sqlite"));
    other.prepare("update validations set sealed_input = zeroblob(90) where id = ?").run(scanReference);
    other.close();
    const loop = service.loop("w8", 200);
    loop.start();
    expect(await ended(service, scanReference)).toBe("FAILED");
    await loop.stop();
    await expect(service.data.handle(callOf({ scanReference }))).rejects.toMatchObject({
      code: "stored_damaged",
    });
  });

  it("ends without a record if its key was destroyed", async () => {
    const scanReference = await startOne(openService());
    await destroyTenantKeys(store, caller.tenantId, new Date());
    const service = openService();
    const loop = service.loop("w4", 200);
    loop.start();
    expect(await ended(service, scanReference)).toBe("FAILED");
    await loop.stop();
    await expect(service.data.handle(callOf({ scanReference }))).rejects.toMatchObject({ code: "not_found" });
    const keys = await store.findKeys(caller.tenantId);
    expect(keys.filter(({ destroyedAt }) => destroyedAt === undefined)).toStrictEqual([]);
  });

  it("waits while the engine is busy, and counts no attempt", async () => {
    const pool = await openUnrulyPool();
    const service = openService({ using: afterTask(pool, "double") });
    const scanReference = await startOne(service);
    const others = [1, 2].map(() => pool.run("sleep", { ms: 1500 }));
    const loop = service.loop("w4");
    loop.start();
    expect(await ended(service, scanReference)).toBe("DONE");
    await loop.stop();
    await Promise.all(others);
    expect(pool.readings().refused).toBeGreaterThan(1);
    expect(await attemptsOf(scanReference)).toBe(1);
    await pool.close();
  });

  it("ends before the loop stops", async () => {
    const gate = Promise.withResolvers<void>();
    const read: DocumentEngine["read"] = async (...of) => {
      await gate.promise;
      return await engine.read(...of);
    };
    const service = openService({ using: { ...engine, read } });
    const scanReference = await startOne(service);
    const loop = service.loop("w5");
    loop.start();
    await expect.poll(() => attemptsOf(scanReference), { interval: 1 }).toBe(1);
    const stopped = loop.stop();
    expect(await service.status.handle(callOf({ scanReference }))).toMatchObject({ status: "PENDING" });
    gate.resolve();
    await stopped;
    expect(await service.status.handle(callOf({ scanReference }))).toMatchObject({ status: "DONE" });
  });
});
