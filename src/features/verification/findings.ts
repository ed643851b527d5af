import { Failure } from "#contract/failure";
import type { VerificationRecord } from "#judging/document/decision/verification-record";
import { type FoundValidation, getValidation } from "#judging/document/validation/find-validation";
import type { Findings } from "./decide.ts";
import type { DecisionBasis } from "./end-verification.ts";
import { type AgeFinding, judgeAge } from "./judge-age.ts";
import type { SelfieBasis } from "./judge-one-image.ts";
import type { RunDeps } from "./steps/step.ts";
import { isCaptured } from "./verification-state.ts";
import type { Verification } from "./verifications.ts";

/** The validation of a verification: undefined before its start, `gone` after its retention. */
export const findDocument = async (
  { validations }: Pick<RunDeps, "validations">,
  { tenantId, environment, content }: Verification,
): Promise<FoundValidation | "gone" | undefined> => {
  if (content.scanReference === undefined) return undefined;
  try {
    return await getValidation(validations, { tenantId, environment }, content.scanReference);
  } catch (error) {
    if (error instanceof Failure && error.code === "not_found") return "gone";
    throw error;
  }
};

/** The answer to the age that was asked for; undefined in every other flow. */
const ageOf = (
  { age }: Verification["content"],
  { status, person }: Pick<VerificationRecord, "status" | "person">,
  at: Date,
): AgeFinding | undefined =>
  age === undefined
    ? undefined
    : judgeAge(age, { date: person.dateOfBirth, year: person.yearOfBirth }, status === "Approved", at);

/** On what the liveness of the selfie rests; undefined where none was judged. */
const basisOf = (
  { oneImage }: Pick<RunDeps, "oneImage">,
  { face, ...content }: Verification["content"],
): SelfieBasis | undefined =>
  face === undefined || "refused" in face
    ? undefined
    : { level: face.assurance, isCaptured: isCaptured(content), oneImage };

/** What the parts of a verification found so far. */
export const findingsOf = async (
  deps: Pick<RunDeps, "validations" | "clock" | "oneImage">,
  verification: Verification,
): Promise<Findings & DecisionBasis & { readonly age?: AgeFinding | undefined }> => {
  const { content } = verification;
  const { flow, face } = content;
  const judged = { flow, face, selfie: basisOf(deps, content) };
  const found = await findDocument(deps, verification);
  if (found === undefined) return judged;
  if (found === "gone") return { ...judged, document: "gone" };
  const document = found.status === "FAILED" ? ("failed" as const) : found.record.status;
  const { portraitEvidence } = found.record;
  return { ...judged, document, portraitEvidence, age: ageOf(content, found.record, deps.clock()) };
};
