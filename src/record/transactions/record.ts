import type { Caller } from "#contract/endpoint";
import type { Json } from "#contract/json";
import type { OperationStep } from "./operation-step.ts";

/**
 * An entry of the tenant's evidence, written with the step that it documents. The chain keeps the hash of the
 * body for ever. The body is removed at the end of its retention and by an erasure.
 */
export type EvidenceEntry = {
  readonly id: string;
  readonly kind: string;
  readonly at: Date;
  readonly body: Json;
};

/** What commits together with a state change, or not at all. */
export type Step = {
  readonly evidence: readonly EvidenceEntry[];
  /** Absent where the call belongs to no operation. */
  readonly operation?: OperationStep;
};

/**
 * One answered call: result numbers, measurements, policy version and models. Measurements of a face are
 * personal data: the store takes them sealed ({@link SealedTransaction}). The rest holds numbers, random ids
 * and the name of the calling application.
 */
export type TransactionRecord = {
  readonly id: string;
  readonly tenantId: string;
  readonly keyId: string;
  readonly environment: Caller["environment"];
  readonly endpoint: string;
  readonly at: Date;
  readonly result: Json;
  readonly measurements: Json;
  readonly policyVersion: string;
  /** Model name to SHA-256 of its weights. */
  readonly models: Readonly<Record<string, string>>;
  /** SHA-256 (hex) of every token of the call, so detokenize can ask for the same token. */
  readonly tokenHashes: readonly string[];
};

/** A record as the store takes it. Made by `makeMeasurementSeal` (measurement-seal.ts). */
export type SealedTransaction = Omit<TransactionRecord, "measurements"> & {
  /** JSON under the tenant's key for measurements. Empty: the call has none, or they were removed. */
  readonly sealedMeasurements: Uint8Array;
};

/** A record as the store returns it. */
export type StoredTransaction = SealedTransaction & {
  /** Measurements that an earlier release stored unsealed, until the tidying has sealed them. */
  readonly plainMeasurements?: Json;
};

/** Times from `since` on, and before `until`. */
export type TimeRange = { readonly since: Date; readonly until: Date };

/** The use of a token within its tenant, remembered until the token expires. */
export type TokenUse = {
  readonly hash: string;
  readonly expiresAt: Date;
  /** If absent, no other call may use the token. */
  readonly shared?: SharedUse;
};

/** A use that leaves the token to calls of other kinds, of the same operation. */
export type SharedUse = {
  /** Kind of the call. A kind may use the token once. */
  readonly call: string;
  /** A token serves one environment. */
  readonly environment: Caller["environment"];
  /** Hash of the operation of the call; absent where it names none. */
  readonly operation?: string;
  readonly at: Date;
  /** Until then the token serves other calls of the tenant, as long as none of them names an operation. */
  readonly openUntil: Date;
};
