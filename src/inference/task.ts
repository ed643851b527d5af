import type { Facts, FailureCode } from "../contract/failure.ts";
import type { Timings } from "./networks.ts";

/** Work that a thread does: structured-cloneable input in, structured-cloneable result out. */
export type Task = (input: never) => Promise<unknown>;

/** What the threads of a pool can do, by name. */
export type TaskTable = Readonly<Record<string, Task>>;

export type TaskInput<Tasks extends TaskTable, Name extends keyof Tasks> = Parameters<Tasks[Name]>[0];
export type TaskResult<Tasks extends TaskTable, Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>;

/** What goes to a thread. Without a name: answer as soon as you can work. */
export type TaskMessage<Input = unknown> = { readonly task?: string; readonly input?: Input };

/** An Error loses its class on the way between threads, so a Failure travels as what makes it up. */
export type TaskAnswer<Value = unknown> = { readonly timings: Timings } & (
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "failed"; readonly code: FailureCode; readonly facts: Facts; readonly cause?: string }
  | { readonly kind: "threw"; readonly error: unknown }
);
