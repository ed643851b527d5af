import type { CaptureSession } from "#features/capture/capture-session";
import type { FoundValidation } from "#judging/document/validation/find-validation";
import type { HashAuthentication } from "#record/transactions/authentication-hash";
import { findDocument } from "./findings.ts";
import type { RunDeps } from "./steps/step.ts";
import { findSession } from "./steps/take-capture.ts";
import type { VerificationOwner } from "./verification.ts";
import { getVerification, type Verification } from "./verifications.ts";

/** A verification with the parts that it joins. A part that is not kept any more is absent. */
export type ShownVerification = {
  readonly verification: Verification;
  readonly session?: CaptureSession | undefined;
  readonly document?: FoundValidation | undefined;
  /** Authentication hash of a positive face call. */
  readonly hash?: string | undefined;
};

export type ShowDeps = Pick<RunDeps, "store" | "seal" | "captures" | "validations"> & {
  readonly hashAuthentication: HashAuthentication;
};

/** Fails with not_found, stored_damaged or stored_newer. */
export const showVerification = async (
  deps: ShowDeps,
  of: VerificationOwner,
  id: string,
): Promise<ShownVerification> => await joinParts(deps, await getVerification(deps, of, id));

/** The parts of a verification, each from the place that holds it. */
export const joinParts = async (deps: ShowDeps, verification: Verification): Promise<ShownVerification> => {
  const found = await findDocument(deps, verification);
  return {
    verification,
    session: await findSession(deps, verification),
    document: found === "gone" ? undefined : found,
    hash: await hashOf(deps, verification),
  };
};

/** The hash is made again from the record of the face call. */
const hashOf = async (
  { store, hashAuthentication }: Pick<ShowDeps, "store" | "hashAuthentication">,
  { tenantId, content }: Verification,
): Promise<string | undefined> => {
  if (content.face === undefined || "refused" in content.face) return undefined;
  const record = await store.findTransaction(tenantId, content.transactions.face);
  return record && (await hashAuthentication(record));
};
