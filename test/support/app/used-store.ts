/**
 * A data directory that was really used: by the use cases of the service, over its own storage. No network is
 * loaded.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { headFileOf } from "#app/evidence";
import { openRights } from "#app/rights";
import { openPlaces, openStorage, openTokenKeys, type ReadyConfig, type Storage } from "#app/storage";
import type { Store } from "#app/store";
import { openTracking } from "#app/tracking";
import type { Caller } from "#contract/endpoint";
import { makeTemplateVault } from "#features/users/template-vault";
import { makeSealing } from "#judging/document/validation/sealed";
import { type Config, readConfig } from "#machine/config/config";
import { makeAnswerOnce } from "#record/idempotency/answer-once";
import { appendHeads } from "#record/transactions/head-file";
import { makeRecordCall, type RecordedCall, transactionOf } from "#record/transactions/record-call";
import { openCaptureHarness, openPageOf } from "../capture/harness.ts";
import { aTemplate, useRights } from "./used-rights.ts";

/**
 * The settings of a directory, with a master key of its own; with a database: the store is there, and must be
 * migrated.
 */
export const configOf = (directory: string, masterKey: Uint8Array, databaseUrl?: string): ReadyConfig => {
  const config: Config = readConfig({
    IDEM_DATA: directory,
    IDEM_MASTER_KEY: Buffer.from(masterKey).toString("base64"),
    ...(databaseUrl !== undefined && { IDEM_DATABASE_URL: databaseUrl }),
  });
  return { ...config, masterKey };
};

const now = (): Date => new Date();

/** What a tenant of a used store does in each round. */
export type Work = "calls" | "documents" | "faces" | "rights";

/** How a store is used: by default by two tenants that do all of it, with capture sessions. */
export type Use = {
  readonly tenants?: readonly string[];
  readonly works?: readonly Work[];
  readonly captures?: boolean;
  /** What stands between the service and its store. */
  readonly through?: (store: Store) => Store;
  /** Comes at the end, while the store is open: what else is done with its tenants. */
  readonly after?: (storage: Storage, tenantIds: readonly string[]) => Promise<void>;
};

const allWorks: readonly Work[] = ["rights", "calls", "documents", "faces"];

/** Uses a store for some tenants, and closes it. `rounds`: how often each tenant calls. */
export const useStore = async (
  config: ReadyConfig,
  rounds: number,
  {
    tenants = ["bank", "pension fund"],
    works = allWorks,
    captures = true,
    through = (store) => store,
    after,
  }: Use = {},
): Promise<void> => {
  const opened = await openPlaces(config);
  const places = { ...opened, store: through(opened.store) };
  await openRights(places.store, config, now());
  const storage = openStorage(places, config);
  try {
    await openTokenKeys(storage.sealedStore, config).loadOrCreate(now());
    const tenantIds: string[] = [];
    for (const name of tenants) {
      const { id: tenantId } = await storage.store.createTenant({ id: randomUUID(), name, createdAt: now() });
      tenantIds.push(tenantId);
      for (let round = 0; round < rounds; round++) {
        for (const work of works) await workOf[work](config, storage, tenantId);
      }
    }
    if (captures) await capture(storage);
    await after?.(storage, tenantIds);
    await keepHeads(config, storage);
  } finally {
    await storage.close();
  }
};

const keepHeads = async (config: ReadyConfig, { store }: Storage): Promise<void> => {
  const heads = await store.listChainHeads();
  await appendHeads(
    headFileOf(config),
    heads.map(({ tenantId, seq, hash, at }) => ({
      type: "head",
      format: 1,
      tenantId,
      lastSeq: seq,
      headHash: hash,
      at,
    })),
  );
};

const callerOf = (tenantId: string): Caller => ({ tenantId, keyId: randomUUID(), environment: "test" });

const workOf: Readonly<
  Record<Work, (config: ReadyConfig, storage: Storage, tenantId: string) => Promise<void>>
> = {
  rights: useRights,
  calls: async (config, storage, tenantId) => {
    const caller = callerOf(tenantId);
    await trackCalls(config, storage, caller);
    await trackCalls(config, storage, caller);
    await answerOnce(storage, caller);
  },
  documents: (_, storage, tenantId) => validate(storage, callerOf(tenantId)),
  faces: (_, storage, tenantId) => enrol(storage, callerOf(tenantId)),
};

const callOf = (caller: Caller, operationId: string): RecordedCall => ({
  caller,
  transactionId: randomUUID(),
  receivedAt: now(),
  tracking: { operationId, extraData: "extra data of this test" },
});

