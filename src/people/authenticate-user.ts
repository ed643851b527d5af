import { facialAuthenticationNumber } from "#contract/facial-authentication";
import { Failure } from "#contract/failure";
import { asInput } from "#contract/input";
import { livenessNumber } from "#contract/liveness";
import { authenticateUserResult } from "#contract/result-code";
import type { FaceSide, FacialJudgement } from "#face/judge-comparison";
import type { LivenessJudgement } from "#face/judge-liveness";
import type { FaceMeasurement } from "#face/measurement";
import type { Person } from "#storage/person";
import type { TokenUse, TransactionRecord } from "#storage/store";
import type { OpenedToken } from "#tokens/token";
import { type Findings, findingOf, judgeAttempt, type Verdict } from "./judge-attempt.ts";
import {
  type MeasuredReference,
  measureReference,
  openReference,
  type Reference,
  type ReferenceInput,
  templateOf,
} from "./open-faces.ts";
import {
  evidenceOf,
  type PeopleCall,
  type PeopleService,
  pseudonymOf,
  recordOf,
  refuseHeld,
  untilSettled,
  wasCounted,
} from "./service.ts";

/** Who claims to be the user: a best image, or a template in its place. Both are sealed tokens. */
export type ProbeInput = { readonly kind: "best-image" | "template"; readonly token: Uint8Array };

export type Authentication = {
  readonly verdict: Verdict;
  readonly facial: FacialJudgement;
  readonly liveness: LivenessJudgement;
  /** Something was found against the person, and not only a picture that tells too little. */
  readonly isAgainst: boolean;
  /** The registered template, for a caller who sent none and was authenticated. */
  readonly template?: Uint8Array;
};

export type AuthenticateUser = (
  call: PeopleCall,
  request: {
    readonly endpoint: "authenticateUser" | "authenticateUserV2";
    readonly userId: string;
    readonly reference: ReferenceInput;
    readonly probe: ProbeInput;
  },
) => Promise<Authentication>;

/** One call with what it brought, opened. Pictures are measured once, however often the user changes meanwhile. */
type Visit = {
  readonly service: PeopleService;
  readonly call: PeopleCall;
  readonly endpoint: string;
  readonly pseudonym: string;
  readonly reference: Reference;
  readonly probe: OpenedToken;
  readonly measured: () => Promise<Faces>;
};

type Faces = { readonly reference: MeasuredReference; readonly probe: FaceSide };

/**
 * Establishes a user, or judges whether the person is the user that was established. A first call registers the
 * reference only where the person lives and matches it; a later one compares the person with the registered template,
 * after the reference was. Fails with a token or image failure (inputs `reference` and `probe`), user_paused,
 * user_disabled or template_outdated.
 */
export const makeAuthenticateUser =
  (service: PeopleService): AuthenticateUser =>
  async (call, { endpoint, userId, reference: input, probe: claimed }) => {
    const reference = await openReference(service, call, input);
    const probe = await asInput("probe", () =>
      service.openToken(claimed.token, claimed.kind, call.receivedAt),
    );
    const pseudonym = await pseudonymOf(service.keyring, call.caller, userId);
    const measured = once(() => measureFaces(service, call, reference, probe));
    const visit: Visit = { service, call, endpoint, pseudonym, reference, probe, measured };
    return await untilSettled(async () => {
      const person = await service.store.findPerson(call.caller.tenantId, pseudonym);
      return person === undefined ? await establish(visit) : await authenticate(visit, person);
    });
  };

const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const measureFaces = async (
  service: PeopleService,
  call: PeopleCall,
  reference: Reference,
  { kind, payload }: OpenedToken,
): Promise<Faces> => {
  const wanted = { template: true, liveness: true };
  const [first, second] = await Promise.all([
    measureReference(service, call, reference),
    kind === "template"
      ? { kind: "template" as const, template: payload }
      : service.face.measure(payload, wanted, call.signal),
  ]);
  return { reference: first, probe: second };
};

const establish = async (visit: Visit): Promise<Authentication | undefined> => {
  const { service, call, pseudonym } = visit;
  const faces = await visit.measured();
  const { side } = faces.reference;
  const findings = judgeFaces(visit, faces, side);
  const answer = answerOf(findings);
  const record = recordVisit(visit, findings, faces);
  const template = templateOf(side);
  if (answer.verdict !== "authenticated" || template === undefined) {
    await service.store.recordTransaction(record, usesOf(visit), { events: [], evidence: [] });
    return answer;
  }
  const { tenantId, world } = call.caller;
  const owner = { tenantId, id: service.newId() };
  const sealed = await service.vault.seal(owner, template);
  const person = { ...owner, ...sealed, world, pseudonym, enrolledAt: call.receivedAt };
  const body = { person: owner.id, key: sealed.keyId, transaction: call.transactionId };
  const step = { events: [], evidence: [evidenceOf(service, "person_enrolled", body)] };
  const isFirst = await service.store.enrolPerson(person, record, usesOf(visit), step);
  return isFirst ? withTemplate(visit, answer, template) : undefined;
};

