import { type Facts, Failure, type FailureCode } from "#contract/failure";
import type { Answers, Arguments, CommandName } from "./commands.ts";
import { isOutage, messageOf } from "./outage.ts";

/** What the store's thread is started with. */
export type StoreThread = { readonly path: string };

/** One command on its way to the store's thread; `number` finds the caller again. */
export type Request<Name extends CommandName = CommandName> = {
  readonly number: number;
  readonly name: Name;
  readonly args: Arguments[Name];
};

/** A refusal that crosses the thread boundary: classes do not survive the structured clone. */
export type Refusal =
  | { readonly kind: "failure"; readonly code: FailureCode; readonly facts: Facts }
  /** Another process holds the file, or the disk takes no writes; nothing was written and a later try may succeed. */
  | { readonly kind: "unavailable"; readonly message: string }
  /** The batch was not committed and the store takes no further command. */
  | { readonly kind: "unhealthy"; readonly message: string }
  | { readonly kind: "error"; readonly message: string };

export type Reply<Answer> =
  | { readonly number: number; readonly answer: Answer }
  | { readonly number: number; readonly refusal: Refusal };

/** What the store's thread says. `opened` comes first, once; `refused` instead of it ends the thread. */
export type StoreMessage<Answer = Answers[CommandName]> =
  | { readonly kind: "opened" }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "replies"; readonly replies: readonly Reply<Answer>[] };

export const refusalOf = (error: unknown): Refusal => {
  if (error instanceof Failure) {
    return { kind: "failure", code: error.code, facts: error.facts };
  }
  return { kind: isOutage(error) ? "unavailable" : "error", message: messageOf(error) };
};

export const errorOf = (refusal: Refusal): Error => {
  if (refusal.kind === "failure") {
    return new Failure(refusal.code, refusal.facts);
  }
  const cause = new Error(refusal.message);
  return refusal.kind === "error" ? cause : new Failure("store_unavailable", {}, { cause });
};
