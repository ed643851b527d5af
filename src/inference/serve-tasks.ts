import { Failure } from "../contract/failure.ts";
import type { Timings } from "./networks.ts";
import type { TaskAnswer, TaskMessage, TaskTable } from "./task.ts";

/** The cause of a Failure in one line, for the operator; an Error's own properties may not be cloneable. */
const causeOf = ({ cause }: Failure): { readonly cause?: string } =>
  cause instanceof Error ? { cause: `${cause.name}: ${cause.message}` } : {};

/** The thread's side of a pool: runs one task of the table and answers; never throws. */
export const serveTasks =
  (tasks: TaskTable, takeTimings: () => Timings) =>
  async ({ task: name, input }: TaskMessage<never>): Promise<TaskAnswer> => {
    if (name === undefined) return { kind: "done", value: undefined, timings: {} };
    try {
      const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
      if (task === undefined || input === undefined) throw new Error(`There is no task ${name}, or no input`);
      return { kind: "done", value: await task(input), timings: takeTimings() };
    } catch (error) {
      const timings = takeTimings();
      if (!(error instanceof Failure)) return { kind: "threw", error: asError(error), timings };
      return { kind: "failed", code: error.code, facts: error.facts, timings, ...causeOf(error) };
    }
  };

/** A plain Error with the stack of the original: always cloneable. */
const asError = (thrown: unknown): Error => {
  const error = new Error(thrown instanceof Error ? thrown.message : String(thrown));
  if (thrown instanceof Error && thrown.stack !== undefined) error.stack = thrown.stack;
  return error;
};
