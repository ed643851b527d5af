// Calls of the commands of users, tenants, transactions and idempotency keys.

import {
  countBlocked,
  type FaceListCommands,
  type FaceListTables,
} from "#features/users/store/face-list-store";
import type { UserCommands } from "#features/users/store/user-store";
import type { Session } from "#machine/storage/database";
import type { IdempotencyCommands } from "#record/idempotency/store/idempotency-store";
import type { SealedTransaction, StoredTransaction } from "#record/transactions/record";
import type { EvidenceCommands } from "#record/transactions/store/evidence-store";
import type { ResultCommands } from "#record/transactions/store/result-store";
import type { RetentionCommands } from "#record/transactions/store/retention-store";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import type { TransactionCommands } from "#record/transactions/store/transaction-store";
import { anOperationStep } from "#support/storage/suite";
import type { RateCommands } from "#trust/tenants/store/rate-store";
import type { ApiKey } from "#trust/tenants/store/tenant";
import type { TenantCommands } from "#trust/tenants/store/tenant-store";
import type { Calls } from "./record.ts";
import { at, noStep, someBytes, token, transaction, until } from "./sample.ts";

const apiKey: ApiKey = {
  id: "key",
  tenantId: "tenant",
  hash: "hash",
  name: "name",
  environment: "test",
  scopes: [],
  createdAt: at,
};

export const tenantCalls: Calls<TenantCommands> = {
  createTenant: [{ args: [{ id: "tenant", name: "name", createdAt: at }] }],
  listTenants: [{ args: [] }],
  setDefaultCountry: [{ args: ["tenant", "CHL"] }],
  findDefaultCountry: [{ args: ["tenant"] }],
  createApiKey: [
    { args: [apiKey] },
    {
      args: [apiKey, undefined, { countMax: 1, since: at }],
      when: "by a call, whose number of keys is limited",
    },
  ],
  findApiKey: [{ args: ["hash"] }],
  listApiKeys: [{ args: ["tenant"] }],
  endApiKey: [{ args: ["tenant", "key", at], when: "before the step that commits with it" }],
  revokeApiKey: [{ args: ["tenant", "key", at], when: "before the step that commits with it" }],
  touchApiKeys: [{ args: [[{ keyId: "key", at }]], when: "for each key" }],
};

const waitingCall = { spansUs: [1], spareUs: 0, fullUs: 1 };
const bucket = { tenantId: "tenant", keyId: "key" };

export const rateCalls: Calls<RateCommands> = {
  askRate: [
    { args: [bucket, waitingCall] },
    { args: [bucket, waitingCall], when: "at the first call of a key", findsNothing: 'select "full_at"' },
  ],
};

/** The part that commits with the commands of every module. */
export const makeStepCommands = (session: StepSession) => ({
  writeStep: (...args: Tail<Parameters<typeof writeStep>>) => writeStep(session, ...args),
});

type Tail<Args extends readonly unknown[]> = Args extends readonly [unknown, ...infer Rest] ? Rest : never;

const step = {
  operation: anOperationStep("operation"),
  evidence: [{ id: "evidence", kind: "kind", at, body: {} }],
};

export const stepCalls: Calls<ReturnType<typeof makeStepCommands>> = {
  writeStep: [
    {
      args: ["tenant", step],
      when: "of a call that opens an operation, with one event and one evidence entry",
    },
  ],
};

export const transactionCalls: Calls<TransactionCommands<SealedTransaction, StoredTransaction>> = {
  recordTransaction: [
    { args: [transaction, [token], noStep], when: "of one token" },
    {
      args: [transaction, [token], noStep],
      when: "of one token that another call used before",
      findsNothing: 'insert into "token_uses"',
    },
  ],
  purgeTokenUses: [{ args: [at] }],
  findTransaction: [{ args: ["tenant", "transaction"] }],
  listTransactions: [{ args: ["tenant", at] }],
};

const range = { since: at, until };

export const resultCalls: Calls<ResultCommands> = {
  listResults: [{ args: ["tenant", range] }],
  countResults: [{ args: ["tenant", range] }],
};

export const retentionCalls: Calls<RetentionCommands> = {
  purgeTransactions: [{ args: ["tenant", at] }],
  listPlainMeasurements: [{ args: ["tenant"] }],
  sealMeasurements: [
    {
      args: [[{ tenantId: "tenant", id: "transaction", sealedMeasurements: someBytes }]],
      when: "for each call",
    },
  ],
  forgetPlainMeasurements: [{ args: ["tenant"] }],
};

const anchor = {
  tenantId: "tenant",
  seq: 1,
  hash: "hash",
  at: at.getTime(),
  authority: "tsa.example",
  token: someBytes,
};

