import { Failure } from "#contract/failure";
import type { Store, TransactionRecord, Validation } from "#storage/store";
import type { DocumentPolicy } from "../policy.ts";
import {
  codeOfStatus,
  endedRecord,
  submittedRecord,
  type VerificationRecord,
} from "../verification-record.ts";
import { decidedStep } from "./decided-step.ts";
import type { Sealing, ValidationInput } from "./sealed.ts";
import { silentBefore } from "./silence.ts";

export type EndWaitingDeps = {
  readonly store: Pick<Store, "listWaiting" | "endValidation">;
  readonly sealing: Sealing;
  readonly policy: DocumentPolicy;
  readonly clock: () => Date;
  readonly newId: () => string;
  /** Operator's log: the validation that could not be ended, never what it says. */
  readonly onError: (what: string, validationId: string, error: unknown) => void;
};

/**
 * Ends what waited longer than the policy allows (9104): Abandoned where better pictures never came, Expired where it
 * was never decided. Each end is a commit of its own and is made only to what was seen, so that a process that dies in
 * between, or several at once, end nothing twice. One that cannot be ended is reported and left to the next sweep. Resolves
 * with how many it ended. Rejects where the store cannot list them.
 */
export type EndWaiting = (signal: AbortSignal) => Promise<number>;

export const makeEndWaiting =
  (deps: EndWaitingDeps): EndWaiting =>
  async (signal) => {
    let ended = 0;
    let last: Validation | undefined;
    do {
      const now = deps.clock();
      const waiting = await deps.store.listWaiting(silentBefore(deps.policy, now), now, last);
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
  const opened = await openOrNothing(deps.sealing, validation);
  if (opened === undefined) {
    return await deps.store.endValidation(ending, { events: [], evidence: [] });
  }
  const record = endedRecord(opened.record, at);
  const transaction = transactionOf(deps, validation, opened.input, decision, at);
  const sealedRecord = await deps.sealing.sealRecord(validation, record);
  const step = decidedStep(deps.newId(), transaction, "document_ended");
  return await deps.store.endValidation({ ...ending, sealedRecord, transaction }, step);
};

/** Nothing where the seal is broken or the key destroyed: then only the row can say that it is over. */
const openOrNothing = async (
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

const transactionOf = (
  { newId, policy }: EndWaitingDeps,
  { tenantId, world, id, attempt }: Validation,
  { keyId }: ValidationInput,
  decision: "Expired" | "Abandoned",
  at: Date,
): TransactionRecord => ({
  id: newId(),
  tenantId,
  keyId,
  world,
  endpoint: "documentValidation",
  at,
  result: { scanReference: id, attempt, code: codeOfStatus("Expired/Abandoned"), decision },
  measurements: null,
  policyVersion: policy.version,
  models: {},
  tokenHashes: [],
});
