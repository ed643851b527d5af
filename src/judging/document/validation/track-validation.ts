import type { AssetReference } from "#contract/event";
import type { ValidationData } from "#contract/event-document";
import type { OperationStep, TrackDecision } from "#record/transactions/operation-step";
import type { TransactionRecord } from "#record/transactions/record";
import type { VerificationRecord } from "../decision/verification-record.ts";
import type { Validation } from "../store/validation.ts";
import type { FoundValidation } from "./find-validation.ts";
import type { ValidationInput } from "./sealed.ts";

/** `validation` of id_validated. Made by `makeDescribeValidation` (http/wire-record.ts). */
export type DescribeValidation = (found: FoundValidation) => ValidationData;

/**
 * Prepares the step of a decision, with id_validated, for the operation to which the validation belongs.
 * Undefined where it belongs to none. Made by {@link makeTrackValidation}.
 */
export type TrackValidation = (
  validation: Pick<Validation, "id" | "tenantId" | "environment" | "createdAt" | "attempt">,
  input: ValidationInput,
  decided: {
    readonly status: FoundValidation["status"];
    readonly record: VerificationRecord;
    readonly transaction: Pick<TransactionRecord, "id" | "at" | "endpoint">;
  },
) => Promise<OperationStep | undefined>;

export const makeTrackValidation =
  (trackDecision: TrackDecision, describe: DescribeValidation): TrackValidation =>
  async (
    { id, tenantId, environment, createdAt: acceptedAt, attempt },
    { operation, merchantReference },
    { status, record, transaction },
  ) => {
    if (operation === undefined) return undefined;
    const validation = describe({ id, status, acceptedAt, merchantReference, attempt, record });
    return await trackDecision(
      { tenantId, environment, transactionId: transaction.id, at: transaction.at },
      transaction.endpoint,
      operation,
      [{ name: "id_validated", data: { validation } }],
    );
  };

/** The part of a step that later decisions of the same validation need. */
export const referenceOf = ({ operationId, transactionId, assets }: OperationStep) => ({
  id: operationId,
  call: transactionId,
  assets: assets.map(({ id, type }): AssetReference => ({ id, type })),
});
