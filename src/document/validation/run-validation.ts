import { Failure } from "#contract/failure";
import type { Blobs } from "#storage/blobs";
import type { Finish, Json, Validation } from "#storage/store";
import { decideDocument, measurementsOf } from "../decide.ts";
import type { DocumentEngine } from "../engine.ts";
import type { DocumentPolicy } from "../policy.ts";
import type { DocumentPictures } from "../read-document.ts";
import type { DocumentReading } from "../reading.ts";
import { codeOfStatus, failedRecord, recordOf, type VerificationRecord } from "../verification-record.ts";
import type { Sealing, ValidationInput } from "./sealed.ts";

/** What a leased validation ends with, but for the worker that ends it. */
export type Outcome = Omit<Finish, "worker">;

/** How one try went: to an end, or to the error by which the engine failed. */
export type Try = { readonly outcome: Outcome } | { readonly engineError: unknown };

/**
 * Reads and decides one validation. Rejects only as blobs and keys do: that is the storage's fault and not the
 * document's. The caller decides whether to try again; not_found and stored_damaged say that it is of little use.
 */
export type RunValidation = (validation: Validation, signal: AbortSignal) => Promise<Try>;

/**
 * Ends a validation that could not be analysed: FAILED, with reason 648. Where its own row cannot be opened (the
 * tenant's key was destroyed, or the bytes are damaged) it is FAILED without a record: who asked for what is not known.
 */
export type FailValidation = (validation: Validation) => Promise<Outcome>;

export type RunValidationDeps = {
  readonly blobs: Pick<Blobs, "get">;
  readonly sealing: Sealing;
  readonly engine: DocumentEngine;
  readonly policy: DocumentPolicy;
  readonly clock: () => Date;
  readonly newId: () => string;
};

export const makeRunValidation =
  (deps: RunValidationDeps): RunValidation =>
  async (validation, signal) => {
    const { tenantId } = validation;
    const input = await deps.sealing.openInput(validation, validation.sealedInput);
    const front = await deps.blobs.get(tenantId, input.frontBlobId);
    const back = input.backBlobId === null ? undefined : await deps.blobs.get(tenantId, input.backBlobId);
    const pictures = back === undefined ? { front } : { front, back };
    const read = await readOrError(deps.engine, pictures, input, signal);
    if ("engineError" in read) {
      return read;
    }
    const { reading } = read;
    const at = deps.clock();
    const { fields, findings, decision } = decideDocument(reading, input, at, deps.policy);
    const record = recordOf(fields, input.type, decision, at);
    const measurements = measurementsOf(reading, findings);
    return { outcome: await outcome(deps, validation, input, "DONE", record, at, measurements) };
  };

const readOrError = async (
  engine: DocumentEngine,
  pictures: DocumentPictures,
  { type }: ValidationInput,
  signal: AbortSignal,
): Promise<{ readonly reading: DocumentReading } | { readonly engineError: unknown }> => {
  try {
    return { reading: await engine.read(pictures, { type }, signal) };
  } catch (engineError) {
    return { engineError };
  }
};

export const makeFailValidation =
  (deps: RunValidationDeps): FailValidation =>
  async (validation) => {
    const at = deps.clock();
    const input = await openIfWhole(deps.sealing, validation);
    if (input === undefined) {
      return { tenantId: validation.tenantId, id: validation.id, status: "FAILED", at };
    }
    const record = failedRecord(input, at);
    return await outcome(deps, validation, input, "FAILED", record, at, { attempts: validation.attempts });
  };

const openIfWhole = async (
  sealing: Sealing,
  validation: Validation,
): Promise<ValidationInput | undefined> => {
  try {
    return await sealing.openInput(validation, validation.sealedInput);
  } catch (error) {
    if (error instanceof Failure && (error.code === "not_found" || error.code === "stored_damaged")) {
      return undefined;
    }
    throw error;
  }
};

const outcome = async (
  deps: RunValidationDeps,
  { id, tenantId, world }: Validation,
  input: ValidationInput,
  status: Outcome["status"],
  record: VerificationRecord,
  at: Date,
  measurements: Json,
): Promise<Outcome> => ({
  tenantId,
  id,
  status,
  at,
  sealedRecord: await deps.sealing.sealRecord({ tenantId, id }, record),
  transaction: {
    id: deps.newId(),
    tenantId,
    keyId: input.keyId,
    world,
    endpoint: "documentValidation",
    at,
    result: {
      scanReference: id,
      code: codeOfStatus(record.status),
      reasonCode: record.reasonCode,
      others: record.otherReasonCodes,
    },
    measurements,
    policyVersion: deps.policy.version,
    models: deps.engine.models,
    tokenHashes: [],
  },
});
