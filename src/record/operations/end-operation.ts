import type { EndedState } from "#contract/tracking-code";
import type { Keyring } from "#machine/storage/blobs";
import type { OperationStep } from "#record/transactions/operation-step";
import type { EvidenceEntry } from "#record/transactions/record";
import type { Operation } from "./operation.ts";
import { customerIdOfOperation } from "./operation-customer.ts";
import { eventStatusOf } from "./operation-state.ts";
import { sealEvent } from "./sealed-event.ts";

/** Kinds of evidence of operations. */
export const operationEvidenceKinds = ["operation_ended", "asset_read", "asset_revoked"] as const;

export type OperationEvidenceKind = (typeof operationEvidenceKinds)[number];

/** How an operation ends. */
export type Ending = {
  readonly state: EndedState;
  /** A reason of finishTracking or of the service; absent for a success. */
  readonly reason?: string;
  readonly family?: string;
};

/** The step that ends an operation: its transaction, where it comes from, and when. */
export type EndingStep = Pick<OperationStep, "transactionId" | "endpoint" | "at">;

export type EndingDeps = {
  readonly keyring: Pick<Keyring, "seal" | "open">;
  readonly newId: () => string;
};

/** The step with operation_finished, and the entry of evidence that commits with it. */
export type PreparedEnd = { readonly operation: OperationStep; readonly evidence: readonly EvidenceEntry[] };

/** Prepares the end of an operation. Whether it is still open is judged when it commits. */
export const prepareEnd = async (
  { keyring, newId }: EndingDeps,
  operation: Operation,
  { transactionId, endpoint, at }: EndingStep,
  ending: Ending,
): Promise<PreparedEnd> => {
  const { environment, id } = operation;
  const { state, reason } = ending;
  const customerId = await customerIdOfOperation(keyring, operation);
  const stated = {
    name: "operation_finished",
    data: { status: eventStatusOf[state], context: { customerId } },
  } as const;
  const kind = "operation_ended" satisfies OperationEvidenceKind;
  const body = { operation: id, transaction: transactionId, state, reason: reason ?? null };
  return {
    operation: {
      environment,
      operationId: id,
      transactionId,
      endpoint,
      at,
      events: [await sealEvent(keyring, operation, newId(), stated, [])],
      assets: [],
      ending,
    },
    evidence: [{ id: newId(), kind, at, body }],
  };
};
