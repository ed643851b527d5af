// Calls of the commands of documents and of the storage.

import type { RegistryPersonCommands } from "#features/registry/store/registry-person-store";
import type { SignedDocumentCommands } from "#features/signing/store/signed-document-store";
import type { BlobRetentionCommands } from "#judging/document/store/blob-retention-store";
import type { ClaimCommands } from "#judging/document/store/claim-store";
import type { LeaseCommands } from "#judging/document/store/lease-store";
import type { ListedDocumentCommands } from "#judging/document/store/listed-document-store";
import type { ReviewCommands } from "#judging/document/store/review-store";
import type { ValidationRetentionCommands } from "#judging/document/store/validation-retention-store";
import type { ValidationCommands } from "#judging/document/store/validation-store";
import type { WaitingCommands } from "#judging/document/store/waiting-store";
import { type BlobCommands, type BlobTables, insertBlobs } from "#machine/storage/blob-store";
import type { Session } from "#machine/storage/database";
import type { ScrubCommands } from "#machine/storage/scrub-store";
import type { RightsCommands } from "#record/rights/rights-store";
import type { SealedTransaction } from "#record/transactions/record";
import type { KeyCommands } from "#trust/key-ring/key-store";
import type { SecretCommands } from "#trust/key-ring/secret-store";
import type { Calls } from "./record.ts";
import { at, blob, claim, noStep, someBytes, transaction, until } from "./sample.ts";

const signedDocument = {
  tenantId: "tenant",
  environment: "test",
  id: "id",
  createdAt: at,
  bytes: 1,
  sha256: "hash",
  level: "B-LTA",
  blobIds: ["blob"],
  revision: 1,
} as const;
const owner = { tenantId: "tenant", environment: "test" } as const;

export const signedDocumentCalls: Calls<SignedDocumentCommands<SealedTransaction>> = {
  recordSignedDocument: [{ args: [signedDocument, [blob], transaction, noStep], when: "of one piece" }],
  findSignedDocument: [{ args: [owner, "id"] }],
  listSignedDocuments: [
    { args: [owner, 51], when: "of a first page" },
    { args: [owner, 51, { createdAt: at, id: "id" }], when: "of a later page" },
  ],
  leaseDueDocument: [{ args: [at, until] }],
  extendSignedDocument: [{ args: [{ ...signedDocument, at }, [blob], noStep] }],
  purgeSignedDocuments: [{ args: ["tenant", at], when: "up to 100 rows of a tenant" }],
};

const registry = { ...owner, country: "ECU" } as const;
const person = { hash: "hash", content: "content", dataKeyId: "data key", sealed: someBytes };

export const registryPersonCalls: Calls<RegistryPersonCommands> = {
  findRegistryPerson: [{ args: [registry, "hash"] }],
  holdsRegistryPersons: [{ args: [registry] }],
  listRegistryContents: [{ args: [registry, ["hash"]] }],
  putRegistryPersons: [{ args: [registry, [{ ...person, sealedPhoto: someBytes }], at] }],
  countRegistryPersons: [{ args: ["tenant"] }],
  removeRegistryPerson: [{ args: [registry, "hash", noStep] }],
  removeRegistryPersons: [{ args: [registry], when: "up to 1000 rows" }],
  purgeRegistryPersons: [{ args: ["tenant", at], when: "up to 1000 rows of a tenant" }],
};

const validation = {
  id: "id",
  tenantId: "tenant",
  environment: "test",
  version: 2,
  createdAt: at,
  sealedInput: someBytes,
  blobIds: ["blob"],
} as const;
const continuing = { ...validation, continues: { chain: "chain", waitingSince: at } };
const held = { tenantId: "tenant", id: "id", revision: 1, worker: "worker" };
const finished = { ...held, status: "DONE", at, sealedRecord: someBytes, transaction } as const;

export const validationCalls: Calls<ValidationCommands<SealedTransaction>> = {
  createValidation: [
    { args: [validation, [blob], transaction, noStep], when: "of one image" },
    {
      args: [continuing, [blob], transaction, noStep],
      when: "of one image, under a reference of the caller",
    },
  ],
  findValidation: [{ args: ["tenant", "id"] }],
};

const lease = {
  worker: "worker",
  leaseMs: 30_000,
  limit: 10,
  now: at,
  isAlone: false,
  running: ["id"],
  endsLeases: false,
  deathsAllowed: 0,
  deathsMax: 3,
} as const;
const expected = { unlisted: ["number"], velocity: { since: at, eventsMax: 9 } };

export const leaseCalls: Calls<LeaseCommands<SealedTransaction>> = {
  leaseValidations: [
    { args: [lease], when: "if no poisoned one is due", findsNothing: "running" },
    { args: [{ ...lease, endsLeases: true }], when: "after leases have ended, if a poisoned one is due" },
    { args: [{ ...lease, isAlone: true }], when: "of a poisoned one" },
  ],
  renewLease: [{ args: [held, until] }],
  keepSession: [{ args: [held, someBytes] }],
  retryValidation: [{ args: [held, until, true] }],
  finishValidation: [
    {
      args: [{ ...finished, decision: "Approved", claim, velocityEvents: ["hash"], expected }, noStep],
      when: "approved, with the claim of its number and the history that it expects",
      findsNothing: "listed_documents",
    },
    { args: [{ ...finished, decision: "Review" }, noStep], when: "for review" },
  ],
};

const resubmission = {
  tenantId: "tenant",
  id: "id",
  version: 2,
  sealedInput: someBytes,
  revision: 1,
  at,
  blobIds: ["blob"],
} as const;

