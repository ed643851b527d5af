import { facialAuthenticationNumber } from "#contract/facial-authentication";
import { livenessNumber } from "#contract/liveness";
import { authenticateUserResult } from "#contract/result-code";
import type { LivenessJudgement } from "#face/liveness/judge-liveness";
import type { FaceSide, FacialJudgement } from "#face/matching/judge-comparison";
import type { FaceMeasurement } from "#face/measurement";
import type { TokenUse, TransactionRecord } from "#storage/store";
import type { OpenedToken } from "#tokens/token";
import { type Findings, findingOf, judgeAttempt, type Verdict } from "./judge-attempt.ts";
import { describeNewcomer, type Newcomer, type Refusal } from "./newcomers.ts";
import { lentSide, type MeasuredReference, type Reference, templateOf } from "./open-faces.ts";
import { type PeopleCall, type PeopleService, recordOf } from "./service.ts";

export type Authentication = {
  readonly verdict: Verdict;
  readonly facial: FacialJudgement;
  readonly liveness: LivenessJudgement;
  /** Something was found against the person, and not only a picture that tells too little. */
  readonly isAgainst: boolean;
  /** A newcomer who was not established, though everything else is well. */
  readonly refusal?: Refusal;
  /** The registered template, for a caller who sent none and was authenticated. */
  readonly template?: Uint8Array;
};

/** One call with what it brought, opened. Pictures are measured once, however often the user changes meanwhile. */
export type Visit = {
  readonly service: PeopleService;
  readonly call: PeopleCall;
  readonly endpoint: string;
  readonly pseudonym: string;
  readonly reference: Reference;
  readonly probe: OpenedToken;
  readonly measured: () => Promise<Faces>;
};

export type Faces = { readonly reference: MeasuredReference; readonly probe: FaceSide };

/** Liveness where nothing was seen. */
export const nothingSeen: LivenessJudgement = { result: "None", assurance: "advisory", evidence: [] };

/** Liveness of the person, and the comparison with `against`: a picture at enrolment, later the registered template. */
export const judgeFaces = ({ service }: Visit, { reference, probe }: Faces, against: FaceSide): Findings => {
  const { face, policy } = service;
  const known = templateOf(against);
  const isLent = probe.kind === "template" && known !== undefined;
  const facial = face.compare(against, isLent ? lentSide(face, probe.template, known) : probe);
  const seen = templateOf(probe);
  const isVery = known !== undefined && seen !== undefined && face.isSameTemplate(known, seen);
  if (probe.kind === "template") {
    // The registered template sent back shows nobody at all.
    return {
      facial,
      liveness: nothingSeen,
      needsNoLiveness: policy.templateWithoutPicture === "accepted" && !isVery,
    };
  }
  const isCopy = isVery || reference.measured.some((picture) => face.isSamePicture(picture, probe));
  return { facial, liveness: face.judgeBestImage(probe, isCopy) };
};

/** Where the reference was not the user's, nobody asked whose face the best image shows. */
const isReferenceOwn = ({ reference }: Findings): boolean => reference === undefined;

/** What marks the best image as used, where it was judged; otherwise it may be sent again. */
export const usesOf = ({ service: { face }, probe }: Visit, findings: Findings): readonly TokenUse[] =>
  probe.kind === "best-image" && isReferenceOwn(findings) && face.isJudged(findings.liveness)
    ? face.usesOf(probe)
    : [];

/** The answer that findings give by themselves. */
export const answerOf = (findings: Findings): Authentication => ({
  verdict: judgeAttempt(findings),
  facial: findings.facial,
  liveness: findings.liveness,
  isAgainst: findingOf(findings) === "against",
});

/** Whoever sent a template has it already. */
export const withTemplate = (
  { reference }: Visit,
  answer: Authentication,
  template: Uint8Array,
): Authentication =>
  answer.verdict === "authenticated" && reference.kind === "picture" ? { ...answer, template } : answer;

/** The row of a visit: numbers, and what they were made with. */
export const recordVisit = (
  visit: Visit,
  findings: Findings,
  faces: Faces | undefined,
  newcomer?: Newcomer,
): TransactionRecord => {
  const { service, call, endpoint, reference, probe } = visit;
  const { describe } = service.face;
  const pictures: FaceMeasurement[] = [];
  if (faces !== undefined) {
    pictures.push(...faces.reference.measured);
    if (faces.probe.kind !== "template") {
      pictures.push(faces.probe);
    }
  }
  const { facial, liveness } = findings;
  const verdict = newcomer?.refusal === undefined ? judgeAttempt(findings) : "templateOfAnotherUser";
  return recordOf(service, call, {
    endpoint,
    result: {
      code: authenticateUserResult[verdict].code,
      ...(newcomer?.refusal === undefined ? {} : { refusal: newcomer.refusal }),
      facial: facialAuthenticationNumber[facial.result],
      liveness: livenessNumber[liveness.result],
    },
    measurements: {
      pictures: pictures.map(describe.measurement),
      reference: findings.reference === undefined ? null : describe.comparison(findings.reference),
      comparison: describe.comparison(facial),
      liveness: describe.liveness(liveness),
      ...(newcomer === undefined ? {} : { search: describeNewcomer(newcomer) }),
    },
    measured: pictures,
    tokens: [...(isReferenceOwn(findings) ? [probe] : []), ...reference.tokens],
  });
};
