import type { operationFinishedStatuses } from "#contract/event";
import type { EndedState, OperationState } from "#contract/tracking-code";

/**
 * What a step does to its operation. A `call` opens it where it is new and keeps it open. So does a
 * `callByToken`, which names the operation by its tracking token alone. A `decision` comes after its call,
 * such as that of a review, and changes no state. An `end` ends it.
 */
export type OperationMove =
  | { readonly kind: "call" | "callByToken" | "decision" }
  | { readonly kind: "end"; readonly state: EndedState };

/**
 * The state after a move. `operation_finished` and `not_found` refuse the step. `dropped`: the step is left
 * out and its call stands. The operation of a decision was removed, or a tracking token alone names one that
 * has ended: an SDK may use a token again, and tracking never stops a judgement.
 */
export type JudgedMove =
  | { readonly state: OperationState }
  | { readonly refused: "operation_finished" | "not_found" }
  | "dropped";

/** Judges a move of an operation. `state` is undefined where there is no such operation. */
export const judgeMove = (state: OperationState | undefined, move: OperationMove): JudgedMove => {
  if (move.kind === "end") return judgeEnd(state, move.state);
  if (move.kind === "decision") return state === undefined ? "dropped" : { state };
  if (state === undefined || state === "open") return { state: "open" };
  return move.kind === "callByToken" ? "dropped" : finished;
};

const finished = { refused: "operation_finished" } as const;

const judgeEnd = (state: OperationState | undefined, end: EndedState): JudgedMove => {
  if (state === undefined) return { refused: "not_found" };
  return state === "open" ? { state: end } : finished;
};

/**
 * What a request to end an operation does: it ends an open one. The same end again is `repeated` and changes
 * nothing. Another end is `refused`.
 */
export const judgeFinish = (state: OperationState, end: EndedState): "ended" | "repeated" | "refused" => {
  if (state === "open") return "ended";
  return state === end ? "repeated" : "refused";
};

/** `status` of operation_finished for each end (decision 0047). */
export const eventStatusOf: Readonly<Record<EndedState, (typeof operationFinishedStatuses)[number]>> = {
  SUCCEEDED: "SUCCEEDED",
  DENIED: "DENIED",
  ERROR: "ERROR",
  CANCELLED: "DENIED",
  BLACKLISTED: "BLACKLISTED",
  EXPIRED: "EXPIRED",
};
