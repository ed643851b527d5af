import { move, transferableSymbol, valueSymbol } from "piscina";
import { Failure } from "#contract/failure";
import type { Timings } from "#machine/networks/networks";
import { Moved, type TaskAnswer, type TaskMessage, type TaskTable } from "./task.ts";
import { beginTask } from "./unbroken.ts";

/**
 * The cause of a Failure as one line for the operator. An Error may have properties that cannot be cloned.
 */
const causeOf = ({ cause }: Failure): { readonly cause?: string } =>
  cause instanceof Error ? { cause: `${cause.name}: ${cause.message}` } : {};

/** The answer in the form that hands its buffers over. */
const handOver = (answer: TaskAnswer, buffers: readonly ArrayBuffer[]): unknown =>
  move({ [transferableSymbol]: [...buffers], [valueSymbol]: answer });

/** The thread's side of a pool: runs one task of the table and returns its answer. Never throws. */
export const serveTasks =
  (tasks: TaskTable, takeTimings: () => Timings) =>
  async ({ task: name, input, ending }: TaskMessage<never>): Promise<unknown> => {
    if (name === undefined) return { kind: "done", value: undefined, timings: {} };
    if (ending !== undefined) beginTask(ending);
    try {
      const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
      if (task === undefined || input === undefined) throw new Error(`There is no task ${name}, or no input`);
      const result = await task(input);
      const [value, buffers] = result instanceof Moved ? [result.value, result.buffers] : [result, []];
      const answer = { kind: "done", value, timings: takeTimings() } as const;
      return buffers.length === 0 ? answer : handOver(answer, buffers);
    } catch (error) {
      const timings = takeTimings();
      if (!(error instanceof Failure)) return { kind: "threw", error: asError(error), timings };
      return { kind: "failed", code: error.code, facts: error.facts, timings, ...causeOf(error) };
    }
  };

/** A plain Error with the stack of the original. It can always be cloned. */
const asError = (thrown: unknown): Error => {
  const error = new Error(thrown instanceof Error ? thrown.message : String(thrown));
  if (thrown instanceof Error && thrown.stack !== undefined) error.stack = thrown.stack;
  return error;
};
