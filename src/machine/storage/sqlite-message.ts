import { type Facts, Failure, type FailureCode } from "#contract/failure";
import { isOutage, messageOf } from "./outage.ts";
import { RowFault } from "./rights/row-fault.ts";

/** The arguments that start the store's thread. */
export type StoreThread = { readonly path: string };

/** A command sent to the store's thread; `number` identifies its caller. */
export type Request = {
  readonly number: number;
  readonly name: string;
  readonly args: readonly unknown[];
};

/** A refusal that crosses the thread boundary: classes do not survive the structured clone. */
export type Refusal =
  | {
      readonly kind: "failure";
      readonly code: FailureCode;
      readonly facts: Facts;
      /** The sentence of a {@link RowFault}, for the operator's log. */
      readonly rowFault?: string;
    }
  /**
   * Another process holds the file, or the disk takes no writes; nothing was written and a retry may succeed.
   */
  | { readonly kind: "unavailable"; readonly message: string }
  /** The batch was not committed and the store accepts no further command. */
  | { readonly kind: "unhealthy"; readonly message: string }
  | { readonly kind: "error"; readonly message: string };

export type Reply =
  | { readonly number: number; readonly answer: unknown }
  | { readonly number: number; readonly refusal: Refusal };

/**
 * Messages of the store's thread. `opened` comes first, once, with the names of the commands: the caller then
 * loads neither the commands nor their query builder. `refused` instead of it ends the thread.
 */
export type StoreMessage =
  | { readonly kind: "opened"; readonly names: readonly string[] }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "replies"; readonly replies: readonly Reply[] };

export const refusalOf = (error: unknown): Refusal => {
  if (error instanceof Failure) {
    const { code, facts, cause } = error;
    return { kind: "failure", code, facts, ...(cause instanceof RowFault && { rowFault: cause.message }) };
  }
  return { kind: isOutage(error) ? "unavailable" : "error", message: messageOf(error) };
};

export const errorOf = (refusal: Refusal): Error => {
  if (refusal.kind === "failure") {
    const { code, facts, rowFault } = refusal;
    return new Failure(code, facts, rowFault === undefined ? {} : { cause: new RowFault(rowFault) });
  }
  const cause = new Error(refusal.message);
  return refusal.kind === "error" ? cause : new Failure("store_unavailable", {}, { cause });
};
