/** The use cases of other modules that a verification runs. Connected in src/app/verification.ts. */

import type { Call, Caller } from "#contract/endpoint";
import type { CreateSession } from "#features/capture/create-session";
import type { CaptureDeps } from "#features/capture/sessions";
import type { AuthenticateUser } from "#features/users/authenticate-user";
import type { DocumentEngine } from "#judging/document/reading/engine";
import type { HeldValidations } from "#judging/document/validation/find-validation";
import type { StartValidation } from "#judging/document/validation/start-validation";
import type { LevelMin } from "#judging/face/liveness/level";
import type { VerifyIdentity } from "#judging/face/verify-identity";
import type { OpenToken } from "#trust/tokens/token";

/** The part of a call that opens an image. */
export type ImageCall = Pick<Call<unknown>, "caller" | "receivedAt" | "signal">;

/** The judges of one environment. */
export type Judges = {
  readonly startValidation: StartValidation;
  readonly verifyIdentity: VerifyIdentity;
  readonly authenticateUser: AuthenticateUser;
  /** Fails with user_unknown, user_paused or user_disabled. */
  readonly requireUser: (caller: Caller, userId: string) => Promise<void>;
  readonly openToken: OpenToken;
  readonly inspect: DocumentEngine["inspect"];
  /** The least level of a selfie, by what it is used for. */
  readonly levelMin: Readonly<Record<"identity" | "authenticateUser", LevelMin>>;
};

export type Ports = {
  readonly judgesOf: (of: Pick<Caller, "environment">) => Judges;
  readonly validations: HeldValidations;
  readonly createSession: CreateSession;
  /** Where capture sessions are held. */
  readonly captures: Pick<CaptureDeps, "store" | "seal">;
};
