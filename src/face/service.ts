import type { Caller } from "#contract/endpoint";
import { Failure, type FailureCode } from "#contract/failure";
import type { Store } from "#storage/store";
import type { OpenToken } from "#tokens/token";
import type { FaceEngine, FaceMeasurement, Wanted } from "./measurement.ts";
import type { FacePolicy } from "./policy.ts";

/** What every use case of this room takes. */
export type FaceService = {
  readonly engine: FaceEngine;
  readonly openToken: OpenToken;
  readonly store: Pick<Store, "recordTransaction" | "findTransaction">;
  readonly policy: FacePolicy;
  /** How long a best-image token is accepted: its use is remembered that long. Same value as the opener's. */
  readonly bestImageTokenAgeMs: number;
  /** Told of an engine that broke: the caller hears only a number, the operator the cause. */
  readonly onError: (note: string, error: unknown) => void;
};

/** The call that a use case answers; part of the contract's `Call`. */
export type FaceCall = {
  readonly caller: Caller;
  readonly transactionId: string;
  readonly receivedAt: Date;
  readonly signal: AbortSignal;
};

/** What the engine answered, or that it broke while working on this picture. */
export type Measured = FaceMeasurement | { readonly kind: "broken" };

/** Failures of which the caller should hear, since trying again soon helps; anything else is a broken engine. */
const passedOn: ReadonlySet<FailureCode> = new Set(["engine_busy", "timed_out", "shutting_down"]);

/**
 * Measures, turning an engine that breaks into a result, for which the interface has numbers of its own, and telling
 * the operator why. Overload, time-out and an aborted call stay failures, so that nothing is recorded and no token is
 * used up.
 */
export const measureOrBroken = async (
  { engine, onError }: FaceService,
  bytes: Uint8Array,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Measured> => {
  try {
    return await engine.measure(bytes, wanted, signal);
  } catch (error) {
    if (signal.aborted || (error instanceof Failure && passedOn.has(error.code))) {
      throw error;
    }
    onError("The face engine broke while measuring a picture", error);
    return { kind: "broken" };
  }
};

/** A reference picture must be a picture: fails with its declared image failure otherwise, named as this input. */
export const requirePicture = (input: string, measured: Measured): void => {
  if (measured.kind === "unreadable" || measured.kind === "unprepared") {
    const { code, facts = {} } = measured;
    throw new Failure(code, { ...facts, input });
  }
};
