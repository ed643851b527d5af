import { facialAuthenticationNumber } from "#contract/facial-authentication";
import { livenessNumber } from "#contract/liveness";
import { authenticateUserResult } from "#contract/result-code";
import { besideLiveness } from "#judging/face/capture-fault";
import { faceOf } from "#judging/face/face-token";
import { isJudged, type LivenessJudgement, withOrigin } from "#judging/face/liveness/judge-liveness";
import { isSameImage } from "#judging/face/liveness/resubmission";
import type { FaceSide, FacialJudgement } from "#judging/face/matching/judge-comparison";
import { isSameTemplate } from "#judging/face/matching/template";
import type { FaceMeasurement } from "#judging/face/measurement";
import { detailsOfFaces, hasFace } from "#judging/face/operation-details";
import { comparisonOf, hashOfImage, livenessOf, measurementsOf } from "#judging/face/record";
import type { OperationDetails, OperationStep } from "#record/transactions/operation-step";
import type { TokenUse } from "#record/transactions/record";
import type { CallEntry } from "#record/transactions/record-call";
import type { OpenedToken } from "#trust/tokens/token";
import { describeCandidate, type EnrolmentCandidate, type Refusal } from "./deduplication.ts";
import { type Findings, findingOf, judgeAttempt, type Verdict } from "./judge-attempt.ts";
import { type MeasuredReference, type Reference, templateOf, withTrustedCohortScore } from "./open-faces.ts";
import { entryOf, type UserCall, type UserService } from "./service.ts";
import type { TrackRound } from "./track-rounds.ts";

export type Authentication = {
  readonly verdict: Verdict;
  readonly facial: FacialJudgement;
  readonly liveness: LivenessJudgement;
  /** True when the call found evidence against the claimant, not only an image of too little quality. */
  readonly isAgainst: boolean;
  /** Why an enrolment candidate was refused although liveness and comparison passed. */
  readonly refusal?: Refusal;
  /** The authentication hash, for an authenticated caller. */
  readonly hash?: string;
  /** The registered template, for an authenticated caller who did not send it. */
  readonly template?: Uint8Array;
};

/**
 * One authentication attempt with its opened tokens. The images are measured once, even if the user row
 * changes during the call.
 */
export type Attempt = {
  readonly service: UserService;
  readonly call: UserCall;
  readonly endpoint: string;
  readonly userId: string;
  readonly pseudonym: string;
  readonly reference: Reference;
  readonly probe: OpenedToken;
  readonly measured: () => Promise<Faces>;
  readonly track: TrackRound;
};

export type Faces = { readonly reference: MeasuredReference; readonly probe: FaceSide };

/** The liveness result when no image was judged. */
export const noLiveness: LivenessJudgement = { result: "None", assurance: "advisory", evidence: [] };

/**
 * Judges the liveness of the best image and compares it with `against`: the reference at enrolment, the
 * registered template afterwards.
 */
export const judgeFaces = (
  { service, probe: opened }: Attempt,
  { reference, probe }: Faces,
  against: FaceSide,
): Findings => {
  const { face, policy } = service;
  const known = templateOf(against);
  const hasKnownCohort = probe.kind === "template" && known !== undefined;
  const facial = face.compare(
    against,
    hasKnownCohort ? withTrustedCohortScore(probe.template, known) : probe,
  );
  const seen = templateOf(probe);
  const references = [known, ...(against.kind === "template" ? (against.further ?? []) : [])];
  const isRegistered = references.some((one) => one && seen && isSameTemplate(one, seen));
  if (probe.kind === "template") {
    // The registered template sent back is no evidence of a live person.
    return {
      facial,
      liveness: noLiveness,
      needsNoLiveness: policy.templateWithoutImage === "accepted" && !isRegistered,
    };
  }
  const isCopy = isRegistered || reference.measured.some((image) => isSameImage(image, probe));
  const liveness = withOrigin(face.judgeBestImage(probe, isCopy), opened);
  return { facial: besideLiveness(facial, liveness), liveness };
};

