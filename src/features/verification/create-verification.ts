import { type CaptureLevel, type CaptureStepName, captureStepNames } from "#contract/capture";
import type { Call } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { CaptureLanguage } from "#contract/guidance";
import { allInputs, asInput } from "#contract/input";
import type { VerificationFlow } from "#contract/verification";
import type { CaptureSession } from "#features/capture/capture-session";
import type { CreatedSession } from "#features/capture/create-session";
import { getSession } from "#features/capture/sessions";
import type { TrackCall } from "#record/transactions/operation-step";
import { type RecordedCall, stepOf, transactionOf } from "#record/transactions/record-call";
import { checkDocumentImage, checkSelfie } from "./open-images.ts";
import { verificationPolicyVersion } from "./policy.ts";
import type { Judges, Ports } from "./ports.ts";
import { readCapture, type SentImages, storeImages } from "./take-images.ts";
import { objectsOf, type VerificationContent, type VerificationImages } from "./verification.ts";
import { hasDocument, hasSelfie } from "./verification-state.ts";
import type { Verification, VerificationDeps } from "./verifications.ts";

/** What the integrator asks for. Exactly one of `images`, `captureSessionId` and `capture` is given. */
export type VerificationRequest = {
  readonly flow: VerificationFlow;
  readonly customerId?: string | undefined;
  readonly userId?: string | undefined;
  readonly age?: number | undefined;
  readonly level?: CaptureLevel | undefined;
  readonly document?: VerificationContent["expected"];
  /** Tokens or open images, as they were sent. */
  readonly images?: SentImages | undefined;
  readonly captureSessionId?: string | undefined;
  readonly capture?:
    | {
        readonly languages?: readonly CaptureLanguage[] | undefined;
        readonly origin?: string | undefined;
        readonly returnUrl?: string | undefined;
      }
    | undefined;
};

export type CreateCall = RecordedCall & Pick<Call<unknown>, "signal">;

/** A new verification, with the session that was opened for it. */
export type CreatedVerification = {
  readonly verification: Verification;
  readonly session?: CreatedSession | undefined;
};

/**
 * Checks images, user and session, so that a refused call stores nothing; then commits the verification,
 * which is a job from then on. Fails with a token, image or user failure, with not_found, capture_ended,
 * capture_expired, capture_steps_missing, liveness_level_too_low, capture_paused and operation_finished.
 */
export type CreateVerification = (
  call: CreateCall,
  request: VerificationRequest,
) => Promise<CreatedVerification>;

type Deps = VerificationDeps &
  Pick<Ports, "judgesOf" | "createSession" | "captures"> & {
    readonly trackCall: TrackCall;
    /** Wakes the loop of this process, because a job is due. */
    readonly wake: () => void;
  };

export const makeCreateVerification =
  (deps: Deps): CreateVerification =>
  async (call, request) => {
    const { caller } = call;
    const judges = deps.judgesOf(caller);
    if (request.userId !== undefined) await judges.requireUser(caller, request.userId);
    const former = await openFormerSession(deps, call, request);
    const sent = request.images ?? (await readFormer(deps, request, former));
    const isAttested = sent !== undefined && (await checkImages(judges, call, request, sent));
    const tracking = call.tracking ?? { operationId: former?.operationId ?? deps.newId() };
    const tracked = { ...call, tracking };
    const session = await openNewSession(deps, tracked, request);
    const images = sent && (await storeImages(deps, caller, sent, call.receivedAt));
    const captureSessionId = former?.id ?? session?.id;
    const verification = await commit(deps, tracked, request, { images, captureSessionId, isAttested });
    deps.wake();
    return { verification, ...(session && { session }) };
  };

/** What a capture session captures for a flow, in this order. */
export const stepsOf = (flow: VerificationFlow): readonly CaptureStepName[] => [
  ...(hasDocument(flow) ? ["document" as const] : []),
  ...(hasSelfie(flow) ? ["face" as const] : []),
];

/** The session that the caller names; undefined where it names none. */
const openFormerSession = async (
  { captures, clock }: Deps,
  { caller }: CreateCall,
  { captureSessionId: id, flow, level }: VerificationRequest,
): Promise<CaptureSession | undefined> => {
  if (id === undefined) return undefined;
  const session = await getSession(captures, caller, id);
  const { content, state, expiresAt } = session;
  const isOver = state === "EXPIRED" || (state === "OPEN" && clock() >= expiresAt);
  if (isOver) throw new Failure("capture_expired");
  if (state !== "OPEN" && state !== "COMPLETED") throw new Failure("capture_ended", { state });
  const captured = content.steps.map(({ name }) => name);
  const absent = captureStepNames.filter((name) => stepsOf(flow).includes(name) && !captured.includes(name));
  if (absent.length > 0) throw new Failure("capture_steps_missing", { steps: absent });
  if (level === "active-turn" && content.level !== level)
    throw new Failure("liveness_level_too_low", { levelMin: level, level: content.level });
  return session;
};

