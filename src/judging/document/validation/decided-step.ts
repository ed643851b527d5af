import type { Caller } from "#contract/endpoint";
import type { Json } from "#contract/json";
import type { OperationStep } from "#record/transactions/operation-step";
import type { EvidenceEntry, Step, TransactionRecord } from "#record/transactions/record";
import { type CallEntry, stepOf, transactionOf } from "#record/transactions/record-call";
import type { DocumentPolicy } from "../decision/policy.ts";

/** Kinds of evidence of one validation. */
export const decisionKinds = [
  "document_decided",
  "document_ended",
  "review_claimed",
  "review_released",
  "review_proposed",
  "review_decided",
] as const;

export type DecisionKind = (typeof decisionKinds)[number];

/** An entry of the tenant's evidence. `body` names documents and keys only by their random ids. */
export const evidenceOf = (id: string, kind: DecisionKind, at: Date, body: Json): EvidenceEntry => ({
  id,
  kind,
  at,
  body,
});

/**
 * The record of a decision. It belongs to no call, so it has an id and a time of its own. `caller` sent the
 * document or reviewed it.
 */
export const decisionRecord = (
  { newId, policy }: { readonly newId: () => string; readonly policy: Pick<DocumentPolicy, "version"> },
  { tenantId, keyId, environment }: Caller,
  at: Date,
  entry: Omit<CallEntry, "policyVersion">,
): TransactionRecord =>
  transactionOf(
    { caller: { tenantId, keyId, environment }, transactionId: newId(), receivedAt: at },
    { ...entry, policyVersion: policy.version },
  );

type Stated = {
  /** The step of the operation to which the validation belongs, with id_validated. */
  readonly operation: OperationStep | undefined;
  readonly kind?: DecisionKind;
  readonly more?: Readonly<Record<string, Json>>;
};

/** Committed with every decision, by this service, a provider or a reviewer. */
export const decidedStep = (
  id: string,
  { id: transaction, at, result }: Pick<TransactionRecord, "id" | "at" | "result">,
  { operation, kind = "document_decided", more = {} }: Stated,
): Step => stepOf({ evidence: [evidenceOf(id, kind, at, { transaction, result, ...more })], operation });
