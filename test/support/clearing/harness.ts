import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClearingParts, openClearing } from "#app/clearing";
import { type CallbackParts, openClearingCallbacks } from "#app/clearing-callbacks";
import { makeRecordingStore } from "#app/recording-store";
import { eraseTenant } from "#app/storage";
import { openTracking } from "#app/tracking";
import { makePasswords } from "#features/clearing/credentials/password";
import type { ClearingAssurance } from "#features/clearing/verify/judge-assurance";
import { makeSealing } from "#judging/document/validation/sealed";
import { defaultFacePolicy } from "#judging/face/policy";
import type { FaceDeps } from "#judging/face/service";
import { makeEgress } from "#machine/egress/make-egress";
import { makeDiskObjects } from "#machine/storage/disk-objects";
import { makeBlobs } from "#machine/storage/sealed-blobs";
import { makeRunLock } from "#record/jobs/run-lock";
import { makeHashAuthentication } from "#record/transactions/authentication-hash";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { openStoreHere } from "../app/store-here.ts";
import { type Harness, startServer } from "../http/harness.ts";
import { tokenAgeMs } from "../tokens/open-tokens.ts";
import {
  identifyIn,
  type TestDocument,
  type TestIdentity,
  type TestOwner,
  validateIn,
} from "./fill-store.ts";

/** Tests of calls have bytes that are no image. */
const asSent = { keepPixels: async (bytes: Uint8Array) => bytes };

/** Faces of an engine; without one a test that compares faces fails. */
export const facesOf = (engine: Partial<FaceDeps["engine"]> = {}): FaceDeps => ({
  engine: { measure: () => Promise.reject(new Error("A test asked the engine")), ...engine },
  policy: defaultFacePolicy,
  bestImages: { uses: "operation", ageMs: tokenAgeMs },
  onError: (note, error) => {
    throw new Error(note, { cause: error });
  },
});

const dayMs = 86_400_000;
const operations = {
  expiresAfterMs: dayMs,
  keptMs: dayMs,
  imagesKeptMs: dayMs,
  vendor: "idem",
  assetLinkMs: 1000,
};
type Standard = {
  readonly tokenMs: number;
  readonly usesMax: number;
  readonly assurance: ClearingAssurance;
  readonly provider: string;
};
const standard: Standard = {
  tokenMs: dayMs,
  usesMax: 10,
  assurance: "interface",
  provider: "Verificadora de Ejemplo SpA",
};

/** A password of these tests costs a thousandth of one of the service, where many of them are checked. */
export const testPasswords = makePasswords({ N: 1024, r: 1, p: 1 });

export type HarnessChange = Partial<
  Pick<ClearingParts, "faceServiceOf" | "isPassword" | "signCertificate" | "baseUrl">
> & {
  readonly settings?: Partial<Standard>;
  /** Rules of outgoing calls; by default public addresses alone. */
  readonly egress?: CallbackParts["config"]["egress"];
};

const openStores = async (folder: string, now: () => Date) => {
  const sealedStore = await openStoreHere({ path: join(folder, "idem.sqlite") });
  const keyring = makeKeyring({ store: sealedStore, masters: [masterKeyOf(randomBytes(32))], now });
  const store = makeRecordingStore(sealedStore, keyring);
  return {
    sealedStore,
    keyring,
    store,
    blobs: makeBlobs(makeDiskObjects(join(folder, "blobs")), keyring, sealedStore),
  };
};

const baseUrl = (): string => "https://idem.example";

type Stores = Awaited<ReturnType<typeof openStores>>;

/** Tokens and certificates, and the older flow. */
const openModules = (
  { keyring, store, blobs }: Stores,
  now: () => Date,
  { settings, egress = { allow: [] }, ...change }: HarnessChange,
) => {
  const clearing = openClearing({
    storage: { store, keyring, blobs },
    config: { clearing: { ...standard, ...settings } },
    hashAuthentication: makeHashAuthentication(keyring),
    baseUrl,
    clock: now,
    faceServiceOf: () => facesOf(),
    isPassword: testPasswords.isPassword,
    signCertificate: undefined,
    ...change,
  });
  const parts = {
    storage: { store, keyring },
    config: { egress },
    egress: makeEgress(egress),
    lock: makeRunLock(),
    clock: now,
  };
  return {
    ...clearing,
    callbacks: openClearingCallbacks({ ...parts, report: () => undefined }, clearing.issue),
  };
};

