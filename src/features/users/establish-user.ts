import type { FaceSide } from "#judging/face/matching/judge-comparison";
import { stepOf, transactionOf } from "#record/transactions/record-call";
import {
  type Attempt,
  type Authentication,
  answerOf,
  entryOfAttempt,
  type Faces,
  judgeFaces,
  stepOfAttempt,
  usesOf,
  withGain,
} from "./attempt.ts";
import { type EnrolmentCandidate, matchedIdsOf, type Refusal } from "./deduplication.ts";
import { type Findings } from "./judge-attempt.ts";
import { templateOf, withTrustedCohortScore } from "./open-faces.ts";
import { evidenceOf } from "./service.ts";

/**
 * Enrols a user with the reference, if the best image is live and matches it and one-to-many search does not
 * refuse it. Returns undefined, and writes nothing, if the user exists by now or if a list received faces
 * after the search.
 */
export const establish = async (attempt: Attempt): Promise<Authentication | undefined> => {
  const { service } = attempt;
  const faces = await attempt.measured();
  const side = referenceOf(faces);
  const findings = judgeFaces(attempt, faces, side);
  const answer = answerOf(findings);
  const template = templateOf(side);
  if (answer.verdict !== "authenticated" || template === undefined) {
    const uses = usesOf(attempt, findings);
    const operation = await stepOfAttempt(attempt, findings, faces);
    const entry = { ...entryOfAttempt(attempt, findings, faces), ...(operation && { operation }) };
    await service.recordCall(attempt.call, { ...entry, uses });
    return answer;
  }
  // Search both templates: the caller may have made the reference, but not the face of the live best image.
  const seen = templateOf(faces.probe);
  const templates = seen === undefined ? [template] : [template, seen];
  return await service.deduplication.deduplicate(attempt.call, templates, async (candidate) =>
    candidate.refusal === undefined
      ? await enrol(attempt, findings, faces, candidate, template)
      : await refuseCandidate(attempt, findings, faces, candidate, candidate.refusal),
  );
};

/** The side to judge and to register. A sent template gets the cohort score of the best image. */
const referenceOf = ({ reference: { side }, probe }: Faces): FaceSide => {
  const seen = probe.kind === "template" ? undefined : templateOf(probe);
  return side.kind === "template" && seen !== undefined ? withTrustedCohortScore(side.template, seen) : side;
};

const enrol = async (
  attempt: Attempt,
  findings: Findings,
  faces: Faces,
  candidate: EnrolmentCandidate,
  template: Uint8Array,
): Promise<Authentication | undefined> => {
  const { service, call, pseudonym } = attempt;
  const { tenantId, environment } = call.caller;
  const owner = { tenantId, environment, id: service.newId() };
  const sealed = await service.vault.seal(owner, template);
  const user = { ...owner, ...sealed, pseudonym, enrolledAt: call.receivedAt };
  // Stored key: earlier releases wrote it.
  const body = { person: owner.id, key: sealed.keyId, transaction: call.transactionId };
  const evidence = [evidenceOf(service, "person_enrolled", { ...body, ...matchedIdsOf(candidate) })];
  const record = transactionOf(call, entryOfAttempt(attempt, findings, faces, candidate));
  const hash = await service.hashAuthentication(record);
  const isFirst = await service.store.enrolUser(
    user,
    record,
    usesOf(attempt, findings),
    stepOf({ evidence, operation: await stepOfAttempt(attempt, findings, faces) }),
    candidate.searchedAt,
  );
  return isFirst ? withGain(attempt, answerOf(findings), { template, hash }) : undefined;
};

/** The caller receives the code for a template of another user, which is the finding. */
const refuseCandidate = async (
  attempt: Attempt,
  findings: Findings,
  faces: Faces,
  candidate: EnrolmentCandidate,
  refusal: Refusal,
): Promise<Authentication> => {
  const { service, call } = attempt;
  const body = { refusal, transaction: call.transactionId, ...matchedIdsOf(candidate) };
  const evidence = [evidenceOf(service, "enrolment_refused", body)];
  const entry = entryOfAttempt(attempt, findings, faces, candidate);
  const operation = await stepOfAttempt(attempt, findings, faces);
  const uses = usesOf(attempt, findings);
  await service.recordCall(call, { ...entry, uses, evidence, ...(operation && { operation }) });
  return { ...answerOf(findings), verdict: "templateOfAnotherUser", isAgainst: true, refusal };
};