export const waitingCalls: Calls<WaitingCommands<SealedTransaction>> = {
  resubmitValidation: [{ args: [resubmission, [blob], transaction, noStep], when: "of one image" }],
  listWaiting: [{ args: [at, at] }],
  endValidation: [
    { args: [{ tenantId: "tenant", id: "id", revision: 1, decision: "Expired", at, transaction }, noStep] },
  ],
};

const reviewer = { tenantId: "tenant", environment: "test", keyId: "key" } as const;
const reviewEnd = { decision: "Approved", at, sealedRecord: someBytes, transaction, claim } as const;

export const reviewCalls: Calls<ReviewCommands<SealedTransaction>> = {
  listReviews: [{ args: [reviewer] }],
  findReview: [{ args: [reviewer, "id"] }],
  claimReview: [{ args: [reviewer, "id", { now: at, until }, noStep] }],
  releaseReview: [{ args: [reviewer, "id", at, noStep] }],
  proposeReview: [{ args: [reviewer, "id", at, someBytes, noStep] }],
  endReview: [{ args: [reviewer, "id", reviewEnd, noStep], when: "approved, with the claim of its number" }],
};

export const claimCalls: Calls<ClaimCommands> = {
  findClaims: [{ args: ["tenant", "number"] }],
  purgeClaims: [{ args: [at] }],
};

const listed = {
  tenantId: "tenant",
  id: "id",
  environment: "test",
  number: "number",
  sealedNote: someBytes,
  at,
} as const;

export const listedDocumentCalls: Calls<ListedDocumentCommands> = {
  listDocument: [{ args: [listed, noStep] }],
  unlistDocument: [{ args: ["tenant", "id", noStep] }],
  listListedDocuments: [{ args: ["tenant", ""] }],
  eraseListedDocuments: [{ args: ["tenant", at], when: "up to 1000 rows of a tenant" }],
  isDocumentListed: [{ args: ["tenant", "number"] }],
  countVelocityEvents: [{ args: ["tenant", "hash", at] }],
  purgeVelocityEvents: [{ args: [at] }],
};

export const validationRetentionCalls: Calls<ValidationRetentionCommands> = {
  purgeValidations: [{ args: ["tenant", at] }],
};

export const blobRetentionCalls: Calls<BlobRetentionCommands> = {
  forgetBlobs: [{ args: [at], when: "of one tenant" }],
};

const objectName = { tenantId: "tenant", id: "blob" };
const scrubLease = { worker: "worker", now: at, until };
const scrubStep = { worker: "worker", at, until, checked: 1, whole: [objectName] };

export const scrubCalls: Calls<ScrubCommands> = {
  leaseScrub: [{ args: [scrubLease] }],
  moveScrub: [
    {
      args: [{ ...scrubStep, after: objectName, damaged: [{ ...objectName, fault: "changed" }] }],
      when: "with one damaged object",
    },
    { args: [{ ...scrubStep, damaged: [] }], when: "at the end of a round" },
  ],
  beginScrub: [{ args: [scrubLease] }],
  readScrub: [{ args: [] }],
  listDamaged: [{ args: [20], when: "all of them" }],
};

/** Part of the commands that create the owner of the blobs. */
export const makeBlobParts = (session: Session<BlobTables>) => ({
  insertBlobs: (blobs: Parameters<typeof insertBlobs>[1]) => insertBlobs(session, blobs),
});

export const blobCalls: Calls<BlobCommands & ReturnType<typeof makeBlobParts>> = {
  knownBlobIds: [{ args: ["tenant", ["blob"]] }],
  findBlob: [{ args: [objectName] }],
  listBlobs: [
    { args: [undefined, 16], when: "of a first page" },
    { args: [objectName, 16], when: "of a later page" },
  ],
  hashBlob: [{ args: [objectName, "hash"] }],
  insertBlobs: [{ args: [[blob]], when: "one row" }],
};

const key = {
  id: "key",
  tenantId: "tenant",
  purpose: "images",
  masterId: "master",
  wrapped: someBytes,
  createdAt: at,
};

export const keyCalls: Calls<KeyCommands> = {
  insertKey: [{ args: [key] }],
  findKeys: [{ args: ["tenant"] }],
  listKeys: [{ args: [] }],
  rewrapKey: [{ args: ["key", "master", someBytes] }],
  destroyKey: [{ args: ["key", at, noStep] }],
};

export const rightsCalls: Calls<RightsCommands> = {
  beginRights: [
    {
      args: [someBytes, someBytes, at],
      when: "of a tenant, where no row is left to be sealed",
      findsNothing: "limit 500",
    },
  ],
  hasSeals: [{ args: [], when: "of a store whose first table has one" }],
  compareRights: [
    { args: ["api_keys"], when: "from the start" },
    { args: ["api_keys", ["tenant", "id"]], when: "up to 500 rows after a key" },
    { args: ["evidence_heads"], when: "the ends of the chains of up to 500 tenants" },
  ],
  listUnrevoked: [{ args: ["tenant", ["id"]] }],
  listRights: [{ args: ["tenant", "api_keys", "id"], when: "up to 1000 rows of one table" }],
  acceptRight: [{ args: ["api_keys", ["tenant", "id"], at], when: "of a whole row" }],
};

export const secretCalls: Calls<SecretCommands> = {
  findSecret: [{ args: ["name"] }],
  replaceSecret: [
    { args: ["name", undefined, someBytes], when: "of an absent secret" },
    { args: ["name", someBytes, someBytes], when: "of an existing secret" },
  ],
};