/** Pension clearing behind a whole server, on a real store. */
export const openClearingHarness = async (change: HarnessChange = {}) => {
  const folder = await mkdtemp(join(tmpdir(), "idem-clearing-"));
  const clock = { aheadMs: 0 };
  const now = (): Date => new Date(Date.now() + clock.aheadMs);
  const stores = await openStores(folder, now);
  const { sealedStore, keyring, store, blobs } = stores;
  const { trackCall } = openTracking({ operations }, { keyring, blobs }, baseUrl, asSent);
  const { module, issueToken, callbacks } = openModules(stores, now, change);
  const server = startServer({
    endpoints: [...(module.endpoints ?? []), ...(callbacks.endpoints ?? [])],
    clock: now,
    // Checks of passwords wait for each other, on a busy machine for longer than a call may take.
    limits: { requestTimeoutMs: 240_000 },
  });
  const newTenant = async (): Promise<string> => {
    const id = randomUUID();
    await store.createTenant({ id, name: id, createdAt: now() });
    return id;
  };
  const tenantId = await newTenant();
  const fill = { store, blobs, sealing: makeSealing(keyring), trackCall, now };
  const ownerOf = (of: Partial<TestOwner>): TestOwner => ({
    tenantId: of.tenantId ?? tenantId,
    environment: of.environment ?? "test",
  });
  return {
    ...server,
    ...makeCallers(server, ownerOf),
    store,
    tenantId,
    newTenant,
    clock,
    issueToken,
    /** The loop of callbacks; it starts on demand. */
    callbacks: callbacks.loop,
    keyring,
    identify: (call: TestIdentity & Partial<TestOwner> = {}) => identifyIn(fill, ownerOf(call), call),
    validate: (document: TestDocument & Partial<TestOwner> = {}) =>
      validateIn(fill, ownerOf(document), document),
    /** The bytes of the database, its log included. */
    readStored: async (): Promise<Buffer> => {
      const names = (await readdir(folder)).filter((name) => name.startsWith("idem.sqlite"));
      return Buffer.concat(await Promise.all(names.map((name) => readFile(join(folder, name)))));
    },
    erase: (id: string) => eraseTenant(sealedStore, id),
    close: async (): Promise<void> => {
      await server.server.app.close();
      await callbacks.loop.stop();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
};

type Load = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly name?: string;
  readonly remoteAddress?: string;
};

const makeCallers = ({ server, makeKey }: Harness, ownerOf: (of: Partial<TestOwner>) => TestOwner) => ({
  /** A key of the owner, and calls of verify with it. */
  callerOf: (of: Partial<TestOwner> = {}) => {
    const key = makeKey(ownerOf(of));
    const verify = async (transactionId: string, scanReference: string, name = "clearing") => {
      const answer = await server.app.inject({
        method: "POST",
        url: `/services/${name}/${transactionId}/verify`,
        headers: { "x-api-key": key, "content-type": "application/json" },
        payload: JSON.stringify({ scanReference }),
      });
      return { status: answer.statusCode, body: answer.json() };
    };
    return { key, verify };
  },
  /** Loads a certificate; fields of the query that are undefined are left out. */
  load: async (
    transactionId: string,
    query: Readonly<Record<string, string | undefined>>,
    { headers = {}, name = "clearing", remoteAddress = "192.0.2.1" }: Load = {},
  ) => {
    const given = Object.entries(query).flatMap(([field, value]) =>
      value === undefined ? [] : [[field, value]],
    );
    const url = `/services/${name}/${transactionId}/certificate?${new URLSearchParams(given).toString()}`;
    return await server.app.inject({ url, headers: { ...headers }, remoteAddress });
  },
});

export type ClearingHarness = Awaited<ReturnType<typeof openClearingHarness>>;
