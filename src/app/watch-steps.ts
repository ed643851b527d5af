import type { Store } from "./store.ts";

/** A store that reports committed events. Made by {@link watchSteps}. */
export type WatchedStore = {
  readonly store: Store;
  /** Calls the listener after each commit of a step that can hold events. */
  readonly onEvents: (listener: () => void) => void;
};

/**
 * The same store. A command whose arguments hold a step of an operation reports its commit, so that
 * deliveries start at once. It is a hint: the deliveries themselves stand in the store.
 */
export const watchSteps = (store: Store): WatchedStore => {
  const listeners: (() => void)[] = [];
  const report = (): void => listeners.forEach((listener) => listener());
  const get = (commands: Store, name: string | symbol): unknown => {
    const command: unknown = Reflect.get(commands, name);
    if (typeof command !== "function") return command;
    return (...args: readonly unknown[]): unknown => {
      const answer: unknown = Reflect.apply(command, undefined, args);
      if (answer instanceof Promise && args.some(mayHoldEvents)) answer.then(report, () => undefined);
      return answer;
    };
  };
  return { store: new Proxy(store, { get }), onEvents: (listener) => void listeners.push(listener) };
};

/** A step with an operation, or the step of an operation itself. */
const mayHoldEvents = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ("operation" in value || "operationId" in value);