const authenticate = async (visit: Visit, person: Person): Promise<Authentication | undefined> => {
  const { service, call, reference } = visit;
  refuseHeld(person, service.clock());
  const registered = await openRegistered(service, person);
  // A template that is not this user's ends the call before any network runs, and leaves the best image unused.
  const objection =
    reference.kind === "template" ? objectionTo(visit, reference.bytes, registered) : undefined;
  const faces = objection === undefined ? await visit.measured() : undefined;
  const findings = faces === undefined ? foreign(objection) : judgeKnown(visit, faces, registered);
  const at = service.clock();
  const disabling = evidenceOf(service, "person_disabled", {
    person: person.id,
    transaction: call.transactionId,
  });
  const { tenantId, pseudonym, revision } = person;
  const finding = findingOf(findings);
  const { throttle } = service.policy;
  const counted = await service.store.recordAttempt(
    { tenantId, pseudonym, revision, at, finding, throttle, disabling },
    recordVisit(visit, findings, faces),
    isJudged(findings) ? usesOf(visit) : [],
  );
  return wasCounted(counted, at) ? withTemplate(visit, answerOf(findings), registered) : undefined;
};

/** Fails with template_outdated where the present recogniser cannot be compared with what is registered. */
const openRegistered = async ({ vault, face }: PeopleService, person: Person): Promise<Uint8Array> => {
  if (person.recogniser !== face.recogniser) {
    throw new Failure("template_outdated");
  }
  return await vault.open(person);
};

/** What speaks against a sent template's being the user's; undefined where it is. */
const objectionTo = (
  { service: { face } }: Visit,
  sent: Uint8Array,
  registered: Uint8Array,
): FacialJudgement | undefined => {
  if (face.isSameTemplate(sent, registered)) {
    return undefined;
  }
  const judgement = face.compare(
    { kind: "template", template: sent },
    { kind: "template", template: registered },
  );
  return judgement.result === "Positive" ? undefined : judgement;
};

const nothingCompared: FacialJudgement = { result: "None" };
const nothingSeen: LivenessJudgement = { result: "None", assurance: "advisory", evidence: [] };

const foreign = (reference: FacialJudgement = nothingCompared): Findings => ({
  reference,
  facial: nothingCompared,
  liveness: nothingSeen,
});

/** A reference picture has to be the user's as a template has; then the person is compared with what is registered. */
const judgeKnown = (visit: Visit, faces: Faces, registered: Uint8Array): Findings => {
  const { face } = visit.service;
  const template = { kind: "template" as const, template: registered };
  const isPicture = visit.reference.kind === "picture";
  const reference = isPicture ? face.compare(faces.reference.side, template) : undefined;
  return reference !== undefined && reference.result !== "Positive"
    ? foreign(reference)
    : judgeFaces(visit, faces, template);
};

/** Liveness of the person, and the comparison with `against`: a picture at enrolment, later the registered template. */
const judgeFaces = ({ service }: Visit, { reference, probe }: Faces, against: FaceSide): Findings => {
  const { face, policy } = service;
  const facial = face.compare(against, probe);
  const known = templateOf(against);
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

/** Where the reference was not the user's, nobody asked whose face the best image shows: it may be sent again. */
const isJudged = ({ reference }: Findings): boolean => reference === undefined;

const usesOf = ({ service, probe }: Visit): readonly TokenUse[] =>
  probe.kind === "best-image" ? service.face.usesOf(probe) : [];

const answerOf = (findings: Findings): Authentication => ({
  verdict: judgeAttempt(findings),
  facial: findings.facial,
  liveness: findings.liveness,
  isAgainst: findingOf(findings) === "against",
});

/** Whoever sent a template has it already. */
const withTemplate = ({ reference }: Visit, answer: Authentication, template: Uint8Array): Authentication =>
  answer.verdict === "authenticated" && reference.kind === "picture" ? { ...answer, template } : answer;

const recordVisit = (visit: Visit, findings: Findings, faces: Faces | undefined): TransactionRecord => {
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
  return recordOf(service, call, {
    endpoint,
    result: {
      code: authenticateUserResult[judgeAttempt(findings)].code,
      facial: facialAuthenticationNumber[facial.result],
      liveness: livenessNumber[liveness.result],
    },
    measurements: {
      pictures: pictures.map(describe.measurement),
      reference: findings.reference === undefined ? null : describe.comparison(findings.reference),
      comparison: describe.comparison(facial),
      liveness: describe.liveness(liveness),
    },
    measured: pictures,
    tokens: [...(isJudged(findings) ? [probe] : []), ...reference.tokens],
  });
};
