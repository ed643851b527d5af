import type { Kysely } from "kysely";
import type { Caller } from "#contract/endpoint";
import type { ValidationDecision, ValidationStatus } from "./store.ts";

/**
 * Columns as both databases hold them. Times are integer milliseconds since 1970 and JSON is text on either side,
 * so that a row reads the same whichever store wrote it (and a NUL inside a JSON string, which jsonb refuses, is kept).
 */
export type Tables = {
  tenants: { id: string; name: string; createdAt: number };
  apiKeys: {
    tenantId: string;
    id: string;
    hash: string;
    name: string;
    world: Caller["world"];
    scopes: string;
    createdAt: number;
    expiresAt: number | null;
    revokedAt: number | null;
    lastUsedAt: number | null;
  };
  transactions: {
    tenantId: string;
    id: string;
    keyId: string;
    world: Caller["world"];
    endpoint: string;
    at: number;
    result: string;
    measurements: string;
    policyVersion: string;
    models: string;
    tokenHashes: string;
  };
  tokenUses: { tenantId: string; hash: string; expiresAt: number };
  validations: ValidationColumns;
  reviews: ReviewColumns;
  validationBlobs: { tenantId: string; validationId: string; blobId: string };
  blobs: { tenantId: string; id: string; kind: string; bytes: number; createdAt: number };
  keys: {
    tenantId: string;
    id: string;
    purpose: string;
    masterId: string;
    wrapped: Uint8Array | null;
    createdAt: number;
    destroyedAt: number | null;
  };
  secrets: { name: string; sealed: Uint8Array };
  people: PersonColumns;
  blockedFaces: BlockedColumns;
  listedDocuments: {
    tenantId: string;
    id: string;
    world: Caller["world"];
    number: string;
    sealedNote: Uint8Array;
    listedAt: number;
  };
  documentSightings: {
    tenantId: string;
    hash: string;
    validationId: string;
    attempt: number;
    seenAt: number;
  };
  documentClaims: { tenantId: string; number: string; customer: string; claimedAt: number };
  outbox: { tenantId: string; id: string; type: string; at: number; body: string };
  evidence: EvidenceColumns;
  migrations: { version: number; name: string; appliedAt: number };
};

export type ValidationColumns = {
  tenantId: string;
  id: string;
  world: Caller["world"];
  version: 1 | 2;
  status: ValidationStatus;
  createdAt: number;
  decidedAt: number | null;
  sealedInput: Uint8Array;
  sealedRecord: Uint8Array | null;
  sealedSession: Uint8Array | null;
  attempts: number;
  leasedBy: string | null;
  leasedUntil: number | null;
  attempt: number;
  revision: number;
  decision: ValidationDecision | null;
  waitsSince: number | null;
  chain: string | null;
};

export type ReviewColumns = {
  tenantId: string;
  validationId: string;
  world: Caller["world"];
  openedAt: number;
  claimedBy: string | null;
  claimedUntil: number | null;
  proposedBy: string | null;
  sealedProposal: Uint8Array | null;
};

export type PersonColumns = {
  tenantId: string;
  pseudonym: string;
  id: string;
  world: Caller["world"];
  revision: number;
  keyId: string;
  dataKeyId: string;
  recogniser: string;
  wrappedKey: Uint8Array;
  sealedTransform: Uint8Array;
  sealedTemplate: Uint8Array;
  enrolledAt: number;
  renewedAt: number;
  failures: number;
  pausedUntil: number | null;
  disabledAt: number | null;
};

export type BlockedColumns = Pick<
  PersonColumns,
  | "tenantId"
  | "id"
  | "world"
  | "keyId"
  | "dataKeyId"
  | "recogniser"
  | "wrappedKey"
  | "sealedTransform"
  | "sealedTemplate"
> & { sealedNote: Uint8Array; blockedAt: number };

/** `seq` counts from 1 without gaps within a tenant; `body` is canonical JSON; hashes are 64 hex characters. */
export type EvidenceColumns = {
  tenantId: string;
  seq: number;
  id: string;
  kind: string;
  at: number;
  body: string;
  prevHash: string;
  hash: string;
};

/** A connection inside a transaction, and the one trait of it that a query must know. */
export type Session = {
  readonly db: Kysely<Tables>;
  /** PostgreSQL: other transactions write at the same time, so rows are locked. SQLite: this is the only writer. */
  readonly locksRows: boolean;
};
