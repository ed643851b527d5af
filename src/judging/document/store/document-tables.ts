/** Tables of document validations. Times are milliseconds since 1970. */
import {
  bytes,
  defineTable,
  environment,
  int,
  orNull,
  sealed,
  text,
  underTenant,
} from "#machine/storage/table";
import type { ValidationDecision, ValidationStatus } from "./validation.ts";

const sealedAway = "personal data is sealed under destroyed keys; the rest is random ids, states and times";

/** Validations: the row is the job, and its lease is in the row. */
export const validationTable = defineTable(
  "validations",
  {
    tenantId: text(),
    id: text(),
    environment: environment(),
    version: int<1 | 2>(),
    status: text<ValidationStatus>(),
    createdAt: int(),
    decidedAt: orNull(int()),
    sealedInput: sealed("documents", "validation-input {id}"),
    sealedRecord: orNull(sealed("documents", "validation-record {id}")),
    sealedSession: orNull(sealed("documents", "provider-session {id}")),
    attempts: int(),
    leasedBy: orNull(text()),
    leasedUntil: orNull(int()),
    loneDeaths: orNull(int()),
    attempt: int(),
    revision: int(),
    decision: orNull(text<ValidationDecision>()),
    waitsSince: orNull(int()),
    chain: orNull(text()),
  },
  {
    key: ["tenantId", "id"],
    erase: { kept: sealedAway },
    keep: { for: "validationsMs", by: "purgeValidations" },
    rights: {
      open: `${underTenant}; the state beside it (status, decision, waits_since) decides what an answer shows`,
    },
  },
);

export const validationBlobTable = defineTable(
  "validationBlobs",
  { tenantId: text(), validationId: text(), blobId: text() },
  {
    key: ["tenantId", "validationId", "blobId"],
    erase: { kept: sealedAway },
    keep: { until: "with its validation or its blob" },
    rights: { record: "names objects for their removal" },
  },
);

/** Each row is an open review. */
export const reviewTable = defineTable(
  "reviews",
  {
    tenantId: text(),
    validationId: text(),
    environment: environment(),
    openedAt: int(),
    claimedBy: orNull(text()),
    claimedUntil: orNull(int()),
    proposedBy: orNull(text()),
    sealedProposal: orNull(sealed("documents", "review-statement {validationId}")),
  },
  {
    key: ["tenantId", "validationId"],
    erase: { kept: sealedAway },
    keep: { until: "a decision" },
    rights: {
      open: "who claimed and proposed stands in plain beside the sealed proposal; the decision writes evidence",
    },
  },
);

/** The customers of a document's number, as keyed hashes. */
export const claimTable = defineTable(
  "documentClaims",
  { tenantId: text(), number: text(), customer: text(), claimedAt: int() },
  {
    key: ["tenantId", "number", "customer"],
    erase: { kept: "hashes under destroyed keys, which match nothing; they end by their retention" },
    keep: { for: "numbersMs", ofAllBy: "purgeClaims" },
    rights: {
      open: "joins a document number to a customer by keyed hashes; a removed row hides a second customer",
    },
  },
);

/** The operator's list of documents that were used in fraud. */
export const listedDocumentTable = defineTable(
  "listedDocuments",
  {
    tenantId: text(),
    id: text(),
    environment: environment(),
    number: text(),
    sealedNote: sealed("documents", "listed document {id} note"),
    listedAt: int(),
    seal: orNull(bytes("the check of rights")),
  },
  {
    key: ["tenantId", "id"],
    erase: { by: "eraseListedDocuments" },
    keep: { until: "the operator removes it" },
    rights: "seal",
  },
);

export const velocityEventTable = defineTable(
  "velocityEvents",
  { tenantId: text(), hash: text(), validationId: text(), attempt: int(), seenAt: int() },
  {
    key: ["tenantId", "hash", "validationId", "attempt"],
    erase: { kept: "hashes under destroyed keys, which match nothing; they end within their retention" },
    keep: { for: "velocityMs", ofAllBy: "purgeVelocityEvents" },
    rights: { open: "counts uses of a document by keyed hashes; a removed row lowers a count" },
  },
);

/** The tables of the module. */
export const documentTables = [
  validationTable,
  validationBlobTable,
  reviewTable,
  claimTable,
  listedDocumentTable,
  velocityEventTable,
] as const;
