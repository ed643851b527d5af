import { Failure, type FailureCode } from "#contract/failure";
import type { ErrorKind, JobDefinition } from "#record/jobs/job";
import type { LeaseLoopOptions } from "#record/jobs/lease-loop";
import { stepOf } from "#record/transactions/record-call";
import type { LeaseCommands } from "../store/lease-store.ts";
import type { Held, Validation } from "../store/validation.ts";
import { LeaseLost } from "./lease-lost.ts";
import type { FailValidation, Outcome, RunValidation } from "./outcome.ts";

export const defaultValidationLoopOptions = {
  /** For jobs of other processes and for postponed ones. A start in this process wakes the loop. */
  pollMs: 5_000,
  attemptsMax: 3,
  // One process death in company makes a suspect: four deaths at most for one validation.
  loneDeathsMax: 3,
} as const satisfies Partial<LeaseLoopOptions>;

export type ValidationJobsDeps = {
  readonly store: Pick<
    LeaseCommands,
    "leaseValidations" | "renewLease" | "postponeValidation" | "giveBackValidation" | "finishValidation"
  >;
  /** Lease holder. Unique to this run of this process, so that a restarted process does not hold its old leases. */
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
    postpone: (validation, until) => store.postponeValidation(heldBy(validation), until),
    giveBack: (validation, until) => store.giveBackValidation(heldBy(validation), until),
    finish: (_, { step, ...outcome }) => store.finishValidation({ ...outcome, worker }, step),
    run: async (validation, signal) => {
      const result = await runValidation(validation, signal);
      return "waitingSince" in result ? result : { outcome: result };
    },
    fail: failValidation,
    bareFailure: ({ tenantId, id, revision }) => {
      return { tenantId, id, revision, status: "FAILED", at: clock(), step: stepOf() };
    },
    classify,
    waitingSince: ({ createdAt, waitsSince = createdAt }) => waitsSince,
  };
};

/** Store, object storage, master key or galleries are not available, a newer process must run it, or this one ends. */
const transient: readonly FailureCode[] = [
  "store_unavailable",
  "search_unavailable",
  "stored_newer",
  "shutting_down",
];

/** The image cannot be decoded, now or later. */
const permanent: readonly FailureCode[] = ["image_unreadable", "image_unsupported", "image_too_large"];

/** Any other error, of the engine or of our own code, may come back on every attempt: it is unknown and counts. */
const classify = (error: unknown): ErrorKind => {
  if (error instanceof LeaseLost) return "lost";
  if (!(error instanceof Failure)) return "unknown";
  if (error.code === "engine_busy") return "busy";
  if (transient.includes(error.code)) return "transient";
  return permanent.includes(error.code) ? "permanent" : "unknown";
};