/** Two calls of one operation with a kept image each. */
const trackCalls = async (config: ReadyConfig, storage: Storage, caller: Caller): Promise<void> => {
  const asSent = { keepPixels: async (bytes: Uint8Array) => bytes };
  const { trackCall } = openTracking(config, storage, () => "https://idem.example", asSent);
  const recordCall = makeRecordCall(storage.store, trackCall);
  const operationId = randomUUID();
  for (const endpoint of ["facial", "passiveLiveness"]) {
    const entry = {
      endpoint,
      result: { code: 0 },
      measurements: { score: 0.5, text: "measured" },
      policyVersion: "1",
      tokens: [{ hash: randomBytes(32).toString("hex") }],
    };
    const evidence = [{ id: randomUUID(), kind: "call", at: now(), body: { endpoint } }];
    const operationDetails = {
      customer: "customer",
      images: { selfie: randomBytes(3000) },
      events: [{ name: "selfie_captured" as const, data: {} }],
    };
    await recordCall(callOf(caller, operationId), { ...entry, evidence, operationDetails });
  }
};

/** A validation with its sealed parts and two images. */
const validate = async ({ store, keyring, blobs }: Storage, caller: Caller): Promise<void> => {
  const sealing = makeSealing(keyring);
  const [id, createdAt] = [randomUUID(), now()];
  const { tenantId } = caller;
  const [front, back] = [
    await blobs.put(tenantId, randomBytes(5000)),
    await blobs.put(tenantId, randomBytes(4000)),
  ];
  const input = {
    keyId: caller.keyId,
    country: "CHL",
    type: "PASSPORT" as const,
    merchantReference: null,
    frontBlobId: front.id,
    backBlobId: back.id,
  };
  const row = {
    id,
    tenantId,
    environment: "test" as const,
    version: 2 as const,
    createdAt,
    sealedInput: await sealing.sealInput({ tenantId, environment: "test", id }, input),
    blobIds: [front.id, back.id],
  };
  const entry = { endpoint: "start", result: null, measurements: null, policyVersion: "1" };
  await store.createValidation(
    row,
    [front, back].map((blob) => ({ ...blob, tenantId, kind: "document", createdAt })),
    transactionOf(callOf(caller, ""), entry),
    { evidence: [{ id: randomUUID(), kind: "validation", at: createdAt, body: { validation: id } }] },
  );
};

/** A registered user, whose template the vault seals. */
const enrol = async ({ store, keyring }: Storage, caller: Caller): Promise<void> => {
  const vault = makeTemplateVault(keyring, randomUUID);
  const owner = { tenantId: caller.tenantId, environment: caller.environment, id: randomUUID() };
  const user = {
    ...owner,
    ...(await vault.seal(owner, aTemplate(0))),
    pseudonym: await keyring.pseudonym(caller.tenantId, "templates", owner.id),
    enrolledAt: now(),
  };
  const entry = { endpoint: "authenticate", result: { code: 0 }, measurements: null, policyVersion: "1" };
  const evidence = [{ id: randomUUID(), kind: "user_enrolled", at: now(), body: { user: owner.id } }];
  await store.enrolUser(user, transactionOf(callOf(caller, ""), entry), [], { evidence });
};

/** A call under an idempotency key, whose answer is kept sealed. */
const answerOnce = async ({ store, keyring }: Storage, caller: Caller): Promise<void> => {
  const once = makeAnswerOnce({
    store,
    keyring,
    leaseMs: 60_000,
    keptMs: 86_400_000,
    referenceKeptMs: 0,
    tokenKeptMs: 0,
    clock: now,
    count: () => undefined,
    onError: (_, error) => {
      throw error;
    },
  });
  const answer = { status: 200, contentType: "application/json", body: '{"code":0}' };
  const key = { kind: "key" as const, value: randomUUID() };
  const call = { key, caller, route: "/x", request: "hash", transactionId: randomUUID() };
  const judged = { lineage: caller.keyId, judgeRight: async () => undefined };
  await once({ ...call, ...judged, refuse: () => answer, onReplay: () => undefined }, () =>
    Promise.resolve({ answer, isFinal: true }),
  );
};

/** A capture session up to its tokens, and one whose upload has not ended. */
const capture = async (storage: Storage): Promise<void> => {
  const judged = { guidance: [], measurements: null, models: {}, policyVersion: "test" };
  const harness = await openCaptureHarness(
    {
      judgeFace: () => Promise.reject(new Error("This session takes no face")),
      judgeDocumentOf: () => () => Promise.resolve({ ...judged, result: "pass" as const }),
    },
    { given: { ...storage, clock: { aheadMs: 0 }, now, close: async () => undefined } },
  );
  const document = { steps: ["document"], document: { type: "ID_CARD", country: "CHL" } };
  const page = await openPageOf(harness, document);
  await page.consent();
  await page.upload("document", randomBytes(20_000), "front");
  await page.upload("document", randomBytes(20_000), "back");
  const open = await openPageOf(harness, document);
  await open.consent();
  const announced = {
    step: "document",
    side: "front",
    bytes: 4000,
    sha256: "0".repeat(64),
    source: "camera",
  };
  const { body } = await harness.byPage(open.token, "POST", "/uploads", announced);
  const data = randomBytes(3000).toString("base64");
  await harness.byPage(open.token, "POST", `/uploads/${body.uploadId}/pieces`, { offset: 0, data });
  await harness.close();
};

/** The place of the store's file. */
export const storeFileOf = (directory: string): string => join(directory, "idem.sqlite");
