import { randomUUID } from "node:crypto";
import type { Store } from "#app/store";
import { hashApiKey, makeApiKey } from "#contract/api-key";
import type { ApiKey } from "#trust/tenants/store/tenant";
import { anOperationStep, aStep, aTransaction, at, newTenantIn, noStep, someBytes } from "./suite.ts";

const environment = "test" as const;

/** One row of each table that gives a right, of one tenant, written by the commands of a store. */
export const writeRights = async (store: Store) => {
  const tenantId = await newTenantIn(store);
  const key = makeApiKey("test");
  const apiKey = apiKeyOf(tenantId, key);
  await store.createApiKey(apiKey, aStep("key"));
  const destination = destinationOf(tenantId);
  await store.createDestination(destination, 50, noStep);
  const credentials = { tenantId, environment, user: "u", passwordHash: "h", changedAt: at(1) };
  await store.setClearingCredentials(credentials, noStep);
  const token = tokenOf(tenantId);
  await store.recordClearingToken(token, aTransaction(tenantId, { id: token.issuedBy }), noStep, undefined);
  const session = sessionOf(tenantId, apiKey.id);
  const pageHash = randomUUID();
  await store.createCapture(session, { hash: pageHash, holder: "page" }, aTransaction(tenantId), noStep);
  const listing = await writeLists(store, tenantId);
  const assets = [await writeImage(store, tenantId, "kept"), await writeImage(store, tenantId, "other")];
  const made = { tenantId, environment, key, apiKey, destination, credentials, token, session, pageHash };
  return { ...made, ...listing, assets };
};

/**
 * A call that keeps an image in an operation of this name. The destination gets a delivery of each of its two
 * events.
 */
const writeImage = async (store: Store, tenantId: string, operationId: string) => {
  const asset = {
    id: randomUUID(),
    type: "selfie" as const,
    blobId: randomUUID(),
    bytes: 4,
    sha256: "00".repeat(32),
  };
  const call = randomUUID();
  const operation = anOperationStep(operationId, {
    transactionId: call,
    opening: {
      started: { id: randomUUID(), name: "operation_started", sealedData: someBytes() },
      expiresAt: at(1000),
    },
    events: [{ id: randomUUID(), name: "selfie_captured", sealedData: someBytes() }],
    assets: [asset],
  });
  await store.recordTransaction(aTransaction(tenantId, { id: call }), [], { evidence: [], operation });
  return { ...asset, operationId };
};

/** An entry of each block list, and the data key of the face. */
const writeLists = async (store: Store, tenantId: string) => {
  const dataKey = {
    id: randomUUID(),
    tenantId,
    purpose: "templates",
    masterId: "m1",
    wrapped: someBytes(),
    createdAt: at(0),
  };
  await store.insertKey(dataKey);
  const face = faceOf(tenantId, dataKey.id);
  await store.blockFaces(tenantId, [face], aStep("face"));
  const listed = {
    tenantId,
    id: randomUUID(),
    environment,
    number: "12".repeat(32),
    sealedNote: someBytes(),
    at: at(2),
  };
  await store.listDocument(listed, aStep("document"));
  return { dataKey, face, listed };
};

const apiKeyOf = (tenantId: string, key: string): ApiKey => ({
  id: randomUUID(),
  tenantId,
  hash: hashApiKey(key),
  name: "first",
  environment,
  scopes: ["face"],
  createdAt: at(0),
  expiresAt: at(9_000),
});

const destinationOf = (tenantId: string) => ({
  tenantId,
  environment,
  id: randomUUID(),
  name: "receiver",
  state: "active" as const,
  topics: ["*"],
  isOrdered: false,
  sealedSettings: someBytes(),
  createdAt: at(1),
});

const tokenOf = (tenantId: string) => ({
  tenantId,
  environment,
  hash: randomUUID(),
  transactionId: randomUUID(),
  validationId: randomUUID(),
  issuedBy: randomUUID(),
  samePersonBy: "image" as const,
  createdAt: at(0),
  expiresAt: at(9_000),
  uses: 0,
  usesMax: 2,
});

const sessionOf = (tenantId: string, keyId: string) => ({
  tenantId,
  id: randomUUID(),
  environment,
  keyId,
  operationId: "operation",
  state: "OPEN" as const,
  revision: 0,
  createdAt: at(0),
  expiresAt: at(9_000),
  sealed: someBytes(),
  blobIds: [],
});

const faceOf = (tenantId: string, dataKeyId: string) => ({
  tenantId,
  id: randomUUID(),
  environment,
  keyId: randomUUID(),
  dataKeyId,
  recogniser: "r1",
  wrappedKey: someBytes(),
  sealedTransform: someBytes(),
  sealedTemplate: someBytes(),
  sealedNote: someBytes(),
  at: at(9),
});
