import { expiryReason } from "#contract/tracking-code";
import { stepOf } from "#record/transactions/record-call";
import { type Ending, type EndingDeps, prepareEnd } from "./end-operation.ts";
import type { Operation } from "./operation.ts";
import type { OperationCommands } from "./store/operation-store.ts";

export type ExpireDeps = EndingDeps & {
  readonly store: Pick<OperationCommands, "listExpired" | "expireOperation">;
  readonly clock: () => Date;
  readonly count: (state: Ending["state"]) => void;
  /** Operator's log: an operation that could not be ended. Its id comes from outside and is not logged. */
  readonly onError: (error: unknown) => void;
};

/** Pause between two rounds: an operation ends within a minute of its time, also after a slow round. */
export const expireEveryMs = 20_000;

/**
 * Ends open operations whose time is over, with operation_finished, each in its own commit. Several
 * processes, or one that dies, end no operation twice: the commit names the expiry that was read. An
 * operation that fails stays for the next round and delays no other. Resolves with the number that this
 * process ended.
 */
export type ExpireOperations = (signal: AbortSignal) => Promise<number>;

export const makeExpireOperations =
  (deps: ExpireDeps): ExpireOperations =>
  async (signal) => {
    const now = deps.clock();
    let ended = 0;
    let last: Operation | undefined;
    do {
      const due = await deps.store.listExpired(now, last);
      last = due.at(-1);
      for (const operation of due) {
        if (signal.aborted) return ended;
        if (await endOrReport(deps, operation, now)) ended++;
      }
    } while (last !== undefined);
    return ended;
  };

const endOrReport = async (deps: ExpireDeps, operation: Operation, at: Date): Promise<boolean> => {
  try {
    const ending = { state: "EXPIRED", reason: expiryReason } as const;
    const step = { transactionId: deps.newId(), endpoint: "expiry", at };
    const prepared = await prepareEnd(deps, operation, step, ending);
    const isEnded = await deps.store.expireOperation(operation, stepOf(prepared));
    if (isEnded) deps.count("EXPIRED");
    return isEnded;
  } catch (error) {
    deps.onError(error);
    return false;
  }
};
