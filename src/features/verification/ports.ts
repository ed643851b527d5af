/** The use cases of other modules that a verification runs. Connected in src/app/verification.ts. */

import type { Call, Caller } from "#contract/endpoint";
import type { CaptureOwner, CaptureSession } from "#features/capture/capture-session";
import type { CreateSession } from "#features/capture/create-session";
import type { ReadCaptured } from "#features/capture/read-captured";
import type { AuthenticateUser } from "#features/users/authenticate-user";
import type { GetValidation } from "#judging/document/validation/find-validation";
import type { StartValidation } from "#judging/document/validation/start-validation";
import type { VerifyIdentity } from "#judging/face/verify-identity";

/** The part of a call that opens an image. */
export type ImageCall = Pick<Call<unknown>, "caller" | "receivedAt" | "signal">;

/** The judges of one environment. */
export type Judges = {
  readonly startValidation: StartValidation;
  readonly verifyIdentity: VerifyIdentity;
  readonly authenticateUser: AuthenticateUser;
  /** Fails with user_unknown, user_paused or user_disabled. */
  readonly requireUser: (caller: Caller, userId: string) => Promise<void>;
  /**
   * Opens a selfie and checks that it is an image of the least level. Fails with a token or an image failure, and with
   * liveness_level_too_low.
   */
  readonly checkSelfie: (
    call: ImageCall,
    token: Uint8Array,
    asked: { readonly use: "identity" | "authenticateUser"; readonly isActive: boolean },
  ) => Promise<void>;
  /** Opens and decodes an image of a document. Fails as `openDocumentImage`, and with an image failure. */
  readonly checkDocumentImage: (call: ImageCall, bytes: Uint8Array) => Promise<void>;
  /** The image of a document: an open image, or the payload of a document-image token. Fails with a token failure. */
  readonly openDocumentImage: (call: ImageCall, bytes: Uint8Array) => Promise<Uint8Array>;
};

export type Ports = {
  readonly judgesOf: (of: Pick<Caller, "environment">) => Judges;
  readonly getValidation: GetValidation;
  readonly createSession: CreateSession;
  /** A session without its tokens. Fails with not_found. */
  readonly getSession: (of: CaptureOwner, id: string) => Promise<CaptureSession>;
  readonly readCaptured: ReadCaptured;
  /** When a token was sealed. Undefined for an open image. */
  readonly sealedAtOf: (token: Uint8Array) => Date | undefined;
};
