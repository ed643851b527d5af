import { Failure } from "#contract/failure";
import { asInput } from "#contract/input";
import type { FacialJudgement } from "#face/matching/judge-comparison";
import type { Person } from "#storage/person";
import type { OpenedToken } from "#tokens/token";
import { establish } from "./establish-user.ts";
import { type Findings, findingOf } from "./judge-attempt.ts";
import {
  lentSide,
  measureReference,
  openReference,
  type Reference,
  type ReferenceInput,
} from "./open-faces.ts";
import {
  evidenceOf,
  type PeopleCall,
  type PeopleService,
  pseudonymOf,
  refuseHeld,
  untilSettled,
  wasCounted,
} from "./service.ts";
import {
  type Authentication,
  answerOf,
  type Faces,
  judgeFaces,
  nothingSeen,
  recordVisit,
  usesOf,
  type Visit,
  withTemplate,
} from "./visit.ts";

/** Who claims to be the user: a best image, or a template in its place. Both are sealed tokens. */
export type ProbeInput = { readonly kind: "best-image" | "template"; readonly token: Uint8Array };

export type AuthenticateUser = (
  call: PeopleCall,
  request: {
    readonly endpoint: "authenticateUser" | "authenticateUserV2";
    readonly userId: string;
    readonly reference: ReferenceInput;
    readonly probe: ProbeInput;
  },
) => Promise<Authentication>;

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
  const wanted = { template: true, liveness: true, frames: true };
  const [first, second] = await Promise.all([
    measureReference(service, call, reference),
    kind === "template"
      ? { kind: "template" as const, template: payload }
      : service.face.measure(payload, wanted, call.signal),
  ]);
  return { reference: first, probe: second };
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
    usesOf(visit, findings),
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
  const judgement = face.compare(lentSide(face, sent, registered), {
    kind: "template",
    template: registered,
  });
  return judgement.result === "Positive" ? undefined : judgement;
};

const nothingCompared: FacialJudgement = { result: "None" };

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
