import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { makeRecordingStore } from "#app/recording-store";
import type { AskDeps } from "#features/registry/ask-registry";
import { makeCivilValidation } from "#features/registry/civil-validation";
import { civilValidationEndpoint } from "#features/registry/http/civil-validation.endpoint";
import type { FindRegistry } from "#features/registry/registry";
import { defaultDocumentPolicy as policy } from "#judging/document/decision/policy";
import type { DocumentEngine } from "#judging/document/reading/engine";
import { makeSealing } from "#judging/document/validation/sealed";
import { makeStartValidation } from "#judging/document/validation/start-validation";
import { makePhotoFaces } from "#judging/face/compare-with-photo";
import type { FaceEngine } from "#judging/face/measurement";
import { defaultFacePolicy } from "#judging/face/policy";
import type { FaceService } from "#judging/face/service";
import { makeDiskObjects } from "#machine/storage/disk-objects";
import { makeBlobs } from "#machine/storage/sealed-blobs";
import { makeHashAuthentication } from "#record/transactions/authentication-hash";
import { makeRecordCall } from "#record/transactions/record-call";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { openStoreHere } from "../app/store-here.ts";
import { recordedDocumentEngine } from "../document/http/recorded-document-engine.ts";
import { collectFields } from "../document/reading.ts";
import { openRealEngine } from "../document/real-engine.ts";
import { openFaceEngine } from "../face/images.ts";
import { recordedFaceEngine } from "../face/recorded-face-engine.ts";
import { startServer } from "../http/harness.ts";
import { openOperations } from "../operations/open-operations.ts";
import { openTokens, tokenAgeMs } from "../tokens/open-tokens.ts";

const civilPath = "/services/civilValidation";

export const openStorage = async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "idem-civil-"));
  const file = path.join(folder, "idem.sqlite");
  const sealedStore = await openStoreHere({ path: file });
  const masters = [masterKeyOf(randomBytes(32))] as const;
  const keyring = makeKeyring({ store: sealedStore, masters, now: () => new Date() });
  const store = makeRecordingStore(sealedStore, keyring);
  const blobs = makeBlobs(makeDiskObjects(folder), keyring, sealedStore);
  const operations = openOperations({ keyring, blobs, file });
  const { id: tenantId } = await store.createTenant({ id: randomUUID(), name: "a", createdAt: new Date() });
  const close = async (): Promise<void> => {
    await store.close();
    await rm(folder, { recursive: true });
  };
  return { store, keyring, blobs, operations, tenantId, close };
};

type Engines = { readonly document: DocumentEngine; readonly face: FaceEngine };

/** What the real engines read and measured before. */
const recordedEngines = (): Engines => ({
  document: recordedDocumentEngine(),
  face: recordedFaceEngine(),
});

/** The real engines in this thread. */
const realEngines = async (): Promise<Engines> => ({
  document: await openRealEngine(),
  face: openFaceEngine(),
});

/** The face service of an engine; a broken engine fails the test. */
const openFaces = (
  deps: Pick<FaceService, "engine" | "store" | "recordCall" | "openToken" | "hashAuthentication">,
) =>
  makePhotoFaces({
    ...deps,
    policy: defaultFacePolicy,
    bestImages: { uses: "operation", ageMs: tokenAgeMs },
    onError: (_, error) => {
      throw error;
    },
  });

type Storage = Awaited<ReturnType<typeof openStorage>>;

/** What a question to a registry needs, with its evidence in the store. */
export const askDepsOf = (
  { store, keyring }: Pick<Storage, "store" | "keyring">,
  findRegistry: FindRegistry,
): AskDeps => ({
  findRegistry,
  recordEvidence: store.recordEvidence,
  keyring,
  newId: randomUUID,
});

const wake = (): void => undefined;

type Tokens = Awaited<ReturnType<typeof openTokens>>;

const openValidation = (
  storage: Storage,
  findRegistry: FindRegistry,
  { openToken }: Tokens,
  engines: Engines,
) => {
  const { store, keyring, blobs, operations } = storage;
  const { document: engine, face } = engines;
  const { trackCall } = operations.tracking;
  const recordCall = makeRecordCall(store, trackCall);
  const hashAuthentication = makeHashAuthentication(keyring);
  const sealing = makeSealing(keyring);
  const shared = { engine, policy, newId: randomUUID };
  return makeCivilValidation({
    ...askDepsOf(storage, findRegistry),
    openToken,
    documents: { engine, policy, collectFields },
    faces: openFaces({ engine: face, store, recordCall, openToken, hashAuthentication }),
    startValidation: makeStartValidation({ ...shared, store, blobs, sealing, trackCall, wake }),
    recordCall,
    hashAuthentication,
  });
};

/** Civil validation behind a server of its own. */
const serveCivil = (
  { tenantId }: Pick<Storage, "tenantId">,
  validate: ReturnType<typeof makeCivilValidation>,
) => {
  const { server, makeKey } = startServer({
    endpoints: [civilValidationEndpoint({ validate, imageBytesMax: 8_000_000 })],
    makeId: randomUUID,
    limits: { requestTimeoutMs: 180_000 },
  });
  /** Each call has a key of its own, so that no rate limit ends a table. */
  const post = async (payload: object, environment: "live" | "test" = "test") => {
    const headers = { "x-api-key": makeKey({ tenantId, environment }) };
    const answer = await server.app.inject({ method: "POST", url: civilPath, headers, payload });
    return { status: answer.statusCode, body: answer.json() };
  };
  return { post, close: () => server.app.close() };
};

/**
 * Civil validation behind the server, with a store, recorded readings and measurements, and the registries
 * that are given.
 */
export const openCivil = async (findRegistry: FindRegistry) => {
  const storage = await openStorage();
  const tokens = await openTokens();
  const serve = (engines: Engines) =>
    serveCivil(storage, openValidation(storage, findRegistry, tokens, engines));
  const { post, close: closeServer } = serve(recordedEngines());
  const close = async (): Promise<void> => {
    await closeServer();
    await storage.close();
  };
  return {
    ...storage,
    post,
    seal: tokens.seal,
    sealFor: tokens.sealFor,
    hashAuthentication: makeHashAuthentication(storage.keyring),
    /** Sends one call through the real readers and networks. */
    postThroughNetworks: async (payload: object) => {
      const real = serve(await realEngines());
      const answer = await real.post(payload);
      await real.close();
      return answer;
    },
    close,
  };
};