/** When the reference does not match the registered template, the best image is not judged. */
const isReferenceOwn = ({ reference }: Findings): boolean => reference === undefined;

/** The marks that show the best image as used, if it was judged. Otherwise the caller may send it again. */
export const usesOf = (
  { service: { face }, call, probe }: Attempt,
  findings: Findings,
): readonly TokenUse[] =>
  probe.kind === "best-image" && isReferenceOwn(findings) && isJudged(findings.liveness)
    ? face.usesOf(probe, call, "authenticateUser")
    : [];

/** The answer that follows from the findings alone. */
export const answerOf = (findings: Findings): Authentication => ({
  verdict: judgeAttempt(findings),
  facial: findings.facial,
  liveness: findings.liveness,
  isAgainst: findingOf(findings) === "against",
});

/**
 * What an authenticated caller gets besides: the hash of the call, and the template of a caller who sent an
 * image.
 */
export type Gain = { readonly template: Uint8Array; readonly hash: string | undefined };

/**
 * Adds the hash, and the template for a caller who sent an image; a caller who sent a template already has
 * it.
 */
export const withGain = (
  { reference }: Attempt,
  answer: Authentication,
  { template, hash }: Gain,
): Authentication =>
  answer.verdict === "authenticated"
    ? { ...answer, ...(hash !== undefined && { hash }), ...(reference.kind === "image" && { template }) }
    : answer;

/**
 * The step of the operation, with the results that the answer states. `faces` is absent where no image was
 * measured.
 */
export const stepOfAttempt = async (
  attempt: Attempt,
  findings: Findings,
  faces: Faces | undefined,
): Promise<OperationStep | undefined> => await attempt.track(detailsOf(attempt, findings, faces));

const detailsOf = (
  { userId, reference, probe: token }: Attempt,
  { facial, liveness }: Findings,
  faces: Faces | undefined,
): OperationDetails => {
  const probe = faces?.probe;
  const isSeen = probe !== undefined && probe.kind !== "template" && hasFace(probe);
  const selfie = isSeen ? faceOf(token) : undefined;
  return {
    customer: userId,
    ...detailsOfFaces({ selfie, portrait: portraitOf(reference) }, { facial, liveness }),
  };
};

/** The image of the reference; undefined for a template. */
const portraitOf = ({ kind, bytes, tokens: [token] }: Reference): Uint8Array | undefined => {
  if (kind === "template") return undefined;
  return token === undefined ? bytes : faceOf(token);
};

/** The record entry of an attempt: measurements and the versions that made them. */
export const entryOfAttempt = (
  attempt: Attempt,
  findings: Findings,
  faces: Faces | undefined,
  candidate?: EnrolmentCandidate,
): CallEntry => {
  const { service, endpoint, reference, probe } = attempt;
  const images: FaceMeasurement[] = [];
  if (faces !== undefined) {
    images.push(...faces.reference.measured);
    if (faces.probe.kind !== "template") {
      images.push(faces.probe);
    }
  }
  const { facial, liveness } = findings;
  const verdict = candidate?.refusal === undefined ? judgeAttempt(findings) : "templateOfAnotherUser";
  return entryOf(service, {
    endpoint,
    result: {
      code: authenticateUserResult[verdict].code,
      ...(candidate?.refusal === undefined ? {} : { refusal: candidate.refusal }),
      facial: facialAuthenticationNumber[facial.result],
      liveness: livenessNumber[liveness.result],
    },
    measurements: {
      // Stored key: earlier releases wrote it.
      pictures: images.map(measurementsOf),
      reference: findings.reference === undefined ? null : comparisonOf(findings.reference),
      comparison: comparisonOf(facial),
      liveness: livenessOf(liveness),
      ...(candidate === undefined ? {} : { search: describeCandidate(candidate) }),
      ...(reference.kind === "image" && reference.tokens.length === 0
        ? { imageHashes: [hashOfImage(reference.bytes)] }
        : {}),
    },
    measured: images,
    tokens: [...(isReferenceOwn(findings) ? [probe] : []), ...reference.tokens],
  });
};
