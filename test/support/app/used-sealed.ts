/** Rows with sealed content that `useStore` does not write: by the seals and the store of the service. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Storage } from "#app/storage";
import { makeCallbackSealing } from "#features/clearing/callbacks/sealed-callback";
import { makeTransferSealing } from "#features/clearing/transfers/sealed-transfer";
import { makePersonKeys } from "#features/registry/local/person-keys";
import { makeTemplateVault } from "#features/users/template-vault";
import { makeVerificationSeal } from "#features/verification/sealed-verification";
import { makeSealing, type Sealing } from "#judging/document/validation/sealed";
import { stepOf, transactionOf } from "#record/transactions/record-call";
import { sealAnswer } from "#record/webhooks/delivery/sealed-answer";
import { openDestination } from "#record/webhooks/destinations/settings";
import { makeTakeToken } from "#record/webhooks/send/take-token";
import { aLease } from "../document/a-lease.ts";
import { aClearingToken, aTemplate } from "./used-rights.ts";

const now = (): Date => new Date();
const dayMs = 86_400_000;
const noStep = stepOf();

type Owner = { readonly tenantId: string; readonly environment: "test" };

/** One of each for each tenant. Each has its row whole: also what a provider, a reviewer or a photo adds. */
export const useSealed = async (storage: Storage, tenantIds: readonly string[]): Promise<void> => {
  for (const tenantId of tenantIds) {
    const owner = { tenantId, environment: "test" } as const;
    await transfer(storage, owner);
    await callBack(storage, owner);
    await register(storage, owner);
    await verify(storage, owner);
    await validate(storage, owner);
    await joinReference(storage, owner);
    await takeToken(storage, owner);
  }
  await answerDeliveries(storage);
};

const callOf = (owner: Owner) => ({
  caller: { ...owner, keyId: randomUUID() },
  transactionId: randomUUID(),
  receivedAt: now(),
});

const entryOf = (endpoint: string) => ({ endpoint, result: {}, measurements: null, policyVersion: "1" });

const transfer = async ({ store, keyring }: Storage, owner: Owner): Promise<void> => {
  const facts = { ...owner, id: randomUUID(), transactionId: randomUUID(), createdAt: now() };
  const content = {
    keyId: randomUUID(),
    scanReference: randomUUID(),
    affiliate: { firstName: "A", paternalSurname: "B", maternalSurname: "C", rutNumber: "1", rutCheck: "9" },
    requiresSecondVerification: false,
    certificateUrl: "https://idem.example/",
    verifiedAt: now().toISOString(),
    expiresAt: now().toISOString(),
  };
  const sealed = await makeTransferSealing(keyring).seal(facts, content);
  await store.createTransfer({ ...facts, ...sealed }, noStep);
};

const callBack = async ({ store, keyring }: Storage, owner: Owner): Promise<void> => {
  const call = callOf(owner);
  const token = aClearingToken(owner, call.transactionId);
  const facts = { ...owner, id: call.transactionId, createdAt: now() };
  const content = { url: "https://receiver.example/", hash: "hash", expiresAt: now().toISOString() };
  const { sealed } = await makeCallbackSealing(keyring).seal(facts, content);
  const body = { transaction: call.transactionId, environment: owner.environment };
  const evidence = [{ id: randomUUID(), kind: "clearing_token_issued", at: now(), body }];
  const record = transactionOf(call, entryOf("startPrevired"));
  await store.recordClearingToken(token, record, stepOf({ evidence }), { ...facts, sealed });
};

const register = async ({ store, keyring }: Storage, owner: Owner): Promise<void> => {
  const of = { ...owner, country: "PER" } as const;
  const keys = makePersonKeys(keyring);
  const hash = await keys.hashOf(of, randomUUID());
  const sealed = await keys.seal(of, hash, { fields: {}, photo: new Uint8Array(randomBytes(100)) });
  await store.putRegistryPersons(of, [{ hash, content: "content", ...sealed }], now());
};

const verify = async ({ store, keyring }: Storage, owner: Owner): Promise<void> => {
  const call = callOf(owner);
  const facts = {
    ...owner,
    id: randomUUID(),
    keyId: call.caller.keyId,
    operationId: randomUUID(),
    state: "PROCESSING" as const,
    createdAt: now(),
  };
  const transactions = { start: randomUUID(), face: randomUUID(), decision: randomUUID() };
  const content = { flow: "document" as const, createdBy: call.transactionId, transactions };
  const sealed = await makeVerificationSeal(keyring).seal(facts, content);
  const record = transactionOf(call, entryOf("createVerification"));
  await store.createVerification({ ...facts, sealed, blobs: [] }, record, noStep);
};

