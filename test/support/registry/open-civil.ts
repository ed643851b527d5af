import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { makeRecordingStore } from "#app/recording-store";
import { makeAskRegistry } from "#features/registry/ask-registry";
import { makeCivilValidation } from "#features/registry/civil-validation";
import { civilValidationEndpoint } from "#features/registry/http/civil-validation.endpoint";
import type { FindRegistry } from "#features/registry/registry";
import { defaultDocumentPolicy as policy } from "#judging/document/decision/policy";
import { makeReadCivilDocument } from "#judging/document/http/civil-document";
import { readCapture } from "#judging/document/reading/ocr-container";
import { makeGetValidationStatus } from "#judging/document/validation/find-validation";
import { makeSealing } from "#judging/document/validation/sealed";
import { makeStartValidation } from "#judging/document/validation/start-validation";
import { readNationalityWord } from "#judging/document/values/nationality-word";
import { readNumber } from "#judging/document/values/numbers/number-rules";
import { makePhotoFaces } from "#judging/face/compare-with-photo";
import { defaultFacePolicy } from "#judging/face/policy";
import type { FaceService } from "#judging/face/service";
import { makeDiskObjects } from "#machine/storage/disk-objects";
import { makeBlobs } from "#machine/storage/sealed-blobs";
import { makeHashAuthentication } from "#record/transactions/authentication-hash";
import { makeRecordCall } from "#record/transactions/record-call";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { openStoreHere } from "../app/store-here.ts";
import { makePhotographCard } from "../document/card-photographs.ts";
import type { DrawnCard } from "../document/national-cards.ts";
import { collectFields } from "../document/reading.ts";
import { openEngine } from "../document/validations.ts";
import { openFaceEngine } from "../face/images.ts";
import { startServer } from "../http/harness.ts";
import { openOperations } from "../operations/open-operations.ts";
import { openTokens, tokenAgeMs } from "../tokens/open-tokens.ts";

export const civilPath = "/services/civilValidation";

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

/** The face service of the real engine; a broken engine fails the test. */
const openFaces = (deps: Pick<FaceService, "store" | "recordCall" | "openToken" | "hashAuthentication">) => {
  const faceEngine = openFaceEngine();
  const service: FaceService = {
    ...deps,
    engine: { measure: faceEngine.measure },
    policy: defaultFacePolicy,
    bestImages: { uses: "operation", ageMs: tokenAgeMs },
    onError: (_, error) => {
      throw error;
    },
  };
  return { faceEngine, faces: makePhotoFaces(service) };
};

const rules = { readNumber, readCountry: readNationalityWord };

type Storage = Awaited<ReturnType<typeof openStorage>>;

/** The question to a registry, with its evidence in the store. */
export const askRegistryOf = (
  { store, keyring }: Pick<Storage, "store" | "keyring">,
  findRegistry: FindRegistry,
) =>
  makeAskRegistry({
    findRegistry,
    recordEvidence: store.recordEvidence,
    hashNumber: (tenant, text) => keyring.pseudonym(tenant, "documents", text),
    readNumber,
    newId: randomUUID,
  });

const wake = (): void => undefined;

const openValidation = async (storage: Storage, findRegistry: FindRegistry) => {
  const { store, keyring, blobs, operations } = storage;
  const { engine, imageOf: specimenOf } = await openEngine();
  const tokens = await openTokens();
  const { openToken } = tokens;
  const { trackCall } = operations.tracking;
  const recordCall = makeRecordCall(store, trackCall);
  const hashAuthentication = makeHashAuthentication(keyring);
  const { faceEngine, faces } = openFaces({ store, recordCall, openToken, hashAuthentication });
  const getStatus = makeGetValidationStatus(store);
  const sealing = makeSealing(keyring);
  const shared = { engine, policy, newId: randomUUID };
  const validate = makeCivilValidation({
    findRegistry,
    askRegistry: askRegistryOf(storage, findRegistry),
    openToken,
    readCapture,
    readDocument: makeReadCivilDocument({ engine, policy, collectFields }),
    faces,
    startValidation: makeStartValidation({ ...shared, store, getStatus, blobs, sealing, trackCall, wake }),
    recordCall,
    hashAuthentication,
    rules,
    newId: randomUUID,
  });
  const { seal, sealFor } = tokens;
  return { validate, specimenOf, faceEngine, hashAuthentication, seal, sealFor };
};

/** Civil validation behind the server, with a store, the real engines, and the registries that are given. */
export const openCivil = async (findRegistry: FindRegistry) => {
  const storage = await openStorage();
  const { validate, ...parts } = await openValidation(storage, findRegistry);
  const { server, makeKey } = startServer({
    endpoints: [civilValidationEndpoint({ validate, imageBytesMax: 8_000_000 })],
    makeId: randomUUID,
    limits: { requestTimeoutMs: 180_000 },
  });
  const { tenantId } = storage;
  /** Each call has a key of its own, so that no rate limit ends a table. */
  const post = async (payload: object, environment: "live" | "test" = "test") => {
    const headers = { "x-api-key": makeKey({ tenantId, environment }) };
    const answer = await server.app.inject({ method: "POST", url: civilPath, headers, payload });
    return { status: answer.statusCode, body: answer.json() };
  };
  const photograph = await makePhotographCard(parts.faceEngine.imaging);
  const photographCard = (card: DrawnCard) => photograph(card, 5, { width: 1600, height: 1200 });
  const close = async (): Promise<void> => {
    await server.app.close();
    await storage.close();
  };
  return { ...storage, ...parts, post, photographCard, close };
};
