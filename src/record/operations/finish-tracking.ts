import type { Call } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { RecordCall } from "#record/transactions/record-call";
import { type Ending, type EndingDeps, prepareEnd } from "./end-operation.ts";
import { type FindFinishedDeps, findFinished } from "./find-finished.ts";
import type { Operation } from "./operation.ts";
import { judgeFinish } from "./operation-state.ts";
import type { OperationCommands } from "./store/operation-store.ts";

export type FinishDeps = EndingDeps & {
  readonly store: Pick<OperationCommands, "findOperation">;
  readonly recordCall: RecordCall;
  /** Called after each end that this process committed. */
  readonly count: (state: Ending["state"]) => void;
};

/** A call that ends an operation. */
export type FinishCall = Pick<
  Call<unknown>,
  "caller" | "transactionId" | "receivedAt" | "appName" | "tracking" | "deferCommit"
>;

/**
 * The operation after the call, and the transaction that ended it: an earlier one where the same end came
 * before.
 */
export type Finished = { readonly operationId: string; readonly transactionId: string };

/**
 * Ends the operation and commits its state, operation_finished, the record of the call and evidence together.
 * The same end again changes nothing and returns the first transaction. Fails with operation_finished for
 * another end.
 */
export const endOperation = async (
  deps: FinishDeps,
  operation: Operation,
  call: FinishCall,
  endpoint: string,
  ending: Ending,
): Promise<Finished> => {
  const { id: operationId, state, endedBy } = operation;
  const { transactionId, receivedAt: at } = call;
  const judged = judgeFinish(state, ending.state);
  if (judged === "refused") throw new Failure("operation_finished");
  if (judged === "repeated") return { operationId, transactionId: endedBy ?? transactionId };
  const prepared = await prepareEnd(deps, operation, { transactionId, endpoint, at }, ending);
  const result = { state: ending.state, reason: ending.reason ?? null };
  const entry = { endpoint, result, measurements: null, policyVersion: "", ...prepared };
  try {
    await deps.recordCall(call, entry);
  } catch (error) {
    const ended = await endedMeanwhile(deps, operation, error);
    return await endOperation(deps, ended, call, endpoint, ending);
  }
  deps.count(ending.state);
  return { operationId, transactionId };
};

/** The operation that another call ended after it was read. Rejects with the error where it was not so. */
const endedMeanwhile = async (
  { store }: FinishDeps,
  operation: Operation,
  error: unknown,
): Promise<Operation> => {
  if (!(error instanceof Failure) || error.code !== "operation_finished") throw error;
  const ended = await store.findOperation(operation, operation.id);
  if (ended === undefined || ended.state === "open") throw error;
  return ended;
};

/** Ends the operation that the tracking of the call names; see {@link makeFinishTracking}. */
export type FinishTracking = (call: FinishCall, ending: Ending) => Promise<Finished>;

/**
 * Fails with operation_unknown where the tenant and environment have no such operation, and as
 * {@link endOperation}.
 */
export const makeFinishTracking =
  (deps: FinishDeps & FindFinishedDeps): FinishTracking =>
  async (call, ending) => {
    const operation = await findFinished(deps, call);
    if (operation === undefined) throw new Failure("operation_unknown");
    return await endOperation(deps, operation, call, "finishTracking", ending);
  };
