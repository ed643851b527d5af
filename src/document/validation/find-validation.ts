import { Failure } from "#contract/failure";
import { knownReference } from "#contract/reference";
import type { Store, Validation } from "#storage/store";
import { submittedRecord, type VerificationRecord } from "../verification-record.ts";
import type { Sealing } from "./sealed.ts";

/** A validation as its caller sees it. */
export type FoundValidation = {
  readonly id: string;
  readonly status: Validation["status"];
  readonly acceptedAt: Date;
  readonly merchantReference: string | null;
  /** Which sending of pictures this is. */
  readonly attempt: number;
  readonly record: VerificationRecord;
};

/** Fails with not_found for what does not exist and for what belongs to another tenant or world, without telling which. */
export type GetValidationStatus = (
  caller: { readonly tenantId: string; readonly world: "live" | "test" },
  id: string,
) => Promise<Validation>;

export const makeGetValidationStatus =
  (store: Pick<Store, "findValidation">): GetValidationStatus =>
  async ({ tenantId, world }, id) => {
    const validation = await store.findValidation(tenantId, knownReference(id));
    if (validation === undefined || validation.world !== world) {
      throw new Failure("not_found");
    }
    return validation;
  };

export type GetValidation = (...of: Parameters<GetValidationStatus>) => Promise<FoundValidation>;

/** Before the decision the record says Submitted and what was declared. */
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