export const evidenceCalls: Calls<EvidenceCommands> = {
  recordEvidence: [{ args: ["tenant", [{ id: "evidence", kind: "kind", at, body: null }]] }],
  listChainHeads: [{ args: [] }],
  listLinks: [{ args: ["tenant", 0] }],
  listAnchors: [{ args: ["tenant", 0] }],
  listNewestAnchors: [{ args: [] }],
  insertAnchor: [{ args: [anchor] }],
  removeBodies: [{ args: ["tenant", at, { id: "evidence", at }] }],
};

const claim = {
  tenantId: "tenant",
  name: "name",
  transactionId: "other transaction",
  keyId: "key",
  environment: "test",
  request: "request",
  owner: "key",
  now: at,
  leasedUntil: until,
  forgottenBefore: new Date(0),
} as const;
const answer = { tenantId: "tenant", name: "name", transactionId: "transaction", sealed: someBytes };

export const idempotencyCalls: Calls<IdempotencyCommands<SealedTransaction>> = {
  claimCall: [
    { args: [claim], when: "of a first attempt" },
    {
      args: [claim],
      when: "after an attempt that ended without an answer",
      findsNothing: 'insert into "idempotent_calls"',
    },
    {
      args: [{ ...claim, owner: "another key" }],
      when: "of another owner",
      findsNothing: 'insert into "idempotent_calls"',
    },
  ],
  keepAnswer: [{ args: [answer] }],
  recordAnswered: [{ args: [transaction, [token], noStep, answer], when: "of one token" }],
  releaseCall: [{ args: [answer] }],
  endCallLease: [{ args: [answer] }],
  purgeIdempotentCalls: [{ args: [at], when: "up to 100 rows" }],
  forgetIdempotentCalls: [{ args: ["tenant", at], when: "up to 100 rows of a tenant" }],
};

const template = {
  keyId: "key",
  dataKeyId: "data key",
  recogniser: "recogniser",
  wrappedKey: someBytes,
  sealedTransform: someBytes,
  sealedTemplate: someBytes,
};
const user = { tenantId: "tenant", pseudonym: "pseudonym" };
const enrolled = { ...template, ...user, environment: "test", id: "id", enrolledAt: at } as const;
const replaced = { ...template, ...user, revision: 1, at };
const attempt = {
  ...user,
  revision: 1,
  at,
  finding: "against",
  throttle: { pauseFrom: 5, pauseMs: 1000, disableAt: 10 },
  disabling: { id: "evidence", kind: "kind", at, body: {} },
} as const;
const joining = {
  reference: template,
  furtherMax: 1,
  evidence: { id: "evidence", kind: "kind", at, body: {} },
};
const named = { pseudonym: "pseudonym", id: "id", keyId: "key" };

export const userCalls: Calls<UserCommands<SealedTransaction>> = {
  findUser: [{ args: ["tenant", "pseudonym"] }],
  listReferences: [{ args: [{ tenantId: "tenant", id: "id" }] }],
  listUserNames: [{ args: ["tenant", ["pseudonym"]] }],
  enrolUser: [
    { args: [enrolled, transaction, [token], noStep], when: "of one token" },
    {
      args: [enrolled, transaction, [], noStep, 1],
      when: "after a search, with no face added since",
      findsNothing: "kind",
    },
  ],
  recordAttempt: [
    { args: [attempt, transaction, [token], noStep], when: "a failed one, of one token" },
    {
      args: [{ ...attempt, finding: "match", joining }, transaction, [], noStep],
      when: "a login whose face joins the references",
    },
  ],
  replaceTemplate: [{ args: [replaced, transaction, noStep] }],
  deleteUsers: [{ args: ["tenant", [named], transaction, noStep], when: "of one user" }],
  enableUser: [{ args: ["tenant", "id", noStep] }],
  purgeUsers: [{ args: [] }],
};

const blocked = { ...template, id: "id", environment: "test", at, sealedNote: someBytes } as const;

/** A read that is not a command of the service. */
export const makeFaceListReads = (session: Session<FaceListTables>) => ({
  countBlocked: () => countBlocked(session),
});

export const faceListCalls: Calls<FaceListCommands & ReturnType<typeof makeFaceListReads>> = {
  listFaces: [
    { args: ["people", "tenant", "", 100], when: "of users" },
    { args: ["blocked", "tenant", "", 100], when: "of the block list" },
  ],
  findFaces: [
    { args: ["people", "tenant", ["id"]], when: "of users" },
    { args: ["blocked", "tenant", ["id"]], when: "of the block list" },
  ],
  blockFaces: [
    { args: ["tenant", [blocked], noStep], when: "one face" },
    {
      args: ["tenant", [blocked], noStep, 1],
      when: "one face, after a reading of the list",
      findsNothing: 'from "evidence"',
    },
  ],
  unblockFace: [{ args: ["tenant", "id", noStep] }],
  listBlocked: [{ args: ["tenant", ""] }],
  listEvidenceHeads: [{ args: [] }],
  listEvidence: [{ args: ["tenant", 1] }],
  purgeBlocked: [{ args: [] }],
  countBlocked: [{ args: [] }],
};
