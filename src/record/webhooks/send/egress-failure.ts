import type { EgressError, EgressReason } from "#machine/egress/egress";
import type { AttemptOutcome } from "./send.ts";

/**
 * Whether an error comes from an outgoing call. It is found by its name, because a module imports only the
 * types of another.
 */
export const isEgressError = (error: unknown): error is EgressError =>
  error instanceof Error && error.name === "EgressError";

/**
 * Whether this service itself broke the call off. It says nothing about the peer, which may have the message
 * or not: the delivery is due again, and no attempt is spent.
 */
export const isInterrupted = (error: unknown): boolean =>
  isEgressError(error) && error.reason === "interrupted";

const outcomes = {
  url_refused: "blocked",
  address_refused: "blocked",
  redirect_refused: "blocked",
  timed_out: "timed_out",
  unreachable: "unreachable",
  too_long: "unreachable",
  cut: "unreachable",
  interrupted: "unreachable",
} as const satisfies Readonly<Record<EgressReason, AttemptOutcome>>;

/** The outcome of an attempt whose call failed. */
export const outcomeOf = ({ reason }: Pick<EgressError, "reason">): AttemptOutcome => outcomes[reason];

/**
 * The cause of a failed call for the owner of the destination. The address behind a refused name is left out:
 * it would show the operator's network.
 */
export const reasonOf = (
  { reason, message }: Pick<EgressError, "reason" | "message">,
  url: string,
): string =>
  reason === "address_refused"
    ? `${URL.parse(url)?.host ?? "The host"} is at an address where this service may not connect`
    : message;
