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

type Owner = { readonly tenantId: string; readonly environment: "live" | "test" };

/** Where validations are held. */
export type HeldValidations = {
  readonly store: Pick<ValidationCommands, "findValidation">;
  readonly sealing: Sealing;
};

/**
 * Fails with not_found if the validation does not exist or belongs to another tenant or environment. The
 * error does not state which.
 */
export const getValidationStatus = async (
  { store }: Pick<HeldValidations, "store">,
  { tenantId, environment }: Owner,
  id: string,
): Promise<Validation> => {
  const validation = await store.findValidation(tenantId, knownReference(id));
  if (validation === undefined || validation.environment !== environment) {
    throw new Failure("not_found");
  }
  return validation;
};

/** {@link getValidation} of one deployment. */
export type GetValidation = (caller: Owner, id: string) => Promise<FoundValidation>;

/**
 * Fails as {@link getValidationStatus}. Before the decision the record has the status Submitted and the
 * declared data.
 */
export const getValidation = async (
  held: HeldValidations,
  caller: Owner,
  id: string,
): Promise<FoundValidation> => {
  const { sealing } = held;
  const validation = await getValidationStatus(held, caller, id);
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
