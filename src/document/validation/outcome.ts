import type { Finish, Json, Step, TransactionRecord, Validation } from "#storage/store";
import type { DocumentEngine } from "../engine.ts";
import type { KnownHistory } from "../history.ts";
import type { DocumentPolicy } from "../policy.ts";
import { failedRecord, openResultOf, type VerificationRecord } from "../verification-record.ts";
import { decidedStep } from "./decided-step.ts";
import type { Sealing, ValidationInput } from "./sealed.ts";

/** What a leased validation ends with, but for the worker that ends it. */
export type Outcome = Omit<Finish, "worker"> & { readonly step: Step };

/** Nobody has decided yet: it is looked at again. */
export type Postponed = { readonly until: Date };

/**
 * Brings one validation to its decision, or as far as it can be brought now. Rejects as blobs and keys do, as the engine
 * does, and with whatever is wrong in our own code; the caller decides whether to try again.
 */
export type RunValidation = (validation: Validation, signal: AbortSignal) => Promise<Outcome | Postponed>;

/**
 * What a validation ends with that could not be analysed: FAILED, with reason 648. Rejects where its own row cannot be
 * opened: who asked for what is then not known.
 */
export type FailValidation = (validation: Validation) => Promise<Outcome>;

export type OutcomeDeps = {
  readonly sealing: Sealing;
  readonly engine: Pick<DocumentEngine, "models">;
  readonly policy: DocumentPolicy;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/** The end of a validation that was decided; an approval claims its number, and every decision is counted. */
export const decidedOutcome = async (
  deps: OutcomeDeps,
  validation: Validation,
  input: ValidationInput,
  { claim, sightings }: Pick<KnownHistory, "claim" | "sightings">,
  decided: { readonly record: VerificationRecord; readonly at: Date; readonly measurements: Json },
): Promise<Outcome> => {
  const record: VerificationRecord = {
    ...decided.record,
    ...(claim && { claim: { ...claim, seen: [...claim.seen] } }),
  };
  const end = await outcome(deps, validation, input, "DONE", { ...decided, record });
  return {
    ...end,
    ...(record.status === "Approved" && claim !== undefined && { claim }),
    ...(sightings && { sightings }),
  };
};

export const makeFailValidation =
  (deps: OutcomeDeps): FailValidation =>
  async (validation) => {
    const at = deps.clock();
    const input = await deps.sealing.openInput(validation, validation.sealedInput);
    const record = failedRecord(input, at);
    const measurements = { attempts: validation.attempts };
    return await outcome(deps, validation, input, "FAILED", { record, at, measurements });
  };

const outcome = async (
  deps: OutcomeDeps,
  { id, tenantId, world, attempt, revision }: Validation,
  input: ValidationInput,
  status: Outcome["status"],
  {
    record,
    at,
    measurements,
  }: { readonly record: VerificationRecord; readonly at: Date; readonly measurements: Json },
): Promise<Outcome> => {
  const transaction: TransactionRecord = {
    id: deps.newId(),
    tenantId,
    keyId: input.keyId,
    world,
    endpoint: "documentValidation",
    at,
    result: openResultOf(id, attempt, record),
    measurements,
    policyVersion: deps.policy.version,
    models: deps.engine.models,
    tokenHashes: [],
  };
  return {
    tenantId,
    id,
    revision,
    status,
    at,
    ...(isDecision(record.status) && { decision: record.status }),
    sealedRecord: await deps.sealing.sealRecord({ tenantId, id }, record),
    transaction,
    step: decidedStep(deps.newId(), transaction),
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