/** A validation that waits for a second reviewer, and one that a worker has at a provider. */
const validate = async ({ store, keyring }: Storage, owner: Owner): Promise<void> => {
  const sealing = makeSealing(keyring);
  const [reviewed, sent] = [
    await startValidation(store, sealing, owner),
    await startValidation(store, sealing, owner),
  ];
  const worker = randomUUID();
  await store.leaseValidations(aLease(worker, now()));
  const session = { provider: "provider", id: null, submittedAt: null, failingSince: null };
  const sealedSession = await sealing.sealSession(sent, session);
  must(await store.keepSession({ ...sent, revision: 0, worker }, sealedSession));
  const sealedRecord = await sealing.sealRecord(reviewed, aRecord);
  const end = { status: "DONE", decision: "Review", at: now(), sealedRecord } as const;
  await store.finishValidation({ ...reviewed, revision: 0, worker, ...end }, noStep);
  const reviewer = { ...owner, keyId: randomUUID() };
  const until = new Date(Date.now() + dayMs);
  must(await store.claimReview(reviewer, reviewed.id, { now: now(), until }, noStep));
  const statement = { decision: "Approved" as const, reasonCode: null, note: "" };
  const sealed = await sealing.sealStatement(reviewed, statement);
  must(await store.proposeReview(reviewer, reviewed.id, now(), sealed, noStep));
};

const must = (isWritten: boolean): void => {
  if (!isWritten) throw new Error("A command wrote nothing");
};

const startValidation = async (store: Storage["store"], sealing: Sealing, owner: Owner) => {
  const call = callOf(owner);
  const row = { ...owner, id: randomUUID() };
  const input = {
    keyId: call.caller.keyId,
    country: "CHL",
    type: "PASSPORT" as const,
    merchantReference: null,
    frontBlobId: randomUUID(),
    backBlobId: null,
  };
  const sealedInput = await sealing.sealInput(row, input);
  await store.createValidation(
    { ...row, version: 2, createdAt: now(), sealedInput, blobIds: [] },
    [],
    transactionOf(call, entryOf("start")),
    noStep,
  );
  return row;
};

/** A user with a further reference, which joined at a login. */
const joinReference = async ({ store, keyring }: Storage, owner: Owner): Promise<void> => {
  const vault = makeTemplateVault(keyring, randomUUID);
  const user = { ...owner, id: randomUUID(), pseudonym: randomUUID(), enrolledAt: now() };
  const call = callOf(owner);
  const enrolment = transactionOf(call, entryOf("authenticate"));
  await store.enrolUser({ ...user, ...(await vault.seal(user, aTemplate(0))) }, enrolment, [], noStep);
  const evidence = (kind: string) => ({ id: randomUUID(), kind, at: now(), body: {} });
  const { kind } = await store.recordAttempt(
    {
      ...user,
      revision: 1,
      at: now(),
      finding: "match",
      throttle: { pauseFrom: 5, pauseMs: 1000, disableAt: 10 },
      disabling: evidence("person_disabled"),
      joining: {
        reference: await vault.seal(user, aTemplate(1)),
        furtherMax: 2,
        evidence: evidence("person_reference_added"),
      },
    },
    transactionOf(callOf(owner), entryOf("authenticate")),
    [],
    noStep,
  );
  if (kind !== "recorded") throw new Error(`The reference did not join: ${kind}`);
};

const requestToken = async () => ({ value: "token", lifeMs: dayMs });

/** The token of an OAuth receiver. */
const takeToken = async ({ store, keyring }: Storage, owner: Owner): Promise<void> => {
  const stored = (await store.listDestinations(owner))[0];
  if (stored === undefined) throw new Error("There is no destination");
  const destination = await openDestination(keyring, stored, now());
  const auth = {
    kind: "oauth2",
    tokenUrl: "https://tokens.example/",
    clientId: "client",
    clientSecret: "secret",
    credentialsIn: "header",
  } as const;
  const take = makeTakeToken({ store, keyring, requestToken, clock: now, holder: randomUUID() });
  await take({ ...destination, auth }, { msMax: 10_000 });
};

/** Attempts of all due deliveries, each with an answer of its receiver. */
const answerDeliveries = async ({ store, keyring }: Storage): Promise<void> => {
  const lease = {
    worker: randomUUID(),
    now: now(),
    leaseMs: 60_000,
    limit: 500,
    inFlightMax: 500,
    after: "",
  };
  const { deliveries } = await store.leaseDeliveries(lease);
  const finished = [];
  for (const { event, ...delivery } of deliveries) {
    const { tenantId, destinationId, eventId } = delivery;
    const key = { tenantId, destinationId, eventId };
    const of = { ...key, environment: event.environment };
    const attempt = delivery.attempts + 1;
    finished.push({
      ...key,
      attempt,
      at: now(),
      outcome: "delivered" as const,
      status: 200,
      decision: "delivered" as const,
      state: "delivered" as const,
      failures: 0,
      timings: { totalMs: 1 },
      sealedAnswer: await sealAnswer(keyring, of, attempt, Buffer.from("thank you")),
    });
  }
  await store.finishDeliveries({
    worker: lease.worker,
    at: now(),
    attempts: finished,
    retries: [],
    destinations: [],
  });
};

const aRecord = {
  status: "Review" as const,
  reason: null,
  reasonCode: null,
  otherReasonCodes: [],
  decidedAt: "2026-11-21T09:30:04.000Z",
  document: { type: "PASSPORT" as const, country: "CHL", number: "F1", issued: null, expires: null },
  person: {
    firstName: "A",
    lastName: "B",
    nationality: "CHL",
    sex: "F",
    dateOfBirth: "1974-08-12",
    yearOfBirth: "1974",
    idNumber: "1",
  },
};
