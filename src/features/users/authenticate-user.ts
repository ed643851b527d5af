import { Failure } from "#contract/failure";
import { allInputs, asInput } from "#contract/input";
import type { FacialJudgement } from "#judging/face/matching/judge-comparison";
import { isSameTemplate } from "#judging/face/matching/template";
import { stepOf, transactionOf } from "#record/transactions/record-call";
import type { OpenedToken } from "#trust/tokens/token";
import {
  type Attempt,
  type Authentication,
  answerOf,
  entryOfAttempt,
  type Faces,
  judgeFaces,
  noLiveness,
  stepOfAttempt,
  usesOf,
  withGain,
} from "./attempt.ts";
import { establish } from "./establish-user.ts";
import { joiningOf, openFurther } from "./join-reference.ts";
import { type Findings, findingOf } from "./judge-attempt.ts";
import {
  measureReference,
  openReference,
  type Reference,
  type ReferenceInput,
  withTrustedCohortScore,
} from "./open-faces.ts";
import { getUser } from "./require-user.ts";
import {
  evidenceOf,
  pseudonymOf,
  refuseHeld,
  type UserCall,
  type UserService,
  untilSettled,
  wasCounted,
} from "./service.ts";
import type { User } from "./store/user.ts";
import { makeTrackRounds } from "./track-rounds.ts";

/** The claimant: a best image, or a template in its place. Both are sealed tokens. */
export type ProbeInput = { readonly kind: "best-image" | "template"; readonly token: Uint8Array };

/** Made by {@link makeAuthenticateUser}. */
export type AuthenticateUser = (
  call: UserCall,
  request: {
    readonly endpoint: "authenticateUser" | "authenticateUserV2";
    readonly userId: string;
    /**
     * Absent: the registered template. Such a call enrols no one, and fails with user_unknown where the user
     * is not registered.
     */
    readonly reference?: ReferenceInput;
    readonly probe: ProbeInput;
  },
) => Promise<Authentication>;

/**
 * Enrols a new user, or compares the claimant with a registered one. The first call registers the reference
 * only if the best image is live and matches it. A later call compares the reference with the registered
 * template, then the best image. Fails with a token or image failure (inputs `reference` and `probe`),
 * user_paused, user_disabled, user_unknown or template_outdated.
 */
export const makeAuthenticateUser =
  (service: UserService): AuthenticateUser =>
  async (call, { endpoint, userId, reference: input, probe: probeInput }) => {
    const reference =
      input === undefined
        ? await getRegistered(service, call, userId)
        : await openReference(service, call, input);
    const probe = await asInput("probe", () => service.openToken(probeInput.token, probeInput.kind, call));
    service.face.requireLevel(probe);
    const pseudonym = await pseudonymOf(service.keyring, call.caller, userId);
    const measured = once(() => measureFaces(service, call, reference, probe));
    const track = makeTrackRounds(service, call, endpoint);
    const attempt: Attempt = {
      service,
      call,
      endpoint,
      userId,
      pseudonym,
      reference,
      probe,
      measured,
      track,
    };
    return await untilSettled(async () => {
      const user = await service.store.findUser(call.caller.tenantId, pseudonym);
      if (user !== undefined) return await authenticate(attempt, user);
      if (input === undefined) throw new Failure("user_unknown");
      return await establish(attempt);
    });
  };

/** The registered template as the reference of a call that brings none. */
const getRegistered = async (
  service: UserService,
  { caller }: UserCall,
  userId: string,
): Promise<Reference> => {
  const user = await getUser(service, caller, userId);
  return { kind: "template", bytes: await openRegistered(service, user), tokens: [] };
};

const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const measureFaces = async (
  service: UserService,
  call: UserCall,
  reference: Reference,
  { kind, payload }: OpenedToken,
): Promise<Faces> => {
  const wanted = { template: true, liveness: true, frames: true };
  const [first, second] = await allInputs([
    measureReference(service, call, reference),
    kind === "template"
      ? { kind: "template" as const, template: payload }
      : service.face.measure(payload, wanted, call.signal),
  ]);
  return { reference: first, probe: second };
};

const authenticate = async (attempt: Attempt, user: User): Promise<Authentication | undefined> => {
  const { service, call, reference } = attempt;
  refuseHeld(user, service.clock());
  const [registered, further] = await Promise.all([
    openRegistered(service, user),
    openFurther(service, user),
  ]);
  // A template of another user ends the call before any network runs. The best image stays unused.
  const mismatch =
    reference.kind === "template" ? findMismatch(attempt, reference.bytes, registered) : undefined;
  const faces = mismatch === undefined ? await attempt.measured() : undefined;
  const findings =
    faces === undefined
      ? findingsOfMismatch(mismatch)
      : judgeClaimant(attempt, faces, registered, further.templates);
  const at = service.clock();
  const disabling = evidenceOf(service, "person_disabled", {
    // Stored key: earlier releases wrote it.
    person: user.id,
    transaction: call.transactionId,
  });
  const { tenantId, pseudonym, revision } = user;
  const finding = findingOf(findings);
  const { throttle } = service.policy;
  const joining = await joiningOf(attempt, { user, faces, findings, registered, further, at });
  const record = transactionOf(call, entryOfAttempt(attempt, findings, faces));
  const hash = await service.hashAuthentication(record);
  const counted = await service.store.recordAttempt(
    { tenantId, pseudonym, revision, at, finding, throttle, disabling, ...(joining && { joining }) },
    record,
    usesOf(attempt, findings),
    stepOf({ operation: await stepOfAttempt(attempt, findings, faces) }),
  );
  return wasCounted(counted, at)
    ? withGain(attempt, answerOf(findings), { template: registered, hash })
    : undefined;
};

/** Fails with template_outdated if the registered template comes from another recogniser. */
const openRegistered = async ({ vault, face }: UserService, user: User): Promise<Uint8Array> => {
  if (user.recogniser !== face.recogniser) {
    throw new Failure("template_outdated");
  }
  return await vault.open(user);
};

/** The failed comparison of a sent template with the registered one; undefined if they match. */
const findMismatch = (
  { service: { face } }: Attempt,
  sent: Uint8Array,
  registered: Uint8Array,
): FacialJudgement | undefined => {
  if (isSameTemplate(sent, registered)) {
    return undefined;
  }
  const judgement = face.compare(withTrustedCohortScore(sent, registered), {
    kind: "template",
    template: registered,
  });
  return judgement.result === "Positive" ? undefined : judgement;
};

const noComparison: FacialJudgement = { result: "None" };

const findingsOfMismatch = (reference: FacialJudgement = noComparison): Findings => ({
  reference,
  facial: noComparison,
  liveness: noLiveness,
});

/**
 * A reference image must match the registered template, as a reference template must. Then the best image is
 * compared with the registered template.
 */
const judgeClaimant = (
  attempt: Attempt,
  faces: Faces,
  registered: Uint8Array,
  further: readonly Uint8Array[],
): Findings => {
  const { face } = attempt.service;
  const template = { kind: "template" as const, template: registered, further };
  const isImage = attempt.reference.kind === "image";
  const reference = isImage ? face.compare(faces.reference.side, template) : undefined;
  return reference !== undefined && reference.result !== "Positive"
    ? findingsOfMismatch(reference)
    : judgeFaces(attempt, faces, template);
};
