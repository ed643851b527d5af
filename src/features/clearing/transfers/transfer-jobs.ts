import { Failure, type FailureCode } from "#contract/failure";
import { classifyFailure } from "#record/jobs/classify-failure";
import type { ErrorKind, JobDefinition } from "#record/jobs/job";
import type { LeaseLoopOptions } from "#record/jobs/lease-loop";
import type { Transfer } from "../store/transfer.ts";
import type { TransferCommands } from "../store/transfer-store.ts";
import { makeRunTransfer, type RunTransferDeps, TransferLost } from "./run-transfer.ts";
import { type MovedTransfer, prepareMove } from "./transfer-step.ts";

export const transferLoopOptions = {
  /** For transfers of other processes and for those that wait. A creation in this process wakes the loop. */
  pollMs: 5_000,
  /** Longer than a call of the entity with its renewals. */
  leaseMs: 45_000,
  attemptsMax: 3,
  deathsMax: 3,
  /** The work is to wait for the entity. */
  concurrency: 4,
} as const satisfies LeaseLoopOptions;

export type TransferJobsDeps = RunTransferDeps & {
  readonly store: Pick<
    TransferCommands,
    "leaseTransfers" | "renewTransfer" | "retryTransfer" | "moveTransfer" | "findTransfer"
  >;
};

/** Transfers as jobs. The row of a transfer is its job. */
export const makeTransferJobs = (deps: TransferJobsDeps): JobDefinition<Transfer, MovedTransfer> => {
  const { store, holder: worker } = deps;
  const heldBy = ({ tenantId, id }: Pick<Transfer, "tenantId" | "id">) => ({ tenantId, id, worker });
  return {
    lease: (request) => store.leaseTransfers({ ...request, worker }),
    renew: (transfer, until) => store.renewTransfer(heldBy(transfer), until),
    retry: (transfer, until, isCounted) => store.retryTransfer(heldBy(transfer), until, isCounted),
    finish: async (_, { change, step }) =>
      (await store.moveTransfer(heldBy(change), change, step)) ? "finished" : "lost",
    run: makeRunTransfer(deps),
    fail: (transfer) => failTransfer(deps, transfer),
    minimalFailure: (transfer) => ({
      change: {
        ...transfer,
        state: transfer.state === "created" ? "refused" : "unclear",
        reason: "failed",
        at: deps.clock(),
      },
      step: { evidence: [] },
    }),
    classify,
    waitingSince: ({ waitsSince }) => waitsSince,
  };
};

/** Ends a transfer as it is now: the run may have moved it since the lease. */
const failTransfer = async (deps: TransferJobsDeps, leased: Transfer): Promise<MovedTransfer> => {
  const transfer = (await deps.store.findTransfer(leased, leased.id)) ?? leased;
  const content = await deps.sealing.open(transfer);
  return await prepareMove(deps, transfer, { move: "given-up", content, reason: "failed" });
};

/**
 * Until the operator has set up the entity, and until an engine is free, a transfer waits and spends no
 * attempt.
 */
const waitsFor: readonly FailureCode[] = ["clearing_not_configured", "engine_busy"];

const classify = (error: unknown): ErrorKind => {
  if (error instanceof TransferLost) return "lost";
  return error instanceof Failure && waitsFor.includes(error.code) ? "transient" : classifyFailure(error);
};
