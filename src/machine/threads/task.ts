import type { Facts, FailureCode } from "#contract/failure";
import type { Timings } from "#machine/networks/networks";
import type { Ending } from "./unbroken.ts";

/** Work of a thread. Input and result must be structured-cloneable. */
export type Task = (input: never) => Promise<unknown>;

/** A result whose buffers are handed over instead of copied. */
export class Moved<Value> {
  readonly value: Value;
  readonly buffers: readonly ArrayBuffer[];

  constructor(value: Value, buffers: readonly ArrayBuffer[]) {
    this.value = value;
    this.buffers = buffers;
  }
}

/** The tasks of a pool, by name. */
export type TaskTable = Readonly<Record<string, Task>>;

export type TaskInput<Tasks extends TaskTable, Name extends keyof Tasks> = Parameters<Tasks[Name]>[0];
export type TaskResult<Tasks extends TaskTable, Name extends keyof Tasks> = Received<
  Awaited<ReturnType<Tasks[Name]>>
>;

type Received<Result> = Result extends Moved<infer Value> ? Value : Result;

/** A message to a thread. Without a task it asks for an answer as soon as the thread is ready. */
export type TaskMessage<Input = unknown> = {
  readonly task?: string;
  readonly input?: Input;
  readonly ending?: Ending;
};

/**
 * The answer of a thread. An Error loses its class between threads, so a Failure travels as its code, facts
 * and cause. Made by {@link serveTasks}.
 */
export type TaskAnswer<Value = unknown> = { readonly timings: Timings } & (
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "failed"; readonly code: FailureCode; readonly facts: Facts; readonly cause?: string }
  | { readonly kind: "threw"; readonly error: unknown }
);
