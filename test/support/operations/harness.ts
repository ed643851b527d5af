import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { makeRecordingStore } from "#app/recording-store";
import { retentionOf } from "#app/retention";
import { eraseTenant } from "#app/storage";
import { makePurges } from "#app/tidying";
import { openOperations, openTracking } from "#app/tracking";
import { defaultCapturePolicy } from "#features/capture/policy";
import { makeEvaluateLiveness } from "#judging/face/evaluate-liveness";
import { evaluatePassiveLivenessEndpoint } from "#judging/face/http/evaluate-passive-liveness.endpoint";
import { identityEndpoint } from "#judging/face/http/identity.endpoint";
import { defaultFacePolicy } from "#judging/face/policy";
import type { FaceService } from "#judging/face/service";
import { makeVerifyIdentity } from "#judging/face/verify-identity";
import { readConfig } from "#machine/config/config";
import { makeDiskObjects } from "#machine/storage/disk-objects";
import { makeBlobs } from "#machine/storage/sealed-blobs";
import { makeHashAuthentication } from "#record/transactions/authentication-hash";
import { makeRecordCall } from "#record/transactions/record-call";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import type { Tenant } from "#trust/tenants/store/tenant";
import { openStoreHere } from "../app/store-here.ts";
import { recordedFaceEngine } from "../face/recorded-face-engine.ts";
import { startServer } from "../http/harness.ts";
import { openTokens, tokenAgeMs } from "../tokens/open-tokens.ts";

/** Tests of calls have bytes that are no image. */
const asSent = { keepPixels: async (bytes: Uint8Array) => bytes };

const dayMs = 86_400_000;
const imageBytesMax = 8_000_000;

/** Settings of operations: the defaults. */
const operations = {
  expiresAfterMs: dayMs,
  keptMs: 90 * dayMs,
  imagesKeptMs: 30 * dayMs,
  vendor: "idem",
  assetLinkMs: 900_000,
};

const makeFaces = (
  service: Pick<FaceService, "store" | "recordCall" | "openToken" | "hashAuthentication">,
) => {
  const { measure } = recordedFaceEngine();
  const faces: FaceService = {
    ...service,
    engine: { measure },
    policy: defaultFacePolicy,
    bestImages: { uses: "operation", ageMs: tokenAgeMs },
    onError: (note, error) => {
      throw new Error(note, { cause: error });
    },
  };
  return [
    identityEndpoint(makeVerifyIdentity(faces), imageBytesMax),
    evaluatePassiveLivenessEndpoint(makeEvaluateLiveness(faces), imageBytesMax),
  ];
};

/** Rows of a file, as a thief of the disk would read them. */
const makeQuery =
  (file: string) =>
  (statement: string): readonly Record<string, unknown>[] => {
    const sqlite = new Database(file, { readonly: true });
    try {
      return sqlite.prepare<[], Record<string, unknown>>(statement).all();
    } finally {
      sqlite.close();
    }
  };

/**
 * Changes rows of a file past the service, as the owner of the disk could: the triggers that refuse it are
 * lifted.
 */
const makeChange =
  (file: string) =>
  (statement: string): void => {
    const sqlite = new Database(file);
    try {
      sqlite.pragma("foreign_keys = OFF");
      for (const name of ["evidence_no_update", "evidence_no_delete", "evidence_bodies_no_update"])
        sqlite.exec(`drop trigger if exists ${name}`);
      sqlite.exec(statement);
    } finally {
      sqlite.close();
    }
  };

/** Store, keys and images in a folder, with the times of a clock that tests set ahead. */
const openParts = async (folder: string, now: () => Date) => {
  const file = join(folder, "idem.sqlite");
  const sealedStore = await openStoreHere({ path: file });
  const keyring = makeKeyring({ store: sealedStore, masters: [masterKeyOf(randomBytes(32))], now });
  const objects = makeDiskObjects(join(folder, "blobs"));
  const storage = {
    store: makeRecordingStore(sealedStore, keyring),
    keyring,
    blobs: makeBlobs(objects, keyring, sealedStore),
  };
  return { sealedStore, storage, objects, query: makeQuery(file), change: makeChange(file) };
};

const makeNewTenant =
  (store: { readonly createTenant: (tenant: Tenant) => Promise<Tenant> }, now: () => Date) =>
  async (): Promise<string> => {
    const id = randomUUID();
    await store.createTenant({ id, name: id, createdAt: now() });
    return id;
  };

/** Operations and faces behind a whole server, on a real store, with recorded measurements. */
export const openOperationHarness = async (change: Partial<typeof operations> = {}) => {
  const folder = await mkdtemp(join(tmpdir(), "idem-operations-"));
  const clock = { aheadMs: 0 };
  const now = (): Date => new Date(Date.now() + clock.aheadMs);
  const { sealedStore, storage, objects, query, change: changeRows } = await openParts(folder, now);
  const { store, keyring } = storage;
  const { openToken, seal } = await openTokens();
  const config = { operations: { ...operations, ...change } };
  const tracking = openTracking(config, storage, () => "https://idem.example", asSent);
  const recordCall = makeRecordCall(store, tracking.trackCall);
  const hashAuthentication = makeHashAuthentication(keyring);
  const reports: unknown[] = [];
  const report = (_component: string, _note: string, error: unknown): void => void reports.push(error);
  const module = openOperations({
    config,
    storage,
    engine: asSent,
    openToken,
    recordCall,
    ...tracking,
    clock: now,
    report,
  });
  const { endpoints = [], readAsset } = module;
  const harness = startServer({
    endpoints: [...makeFaces({ store, recordCall, openToken, hashAuthentication }), ...endpoints],
    ...(readAsset && { readAsset }),
    clock: now,
  });
  const newTenant = makeNewTenant(store, now);
  const close = async (): Promise<void> => {
    await harness.server.app.close();
    await store.close();
    await rm(folder, { recursive: true });
  };
  const erase = (tenantId: string) => eraseTenant(sealedStore, tenantId);
  const kept = retentionOf(
    { ...readConfig({}), operations: config.operations },
    { velocityHours: 24, capture: defaultCapturePolicy },
  );
  const own = {
    module,
    purges: makePurges({ store: sealedStore, kept, clock: now }),
    store,
    keepPixels: asSent.keepPixels,
    recordCall,
    objects,
    keyring,
    clock,
    now,
    seal,
    reports,
  };
  return { ...harness, ...own, folder, blobs: storage.blobs, erase, newTenant, query, changeRows, close };
};

export type OperationHarness = Awaited<ReturnType<typeof openOperationHarness>>;

/** A caller with a key of one tenant, through the server without a socket. */
export const makeCaller = (
  { server, makeKey }: OperationHarness,
  tenantId: string,
  environment: "live" | "test" = "test",
) => {
  const key = makeKey({ tenantId, environment });
  return async (method: "GET" | "POST", url: string, payload?: object) => {
    const answer = await server.app.inject({
      method,
      url,
      headers: { "x-api-key": key },
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, text: answer.body, body: answer.json() };
  };
};
