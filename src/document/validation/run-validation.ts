import type { Blobs } from "#storage/blobs";
import type { Finish, Json, Step, TransactionRecord, Validation } from "#storage/store";
import { decideDocument, measurementsOf } from "../decide.ts";
import type { DocumentEngine } from "../engine.ts";
import type { ExtractedDocument } from "../extract-document.ts";
import type { CollectFields } from "../fields.ts";
import type { HistoryQuestion, LookUpHistory } from "../history.ts";
import { canonicalNumber } from "../numbers/canonical-number.ts";
import type { DocumentPolicy } from "../policy.ts";
import {
  failedRecord,
  keptFinding,
  openResultOf,
  recordOf,
  sureValue,
  type VerificationRecord,
} from "../verification-record.ts";
import { decidedStep } from "./decided-step.ts";
import type { Sealing, ValidationInput } from "./sealed.ts";

/** What a leased validation ends with, but for the worker that ends it. */
export type Outcome = Omit<Finish, "worker"> & { readonly step: Step };

/**
 * Reads and decides one validation. Rejects as blobs and keys do, as the engine does, and with whatever is wrong in our
 * own code; the caller decides whether to try again.
 */
export type RunValidation = (validation: Validation, signal: AbortSignal) => Promise<Outcome>;

/**
 * What a validation ends with that could not be analysed: FAILED, with reason 648. Rejects where its own row cannot be
 * opened: who asked for what is then not known.
 */
export type FailValidation = (validation: Validation) => Promise<Outcome>;

export type RunValidationDeps = {
  readonly blobs: Pick<Blobs, "get">;
  readonly sealing: Sealing;
  readonly engine: DocumentEngine;
  readonly collectFields: CollectFields;
  readonly lookUpHistory: LookUpHistory;
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
    const reading = await deps.engine.read(pictures, { type: input.type, attacks: true }, signal);
    const at = deps.clock();
    const fields = deps.collectFields(reading, at);
    const known = await deps.lookUpHistory(questionOf(validation, input, { reading, fields }, signal));
    const { findings, attack, decision } = decideDocument(
      { reading, fields },
      input,
      at,
      deps.policy,
      known.history,
      validation.attempt,
    );
    const record = {
      ...recordOf(fields, input.type, decision, at),
      findings: findings.map(keptFinding),
      ...(known.claim && { claim: { ...known.claim, seen: [...known.claim.seen] } }),
    };
    const measurements = measurementsOf(reading, findings, known.record, attack);
    const end = await outcome(deps, validation, input, "DONE", record, at, measurements);
    const isClaimed = decision.status === "Approved" && known.claim !== undefined;
    return {
      ...end,
      ...(isClaimed && { claim: known.claim }),
      ...(known.sightings && { sightings: known.sightings }),
    };
  };

/** Asks by values that are sure alone: an unsure number would be another document's. */
const questionOf = (
  { tenantId, world }: Validation,
  { merchantReference }: ValidationInput,
  { reading, fields }: ExtractedDocument,
  signal: AbortSignal,
): HistoryQuestion => {
  const country = sureValue(fields, "issuer");
  const numberOf = (name: "documentNumber" | "personalNumber") => {
    const text = sureValue(fields, name);
    return country === null || text === null
      ? undefined
      : ([country, canonicalNumber(country, text)] as const);
  };
  const [number, personalNumber] = [numberOf("documentNumber"), numberOf("personalNumber")];
  const portrait = reading.front.portrait?.jpeg;
  const lastName = sureValue(fields, "lastName");
  return {
    owner: { tenantId, world },
    customer: merchantReference,
    signal,
    ...(portrait && { portrait }),
    ...(lastName !== null && {
      person: {
        lastName,
        firstName: sureValue(fields, "firstName"),
        dateOfBirth: sureValue(fields, "dateOfBirth"),
      },
    }),
    ...(number && { number }),
    ...(personalNumber && { personalNumber }),
  };
};

export const makeFailValidation =
  (deps: RunValidationDeps): FailValidation =>
  async (validation) => {
    const at = deps.clock();
    const input = await deps.sealing.openInput(validation, validation.sealedInput);
    const record = failedRecord(input, at);
    return await outcome(deps, validation, input, "FAILED", record, at, { attempts: validation.attempts });
  };

const outcome = async (
  deps: RunValidationDeps,
  { id, tenantId, world, attempt }: Validation,
  input: ValidationInput,
  status: Outcome["status"],
  record: VerificationRecord,
  at: Date,
  measurements: Json,
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
