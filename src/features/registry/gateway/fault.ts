import { Failure } from "#contract/failure";
import type { EgressError } from "#machine/egress/egress";
import type { RegistryCountry } from "../registry.ts";

type FaultKind = {
  /** A second try may succeed. */
  readonly isTransient?: boolean;
  /**
   * The registry answered, and its answer about this person alone is wrong: the breaker does not count it.
   */
  readonly isAboutPerson?: boolean;
  readonly isTimeOut?: boolean;
  /** Milliseconds that the registry asks to wait. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
};

/**
 * Why a question got no answer. The message is for the caller: it holds no host and no value of an answer.
 */
export class RegistryFault extends Error {
  override readonly name = "RegistryFault";
  readonly kind: FaultKind;

  constructor(reason: string, { cause, ...kind }: FaultKind = {}) {
    super(reason, { cause });
    this.kind = kind;
  }
}

/** By name: a module imports only the types of another. */
const isEgressError = (error: unknown): error is EgressError =>
  error instanceof Error && error.name === "EgressError";

const reasons = {
  url_refused: "its address is refused",
  address_refused: "its address is refused",
  redirect_refused: "it redirects, which is not followed",
  unreachable: "it cannot be reached",
  timed_out: "it did not answer in time",
  too_long: "its answer is too long",
  cut: "its answer broke off",
  interrupted: "the call was interrupted here",
} as const satisfies Readonly<Record<EgressError["reason"], string>>;

/** The fault behind a failed call; undefined for an error that no call made. */
export const faultOf = (error: unknown): RegistryFault | undefined => {
  if (error instanceof RegistryFault) return error;
  if (!isEgressError(error)) return undefined;
  const { reason } = error;
  const isTransient = reason === "unreachable" || reason === "cut" || reason === "interrupted";
  return new RegistryFault(reasons[reason], { isTransient, isTimeOut: reason === "timed_out", cause: error });
};

/** The declared failure of a question. `timeoutMs` is the time that the settings give it. */
export const failureOf = (fault: RegistryFault, country: RegistryCountry, timeoutMs: number): Failure =>
  fault.kind.isTimeOut === true
    ? new Failure("timed_out", { country, timeoutMs }, { cause: fault })
    : new Failure(
        "upstream_failed",
        { country, reason: `civil registry: ${fault.message}` },
        { cause: fault },
      );

/** The failure of a question that is not sent, because the registry is paused. */
export const pausedFailure = (country: RegistryCountry, pausedMs: number): Failure =>
  new Failure("upstream_failed", {
    country,
    reason: "civil registry: it is paused after failures",
    retryAfterSeconds: Math.max(1, Math.ceil(pausedMs / 1000)),
  });
