import { Failure } from "#contract/failure";
import { knownReference } from "#contract/reference";
import { submittedRecord, type VerificationRecord } from "../decision/verification-record.ts";
import type { Validation } from "../store/validation.ts";
import type { ValidationCommands } from "../store/validation-store.ts";
import type { Sealing } from "./sealed.ts";

/** A validation for its caller. */
export type FoundValidation = {
  readonly id: string;
  readonly status: Validation["status"];
  readonly acceptedAt: Date;
  readonly merchantReference: string | null;
  /** Number of the submission of images, from 1. */
  readonly attempt: number;
  readonly record: VerificationRecord;
};

/**
 * Fails with not_found if the validation does not exist or belongs to another tenant or environment. The error does not
 * state which.
 */
export type GetValidationStatus = (
  caller: { readonly tenantId: string; readonly environment: "live" | "test" },
  id: string,
) => Promise<Validation>;

export const makeGetValidationStatus =
  (store: Pick<ValidationCommands, "findValidation">): GetValidationStatus =>
  async ({ tenantId, environment }, id) => {
    const validation = await store.findValidation(tenantId, knownReference(id));
    if (validation === undefined || validation.environment !== environment) {
      throw new Failure("not_found");
    }
    return validation;
  };

export type GetValidation = (...of: Parameters<GetValidationStatus>) => Promise<FoundValidation>;

/** Before the decision the record has the status Submitted and the declared data. */
export const makeGetValidation =
  (getStatus: GetValidationStatus, sealing: Sealing): GetValidation =>
  async (caller, id) => {
    const validation = await getStatus(caller, id);
    const input = await sealing.openInput(validation, validation.sealedInput);
    const record =
      validation.sealedRecord === undefined
        ? submittedRecord(input)
        : await sealing.openRecord(validation, validation.sealedRecord);
    return {
      id: validation.id,
      status: validation.status,
      acceptedAt: validation.createdAt,
      merchantReference: input.merchantReference,
      attempt: validation.attempt,
      record,
    };
  };
