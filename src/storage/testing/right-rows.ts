import { randomUUID } from "node:crypto";
import type { Store } from "#app/store";
import { hashApiKey, makeApiKey } from "#contract/api-key";
import type { ApiKey } from "#tenants/store/tenant";
import { aStep, aTransaction, at, newTenantIn, noStep, someBytes } from "./suite.ts";

/** One row of each table that gives a right, of one tenant, written by the commands of a store. */
export const writeRights = async (store: Store) => {
  const tenantId = await newTenantIn(store);
  const environment = "test" as const;
  const key = makeApiKey("test");
  const apiKey: ApiKey = {
    id: randomUUID(),
    tenantId,
    hash: hashApiKey(key),
    name: "first",
    environment,
    scopes: ["face"],
    createdAt: at(0),
    expiresAt: at(9_000),
  };
  await store.createApiKey(apiKey, aStep("key"));
  const destination = {
    tenantId,
    environment,
    id: randomUUID(),
    name: "receiver",
    state: "active" as const,
    topics: ["*"],
    isOrdered: false,
    sealedSettings: someBytes(),
    createdAt: at(1),
  };
  await store.createDestination(destination, 50, noStep);
  const credentials = { tenantId, environment, user: "u", passwordHash: "h", changedAt: at(1) };
  await store.setClearingCredentials(credentials, noStep);
  const token = {
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
  };
  await store.recordClearingToken(token, aTransaction(tenantId, { id: token.issuedBy }), noStep, undefined);
  const session = {
    tenantId,
    id: randomUUID(),
    environment,
    keyId: apiKey.id,
    operationId: "operation",
    state: "OPEN" as const,
    revision: 0,
    createdAt: at(0),
    expiresAt: at(9_000),
    sealed: someBytes(),
    blobIds: [],
  };
  const pageHash = randomUUID();
  await store.createCapture(session, { hash: pageHash, holder: "page" }, aTransaction(tenantId), noStep);
  const dataKeyId = randomUUID();
  const dataKey = {
    id: dataKeyId,
    tenantId,
    purpose: "templates",
    masterId: "m1",
    wrapped: someBytes(),
    createdAt: at(0),
  };
  await store.insertKey(dataKey);
  const face = {
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
  };
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
  return {
    tenantId,
    environment,
    key,
    apiKey,
    destination,
    credentials,
    token,
    session,
    pageHash,
    dataKey,
    face,
    listed,
  };
};
