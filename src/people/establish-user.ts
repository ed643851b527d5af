import type { FaceSide } from "#face/matching/judge-comparison";
import { type Findings } from "./judge-attempt.ts";
import { alikeIn, type Newcomer, type Refusal } from "./newcomers.ts";
import { lentSide, templateOf } from "./open-faces.ts";
import { evidenceOf } from "./service.ts";
import {
  type Authentication,
  answerOf,
  type Faces,
  judgeFaces,
  recordVisit,
  usesOf,
  type Visit,
  withTemplate,
} from "./visit.ts";

/**
 * Establishes a user with the reference, where the person lives and matches it and one-to-many search does not speak
 * against it. Undefined, and nothing written, where the user is there by now, or faces came that were not searched.
 */
export const establish = async (visit: Visit): Promise<Authentication | undefined> => {
  const { service } = visit;
  const faces = await visit.measured();
  const side = referenceOf(visit, faces);
  const findings = judgeFaces(visit, faces, side);
  const answer = answerOf(findings);
  const template = templateOf(side);
  if (answer.verdict !== "authenticated" || template === undefined) {
    const record = recordVisit(visit, findings, faces);
    await service.store.recordTransaction(record, usesOf(visit, findings), { events: [], evidence: [] });
    return answer;
  }
  // What is registered may be of the caller's making; the live person's face is not.
  const seen = templateOf(faces.probe);
  const templates = seen === undefined ? [template] : [template, seen];
  return await service.newcomers.admit(visit.call, templates, async (newcomer) =>
    newcomer.refusal === undefined
      ? await enrol(visit, findings, faces, newcomer, template)
      : await refuseNewcomer(visit, findings, faces, newcomer, newcomer.refusal),
  );
};

/** What is judged and kept. Of a template that was sent the person who was seen tells how common the face looks. */
const referenceOf = ({ service: { face } }: Visit, { reference: { side }, probe }: Faces): FaceSide => {
  const seen = probe.kind === "template" ? undefined : templateOf(probe);
  return side.kind === "template" && seen !== undefined ? lentSide(face, side.template, seen) : side;
};

const enrol = async (
  visit: Visit,
  findings: Findings,
  faces: Faces,
  newcomer: Newcomer,
  template: Uint8Array,
): Promise<Authentication | undefined> => {
  const { service, call, pseudonym } = visit;
  const { tenantId, world } = call.caller;
  const owner = { tenantId, id: service.newId() };
  const sealed = await service.vault.seal(owner, template);
  const person = { ...owner, ...sealed, world, pseudonym, enrolledAt: call.receivedAt };
  const body = { person: owner.id, key: sealed.keyId, transaction: call.transactionId };
  const evidence = [evidenceOf(service, "person_enrolled", { ...body, ...alikeIn(newcomer) })];
  const record = recordVisit(visit, findings, faces, newcomer);
  const isFirst = await service.store.enrolPerson(
    person,
    record,
    usesOf(visit, findings),
    { events: [], evidence },
    newcomer.searchedAt,
  );
  return isFirst ? withTemplate(visit, answerOf(findings), template) : undefined;
};

/** To the caller the reference is somebody else's: that is what was found. */
const refuseNewcomer = async (
  visit: Visit,
  findings: Findings,
  faces: Faces,
  newcomer: Newcomer,
  refusal: Refusal,
): Promise<Authentication> => {
  const { service, call } = visit;
  const body = { refusal, transaction: call.transactionId, ...alikeIn(newcomer) };
  const evidence = [evidenceOf(service, "enrolment_refused", body)];
  const record = recordVisit(visit, findings, faces, newcomer);
  await service.store.recordTransaction(record, usesOf(visit, findings), { events: [], evidence });
  return { ...answerOf(findings), verdict: "templateOfAnotherUser", isAgainst: true, refusal };
};
