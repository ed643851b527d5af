import type { Call } from "#contract/endpoint";
import { Failure, type FailureCode } from "#contract/failure";
import type { HashAuthentication } from "#record/transactions/authentication-hash";
import type { RecordCall } from "#record/transactions/record-call";
import type { TransactionCommands } from "#record/transactions/store/transaction-store";
import type { OpenToken } from "#trust/tokens/token";
import type { FaceEngine, FaceMeasurement, Wanted } from "./measurement.ts";
import type { FacePolicy } from "./policy.ts";
import type { BestImageRules } from "./use-best-image.ts";

/** The dependencies of every use case of this module. */
export type FaceService = {
  readonly engine: FaceEngine;
  readonly openToken: OpenToken;
  readonly store: Pick<TransactionCommands, "findTransaction">;
  readonly recordCall: RecordCall;
  readonly hashAuthentication: HashAuthentication;
  readonly policy: FacePolicy;
  readonly bestImages: BestImageRules;
  /** Reports an engine that broke: the caller receives only a number, the operator the cause. */
  readonly onError: (note: string, error: unknown) => void;
};

/** The call that a use case answers; part of the contract's `Call`. */
export type FaceCall = Pick<
  Call<unknown>,
  "caller" | "transactionId" | "receivedAt" | "signal" | "appName" | "tracking" | "family" | "deferCommit"
>;

/** The dependencies of measuring and judging, which record nothing. */
export type FaceDeps = Pick<FaceService, "engine" | "policy" | "bestImages" | "onError">;

/** The engine's answer, or the fact that it broke on this image. */
export type Measured =
  | FaceMeasurement
  | {
      readonly kind: "broken";
      /** The persona of the sandbox that broke it. */
      readonly persona?: string;
    };

/**
 * Failures that reach the caller: a retry soon helps, or the image does not belong to this environment. Any
 * other failure is a broken engine.
 */
const passedToCaller: ReadonlySet<FailureCode> = new Set([
  "engine_busy",
  "timed_out",
  "shutting_down",
  "persona_refused",
]);

const personaOf = (error: unknown): { readonly persona?: string } => {
  const persona = error instanceof Failure ? error.facts["persona"] : undefined;
  return typeof persona === "string" ? { persona } : {};
};

/**
 * Measures an image. A broken engine becomes a result, for which the interface has its own numbers, and its
 * cause is reported to the operator. Overload, time-out and an aborted call stay failures, so that nothing is
 * recorded and no token is used up.
 */
export const measureOrBroken = async (
  { engine, onError }: Pick<FaceService, "engine" | "onError">,
  bytes: Uint8Array,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Measured> => {
  try {
    return await engine.measure(bytes, wanted, signal);
  } catch (error) {
    if (signal.aborted || (error instanceof Failure && passedToCaller.has(error.code))) {
      throw error;
    }
    onError("The face engine broke while measuring an image", error);
    return { kind: "broken", ...personaOf(error) };
  }
};

/** Requires a usable reference image: otherwise fails with its image failure, named as this input. */
export const requireImage = (input: string, measured: Measured): void => {
  if (measured.kind === "unreadable" || measured.kind === "unprepared") {
    const { code, facts = {} } = measured;
    throw new Failure(code, { ...facts, input });
  }
};
