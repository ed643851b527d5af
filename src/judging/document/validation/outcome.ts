import type { Json } from "#contract/json";
import type { Retry } from "#record/jobs/job";
import type { Step } from "#record/transactions/record";
import type { KnownHistory } from "../decision/history/history.ts";
import type { DocumentPolicy } from "../decision/policy.ts";
import {
  failedRecord,
  openResultOf,
  recordedClaim,
  type VerificationRecord,
} from "../decision/verification-record.ts";
import type { DocumentEngine } from "../reading/engine.ts";
import type { Finish, Validation } from "../store/validation.ts";
import { decidedStep, decisionRecord } from "./decided-step.ts";
import type { Sealing, ValidationInput } from "./sealed.ts";
import type { TrackValidation } from "./track-validation.ts";

/** The end of a leased validation, without the lease holder. */
export type Outcome = Omit<Finish, "worker"> & { readonly step: Step };

/**
 * Runs one validation until its decision, or until it must wait. Rejects with the errors of blobs, keys and
 * engine, and with errors of our own code. The caller classifies them.
 * Made by `makeRunValidation` (run-validation.ts) or `makeRunWithProvider` (provider/run-with-provider.ts).
 */
export type RunValidation = (validation: Validation, signal: AbortSignal) => Promise<Outcome | Retry>;

/**
 * The outcome of a validation that could not be analysed: FAILED, with reason 648. Rejects if its sealed
 * input cannot be opened, because the request is then not known.
 * Made by {@link makeFailValidation}.
 */
export type FailValidation = (validation: Validation) => Promise<Outcome>;

export type OutcomeDeps = {
  readonly sealing: Sealing;
  readonly trackValidation: TrackValidation;
  readonly engine: Pick<DocumentEngine, "models">;
  readonly policy: DocumentPolicy;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/** The outcome of a decision. An approval claims the document number. Every decision adds velocity events. */
export const decidedOutcome = async (
  deps: OutcomeDeps,
  validation: Validation,
  input: ValidationInput,
  { claim, velocityEvents, expected }: Pick<KnownHistory, "claim" | "velocityEvents" | "expected">,
  decided: { readonly record: VerificationRecord; readonly at: Date; readonly measurements: Json },
): Promise<Outcome> => {
  const record: VerificationRecord = {
    ...decided.record,
    ...(claim && { claim: recordedClaim(claim) }),
  };
  const end = await outcome(deps, validation, input, "DONE", { ...decided, record });
  return {
    ...end,
    ...(record.status === "Approved" && claim !== undefined && { claim }),
    ...(velocityEvents && { velocityEvents }),
    ...(expected && { expected }),
  };
};

export const makeFailValidation =
  (deps: OutcomeDeps): FailValidation =>
  async (validation) => {
    const at = deps.clock();
    const input = await deps.sealing.openInput(validation, validation.sealedInput);
    const record = failedRecord(input, at);
    const { attempts, deaths } = validation;
    const measurements = { attempts, ...(deaths !== undefined && { loneDeaths: deaths }) };
    return await outcome(deps, validation, input, "FAILED", { record, at, measurements });
  };

const outcome = async (
  deps: OutcomeDeps,
  validation: Validation,
  input: ValidationInput,
  status: Outcome["status"],
  {
    record,
    at,
    measurements,
  }: { readonly record: VerificationRecord; readonly at: Date; readonly measurements: Json },
): Promise<Outcome> => {
  const { id, tenantId, environment, attempt, revision } = validation;
  const transaction = decisionRecord(deps, { tenantId, environment, keyId: input.keyId }, at, {
    endpoint: "documentValidation",
    result: openResultOf(id, attempt, record),
    measurements,
    models: deps.engine.models,
  });
  const operation = await deps.trackValidation(validation, input, { status, record, transaction });
  return {
    tenantId,
    id,
    revision,
    status,
    at,
    ...(isDecision(record.status) && { decision: record.status }),
    sealedRecord: await deps.sealing.sealRecord(validation, record),
    transaction,
    step: decidedStep(deps.newId(), transaction, { operation }),
  };
};

type Decision = NonNullable<Finish["decision"]>;

const decisions: readonly string[] = [
  "Approved",
  "Declined",
  "Resubmission",
  "Review",
] satisfies readonly Decision[];

const isDecision = (status: string): status is Decision => decisions.includes(status);
