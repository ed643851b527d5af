import type { EvidenceEntry, Json, Step, TransactionRecord } from "#storage/store";

/** Kinds of evidence that the way of a validation leaves. */
export type DecisionKind =
  | "document_decided"
  | "document_ended"
  | "review_claimed"
  | "review_released"
  | "review_proposed"
  | "review_decided";

/** An entry of the tenant's evidence; `body` names documents and keys by their random ids alone. */
export const evidenceOf = (id: string, kind: DecisionKind, at: Date, body: Json): EvidenceEntry => ({
  id,
  kind,
  at,
  body,
});

/**
 * What commits with every decision, whoever made it: the one place where an event of it joins the outbox once there is a
 * room that sends them.
 */
export const decidedStep = (
  id: string,
  { id: transaction, at, result }: Pick<TransactionRecord, "id" | "at" | "result">,
  kind: DecisionKind = "document_decided",
  more: Readonly<Record<string, Json>> = {},
): Step => ({ events: [], evidence: [evidenceOf(id, kind, at, { transaction, result, ...more })] });
