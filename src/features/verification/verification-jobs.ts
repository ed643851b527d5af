import { classifyFailure } from "#record/jobs/classify-failure";
import type { JobDefinition } from "#record/jobs/job";
import type { LeaseLoopOptions } from "#record/jobs/lease-loop";
import { endBecause } from "./decide.ts";
import { prepareEnd } from "./end-verification.ts";
import { makeRunVerification, VerificationLost } from "./run-verification.ts";
import type { RunDeps } from "./steps/step.ts";
import type { VerificationRow } from "./store/verification-row.ts";
import { openRow, type PreparedChange } from "./verifications.ts";

export const verificationLoopOptions = {
  /**
   * A capture, a validation or a review that has ended makes its verification due in the store: nothing else
   * tells this loop.
   */
  pollMs: 1_000,
  /** Longer than a judgement with its renewals. */
  leaseMs: 45_000,
  attemptsMax: 3,
  deathsMax: 3,
} as const satisfies Omit<LeaseLoopOptions, "concurrency">;

/** Verifications as jobs. The row of a verification is its job. */
export const makeVerificationJobs = (deps: RunDeps): JobDefinition<VerificationRow, PreparedChange> => {
  const { store, holder: worker } = deps;
  const heldBy = ({ tenantId, id }: Pick<VerificationRow, "tenantId" | "id">) => ({ tenantId, id, worker });
  const run = makeRunVerification(deps);
  return {
    lease: (request) => store.leaseVerifications({ ...request, worker }),
    renew: (row, until) => store.renewVerification(heldBy(row), until),
    retry: (row, until, isCounted) => store.retryVerification(heldBy(row), until, isCounted),
    finish: async (row, { change, step }) =>
      (await store.changeVerification(heldBy(row), change, step)) ? "finished" : "lost",
    run: async (row, signal) => await run(await openRow(deps, row), signal),
    fail: (row) => failVerification(deps, row),
    minimalFailure: (row) => ({
      change: {
        ...row,
        state: "FAILED",
        blobIds: [],
        added: [],
        removed: row.blobIds,
        settled: { at: deps.clock(), record: undefined },
      },
      step: { evidence: [] },
    }),
    classify: (error) => (error instanceof VerificationLost ? "lost" : classifyFailure(error)),
    waitingSince: ({ createdAt }) => createdAt,
  };
};

/** Ends a verification as it is now: the run may have moved it since the lease. */
const failVerification = async (deps: RunDeps, leased: VerificationRow): Promise<PreparedChange> => {
  const row = (await deps.store.findVerification(leased, leased.id)) ?? leased;
  return await prepareEnd(deps, await openRow(deps, row), endBecause("service_error"));
};
