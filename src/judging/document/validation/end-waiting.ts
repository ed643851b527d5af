import { Failure } from "#contract/failure";
import { stepOf } from "#record/transactions/record-call";
import type { DocumentPolicy } from "../decision/policy.ts";
import {
  codeOfStatus,
  endedRecord,
  submittedRecord,
  type VerificationRecord,
} from "../decision/verification-record.ts";
import type { Validation } from "../store/validation.ts";
import type { WaitingCommands } from "../store/waiting-store.ts";
import { decidedStep, decisionRecord } from "./decided-step.ts";
import type { Sealing, ValidationInput } from "./sealed.ts";
import type { TrackValidation } from "./track-validation.ts";
import { waitCutoff } from "./wait-cutoff.ts";

export type EndWaitingDeps = {
  readonly store: Pick<WaitingCommands, "listWaiting" | "endValidation">;
  readonly sealing: Sealing;
  readonly trackValidation: TrackValidation;
  readonly policy: DocumentPolicy;
  readonly clock: () => Date;
  readonly newId: () => string;
  /** Operator's log: the id of the validation that could not be ended, and the error. No content. */
  readonly onError: (what: string, validationId: string, error: unknown) => void;
};

/**
 * Ends validations that waited longer than the policy allows (9104): Abandoned if better images never came,
 * Expired if no decision was made. Each end is its own commit and names the revision that was read, so that
 * several processes, or one that dies, end no validation twice. An error is reported, and the next round
 * tries again. Resolves with the number of ended validations. Rejects if the store cannot list them.
 * Made by {@link makeEndWaiting}.
 */
export type EndWaiting = (signal: AbortSignal) => Promise<number>;

export const makeEndWaiting =
  (deps: EndWaitingDeps): EndWaiting =>
  async (signal) => {
    let ended = 0;
    let last: Validation | undefined;
    do {
      const now = deps.clock();
      const waiting = await deps.store.listWaiting(waitCutoff(deps.policy, now), now, last);
      last = waiting.at(-1);
      for (const validation of waiting) {
        if (signal.aborted) return ended;
        if (await endOrReport(deps, validation, now)) ended++;
      }
    } while (last !== undefined);
    return ended;
  };

const endOrReport = async (deps: EndWaitingDeps, validation: Validation, at: Date): Promise<boolean> => {
  try {
    return await endOne(deps, validation, at);
  } catch (error) {
    deps.onError("end", validation.id, error);
    return false;
  }
};

const endOne = async (deps: EndWaitingDeps, validation: Validation, at: Date): Promise<boolean> => {
  const { tenantId, id, revision, status, attempt } = validation;
  const decision = status === "PENDING" && attempt === 1 ? "Expired" : "Abandoned";
  const ending = { tenantId, id, revision, decision, at } as const;
  const opened = await findContent(deps.sealing, validation);
  if (opened === undefined) {
    return await deps.store.endValidation(ending, stepOf());
  }
  const record = endedRecord(opened.record, at);
  const { input } = opened;
  const { keyId } = input;
  const transaction = decisionRecord(deps, { ...validation, keyId }, at, {
    endpoint: "documentValidation",
    result: { scanReference: id, attempt, code: codeOfStatus("Expired/Abandoned"), decision },
    measurements: null,
  });
  const sealedRecord = await deps.sealing.sealRecord(validation, record);
  const operation = await deps.trackValidation(validation, input, { status: "DONE", record, transaction });
  const step = decidedStep(deps.newId(), transaction, { operation, kind: "document_ended" });
  return await deps.store.endValidation({ ...ending, sealedRecord, transaction }, step);
};

/** Undefined if the seal is broken or the key destroyed. Then only the row states the end. */
const findContent = async (
  sealing: Sealing,
  validation: Validation,
): Promise<{ readonly input: ValidationInput; readonly record: VerificationRecord } | undefined> => {
  try {
    const input = await sealing.openInput(validation, validation.sealedInput);
    const { sealedRecord } = validation;
    const record =
      sealedRecord === undefined
        ? submittedRecord(input)
        : await sealing.openRecord(validation, sealedRecord);
    return { input, record };
  } catch (error) {
    if (error instanceof Failure && (error.code === "stored_damaged" || error.code === "not_found")) {
      return undefined;
    }
    throw error;
  }
};
