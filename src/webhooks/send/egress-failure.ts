import type { EgressError } from "#egress/egress";
import type { AttemptOutcome } from "./send.ts";

/** Whether an error is that of an outgoing call. By name: a module imports only the types of another. */
export const isEgressError = (error: unknown): error is EgressError =>
  error instanceof Error && error.name === "EgressError";

/** The outcome of an attempt whose call failed. */
export const outcomeOf = ({ reason }: Pick<EgressError, "reason">): AttemptOutcome => {
  switch (reason) {
    case "url_refused":
    case "address_refused":
    case "redirect_refused":
      return "blocked";
    case "timed_out":
      return "timed_out";
    case "unreachable":
    case "too_long":
    case "cut":
      return "unreachable";
  }
};

/**
 * The cause of a failed call for the owner of the destination. The address behind a refused name is left out: it would
 * show the operator's network.
 */
export const reasonOf = (
  { reason, message }: Pick<EgressError, "reason" | "message">,
  url: string,
): string =>
  reason === "address_refused"
    ? `${URL.parse(url)?.host ?? "The host"} is at an address where this service may not connect`
    : message;