/** The images of a session that is complete; undefined while its person captures. */
const readFormer = async (
  deps: Deps,
  { flow }: VerificationRequest,
  former: CaptureSession | undefined,
): Promise<SentImages | undefined> =>
  former?.state === "COMPLETED" ? await readCapture(deps, former, flow) : undefined;

const openNewSession = async (
  { createSession, newId }: Deps,
  call: CreateCall,
  { capture, flow, customerId, level, document }: VerificationRequest,
): Promise<CreatedSession | undefined> => {
  if (capture === undefined) return undefined;
  const { languages, origin, returnUrl } = capture;
  // The session gets a record of its own: the id of the call belongs to the verification.
  return await createSession(
    { ...call, transactionId: newId() },
    {
      steps: stepsOf(flow),
      languages,
      level,
      origin,
      ...(returnUrl !== undefined && { returnUrl }),
      ...(customerId !== undefined && { customerId }),
      ...(document && { document }),
    },
  );
};

/**
 * Opens and decodes every image; a refusal names its input, which is the session for captured images. Returns
 * whether a capture session attests the selfie.
 */
const checkImages = async (
  judges: Judges,
  call: CreateCall,
  { flow, level, captureSessionId }: VerificationRequest,
  { selfie, front, back }: SentImages,
): Promise<boolean> => {
  const use = flow === "selfie_of_user" ? ("authenticateUser" as const) : ("identity" as const);
  const asked = { use, isActive: level === "active-turn" };
  const inputOf = (name: keyof SentImages): string => (captureSessionId === undefined ? name : "session");
  const [isAttested = false] = await allInputs([
    selfie && asInput(inputOf("selfie"), () => checkSelfie(judges, call, selfie, asked)),
    front && asInput(inputOf("front"), () => checkDocumentImage(judges, call, front)),
    back && asInput(inputOf("back"), () => checkDocumentImage(judges, call, back)),
  ]);
  return isAttested;
};

const contentOf = (
  { newId }: Pick<VerificationDeps, "newId">,
  { transactionId }: CreateCall,
  { flow, customerId, userId, age, level, document }: VerificationRequest,
): VerificationContent => ({
  flow,
  ...(customerId !== undefined && { customerId }),
  ...(userId !== undefined && { userId }),
  ...(age !== undefined && { age }),
  ...(level !== undefined && { level }),
  ...(document && { expected: { country: document.country, type: document.type } }),
  createdBy: transactionId,
  transactions: { start: newId(), face: newId(), decision: newId() },
});

/** Where the images of a verification come from. */
type Source = {
  readonly images: VerificationImages | undefined;
  readonly captureSessionId: string | undefined;
  readonly isAttested: boolean;
};

const commit = async (
  deps: Deps,
  call: CreateCall,
  request: VerificationRequest,
  { images, captureSessionId, isAttested }: Source,
): Promise<Verification> => {
  const { store, seal, newId, trackCall, clock } = deps;
  const { caller, receivedAt: createdAt } = call;
  const { tenantId, environment, keyId } = caller;
  const operation = await trackCall(call, "createVerification", {
    customer: request.customerId ?? request.userId,
  });
  if (operation === undefined) throw new Error("A verification was created without its operation");
  const content: VerificationContent = {
    ...contentOf(deps, call, request),
    ...(captureSessionId !== undefined && { captureSessionId }),
    ...(isAttested && { isAttested }),
    ...(images && { images }),
  };
  const id = newId();
  const state = images === undefined ? ("AWAITING_CAPTURE" as const) : ("PROCESSING" as const);
  const facts = { tenantId, environment, id, keyId, operationId: operation.operationId, state, createdAt };
  const objects = objectsOf(content);
  await store.createVerification(
    {
      ...facts,
      sealed: await seal.seal(facts, content),
      blobs: objects.map((object) => ({ ...object, tenantId, kind: "verification", createdAt: clock() })),
      waitsFor: images === undefined ? captureSessionId : undefined,
    },
    transactionOf(call, {
      endpoint: "createVerification",
      result: { verificationId: id, flow: request.flow },
      measurements: null,
      policyVersion: verificationPolicyVersion,
    }),
    stepOf({ operation }),
  );
  return { ...facts, revision: 0, attempts: 0, content };
};
