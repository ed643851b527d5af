import { Failure, type FailureCode } from "#contract/failure";
import { classifyFailure } from "#record/jobs/classify-failure";
import type { ErrorKind, JobDefinition } from "#record/jobs/job";
import type { LeaseLoopOptions } from "#record/jobs/lease-loop";
import { stepOf } from "#record/transactions/record-call";
import type { LeaseCommands } from "../store/lease-store.ts";
import type { Held, Validation } from "../store/validation.ts";
import { LeaseLost } from "./lease-lost.ts";
import type { FailValidation, Outcome, RunValidation } from "./outcome.ts";

export const defaultValidationLoopOptions = {
  /** For jobs of other processes and for retries. A start in this process wakes the loop. */
  pollMs: 5_000,
  attemptsMax: 3,
  // The first death of a process poisons the job: four deaths at most for one validation.
  deathsMax: 3,
} as const satisfies Partial<LeaseLoopOptions>;

export type ValidationJobsDeps = {
  readonly store: Pick<
    LeaseCommands,
    "leaseValidations" | "renewLease" | "retryValidation" | "finishValidation"
  >;
  /**
   * Lease holder. Unique to this run of this process, so that a restarted process does not hold its old
   * leases.
   */
  readonly holder: string;
  readonly runValidation: RunValidation;
  readonly failValidation: FailValidation;
  readonly clock: () => Date;
};

/** Document validations as jobs. The row of a validation is its job. */
export const makeValidationJobs = ({
  store,
  holder: worker,
  runValidation,
  failValidation,
  clock,
}: ValidationJobsDeps): JobDefinition<Validation, Outcome> => {
  const heldBy = ({ tenantId, id, revision }: Validation): Held => ({ tenantId, id, revision, worker });
  return {
    lease: (request) => store.leaseValidations({ ...request, worker }),
    renew: (validation, until) => store.renewLease(heldBy(validation), until),
    retry: (validation, until, isCounted) => store.retryValidation(heldBy(validation), until, isCounted),
    finish: (_, { step, ...outcome }) => store.finishValidation({ ...outcome, worker }, step),
    run: async (validation, signal) => {
      const result = await runValidation(validation, signal);
      return "waitingSince" in result ? result : { outcome: result };
    },
    fail: failValidation,
    minimalFailure: ({ tenantId, id, revision }) => {
      return { tenantId, id, revision, status: "FAILED", at: clock(), step: stepOf() };
    },
    classify,
    waitingSince: ({ createdAt, waitsSince = createdAt }) => waitsSince,
  };
};

/** An object of the storage that is not whole now may be whole at the next attempt. */
const mayComeBack: readonly FailureCode[] = ["not_found", "stored_damaged"];

const classify = (error: unknown): ErrorKind => {
  if (error instanceof LeaseLost) return "lost";
  return error instanceof Failure && mayComeBack.includes(error.code) ? "unknown" : classifyFailure(error);
};
