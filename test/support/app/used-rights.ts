/**
 * Rights of a tenant of a used store: made, changed and ended by the use cases of the service, with their
 * evidence.
 */

import { randomBytes, randomUUID } from "node:crypto";
import { openBlockListAdmin } from "#app/block-list";
import { openKeyAdmin } from "#app/keys";
import { openDocumentList, type ReadyConfig, type Storage } from "#app/storage";
import { makePasswords } from "#features/clearing/credentials/password";
import { makeCredentialAdmin } from "#features/clearing/credentials/set-credentials";
import type { ClearingOwner, ClearingToken } from "#features/clearing/store/clearing-token";
import { templateBytes } from "#judging/face/matching/template";
import { stepOf, transactionOf } from "#record/transactions/record-call";
import { evidenceOf } from "#record/webhooks/destinations/evidence";
import { sealSettings } from "#record/webhooks/destinations/settings";

const now = (): Date => new Date();
const environment = "test" as const;
const dayMs = 86_400_000;

/**
 * Keys of each state, receivers, credentials, a token, entries of both lists and a setting; of most kinds one
 * is ended or removed.
 */
export const useRights = async (config: ReadyConfig, storage: Storage, tenantId: string): Promise<void> => {
  const { store, sealedStore } = storage;
  await useKeys(storage, tenantId);
  for (const name of ["receiver", "second receiver", "former receiver"]) {
    await addDestination(storage, tenantId, name);
  }
  await removeDestination(storage, tenantId, "former receiver");
  const credentials = makeCredentialAdmin({
    store,
    hashPassword: makePasswords().hash,
    clock: now,
    newId: randomUUID,
  });
  if ((await credentials.show({ tenantId, environment })) === undefined) {
    await credentials.set({ tenantId, environment }, "entity", randomUUID());
  }
  await addClearingToken(storage, tenantId);
  const documents = openDocumentList(sealedStore, config);
  const listed: string[] = [];
  for (const note of ["lost", "stolen"]) {
    const document = { country: "CHL", number: randomUUID(), note };
    listed.push((await documents.add({ tenantId, environment }, document)) ?? "");
  }
  await documents.remove(tenantId, listed[0] ?? "");
  const faces = openBlockListAdmin(sealedStore, config);
  const directions = [randomBytes(1)[0]! % 100, 100];
  const blocked = await faces.block(
    tenantId,
    directions.map((direction) => ({ environment, template: aTemplate(direction) })),
    "a note",
  );
  await faces.unblock(tenantId, blocked.at(-1)?.id ?? "");
  await store.setDefaultCountry(tenantId, "CHL");
};

/** An active key, one with an end, and one that was revoked. */
const useKeys = async ({ store }: Storage, tenantId: string): Promise<void> => {
  const admin = openKeyAdmin(store);
  const ids: string[] = [];
  for (const name of ["worker", "renewed", "revoked"]) {
    const id = randomUUID();
    ids.push(id);
    await admin.createApiKey({
      id,
      tenantId,
      hash: randomBytes(32).toString("hex"),
      name,
      environment,
      scopes: ["face", "document"],
      createdAt: now(),
      expiresAt: new Date(Date.now() + 90 * dayMs),
    });
  }
  await admin.endApiKey(tenantId, ids[1] ?? "", new Date(Date.now() + dayMs));
  await admin.revokeApiKey(tenantId, ids[2] ?? "", now());
};

const addDestination = async ({ store, keyring }: Storage, tenantId: string, name: string): Promise<void> => {
  const id = randomUUID();
  const settings = {
    url: `https://${id}.example/`,
    headers: {},
    auth: { kind: "none" as const },
    secret: `whsec_${randomBytes(32).toString("base64")}`,
    formerSecrets: [],
    handshake: false,
    timeoutMs: 1000,
  };
  const createdAt = now();
  const destination = { tenantId, environment, id, name, createdAt };
  const sealedSettings = await sealSettings(keyring, destination, settings);
  const rest = { state: "active" as const, topics: ["*"], isOrdered: false, sealedSettings };
  const evidence = [evidenceOf(randomUUID(), "destination_created", createdAt, { destination: id })];
  await store.createDestination({ ...destination, ...rest }, 50, stepOf({ evidence }));
};

const removeDestination = async ({ store }: Storage, tenantId: string, name: string): Promise<void> => {
  const found = (await store.listDestinations({ tenantId, environment })).find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no destination ${name}`);
  const evidence = [evidenceOf(randomUUID(), "destination_removed", now(), { destination: found.id })];
  if (!(await store.removeDestination(found, now(), stepOf({ evidence })))) {
    throw new Error(`The destination ${name} was changed meanwhile`);
  }
};

/** A token of pension clearing that the call `issuedBy` issued, for a day and two uses. */
export const aClearingToken = (of: ClearingOwner, issuedBy: string): ClearingToken => ({
  ...of,
  hash: randomBytes(32).toString("hex"),
  transactionId: randomUUID(),
  validationId: randomUUID(),
  issuedBy,
  samePersonBy: "image",
  createdAt: now(),
  expiresAt: new Date(Date.now() + dayMs),
  uses: 0,
  usesMax: 2,
});

const addClearingToken = async ({ store }: Storage, tenantId: string): Promise<void> => {
  const call = {
    caller: { tenantId, keyId: randomUUID(), environment },
    transactionId: randomUUID(),
    receivedAt: now(),
  };
  const token = { ...aClearingToken({ tenantId, environment }, call.transactionId), uses: 1 };
  const entry = { endpoint: "issueToken", result: {}, measurements: null, policyVersion: "clearing-1" };
  const evidence = [
    {
      id: randomUUID(),
      kind: "clearing_token_issued",
      at: now(),
      body: { transaction: call.transactionId, environment },
    },
  ];
  await store.recordClearingToken(token, transactionOf(call, entry), stepOf({ evidence }), undefined);
};

/** The form of a template of the bundled pair, with a vector in one direction each. */
export const aTemplate = (direction: number): Uint8Array => {
  const bytes = Buffer.alloc(templateBytes);
  bytes.write("IDFT", 0, "latin1");
  bytes.writeUInt8(2, 4);
  const first = templateBytes - 4 * (128 + 1024);
  bytes.writeFloatLE(1, first + 4 * direction);
  bytes.writeFloatLE(1, first + 4 * (128 + direction));
  return bytes;
};
