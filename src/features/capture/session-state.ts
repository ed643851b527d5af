/** The states of a capture session and its moves: pure. A move that the session does not allow fails. */
import type { CaptureState, CaptureStepName, DocumentSide } from "#contract/capture";
import { singleSidedTypes } from "#contract/document-type";
import { Failure } from "#contract/failure";
import type { CaptureLanguage } from "#contract/guidance";
import type { CaptureContent, CaptureSession, CaptureStep, Holder } from "./capture-session.ts";

/** The state at a time: an open session ends with its time, whether or not the end is stored yet. */
export const stateAt = (
  { state, expiresAt }: Pick<CaptureSession, "state" | "expiresAt">,
  now: Date,
): CaptureState => (state === "OPEN" && now >= expiresAt ? "EXPIRED" : state);

/** Fails with capture_expired or capture_ended unless the session is open at `now`. */
export const requireOpen = (session: Pick<CaptureSession, "state" | "expiresAt">, now: Date): void => {
  const state = stateAt(session, now);
  if (state === "EXPIRED") throw new Failure("capture_expired");
  if (state !== "OPEN") throw new Failure("capture_ended", { state });
};

/** Fails unless this page captures: none has opened the session, or another one has. */
export const requirePage = (
  { page }: CaptureContent,
  holder: Holder,
): NonNullable<CaptureContent["page"]> => {
  if (page === undefined) throw new Failure("capture_not_opened");
  if (page.holder !== holder) throw new Failure("capture_open_elsewhere");
  return page;
};

/** The step that waits for an image: the first that is not accepted. */
const currentStep = ({ steps }: CaptureContent): CaptureStep | undefined =>
  steps.find(({ state }) => state !== "accepted");

const sidesOf = ({ document = {} }: CaptureContent): readonly DocumentSide[] => {
  const count = document.sides ?? (singleSidedTypes.includes(document.type ?? "") ? 1 : 2);
  return count === 1 ? ["front"] : ["front", "back"];
};

/** The side of a document that is wanted next; undefined for a face, and where all are there. */
export const wantedSide = (content: CaptureContent, step: CaptureStep): DocumentSide | undefined =>
  step.name === "document"
    ? sidesOf(content).find((side) => step.sides.every((taken) => taken.side !== side))
    : undefined;

/** Fails unless the session waits for an image of this step and side. */
export const requireStep = (content: CaptureContent, name: CaptureStepName, side?: DocumentSide): void => {
  const step = currentStep(content);
  const wanted = step && wantedSide(content, step);
  if (step?.name === name && (name === "face" || side === wanted)) return;
  throw new Failure("capture_step_refused", {
    ...(step && { step: step.name }),
    ...(wanted && { side: wanted }),
  });
};

export const requireConsent = ({ consent }: CaptureContent): void => {
  if (consent === undefined) throw new Failure("capture_consent_missing");
};

const without = (
  content: CaptureContent,
  ...names: readonly ("challenge" | "phone" | "handoff")[]
): CaptureContent => {
  const kept = { ...content };
  for (const name of names) delete kept[name];
  return kept;
};

export type Opening = {
  readonly thumbprint: string;
  readonly language?: CaptureLanguage | undefined;
  readonly device?: CaptureContent["device"] | undefined;
  readonly takeOver?: boolean | undefined;
};

/**
 * Binds the session to the key of a page. The telephone of a hand-off is bound when its person confirms. Once
 * an image is accepted, only a telephone that this page hands over to is bound in its place, so that one
 * person goes on with what one person began.
 */
export const openPage = (
  content: CaptureContent,
  holder: Holder,
  opening: Opening,
  now: Date,
): CaptureContent => {
  const { thumbprint, language, device } = opening;
  const opened = {
    ...content,
    ...(language && content.languages.includes(language) && { language }),
    ...(device && { device }),
  };
  const { page, handoff } = content;
  if (holder === "handoff" && handoff?.state !== "confirmed") {
    if (handoff === undefined || now.getTime() >= handoff.expiresAt)
      throw new Failure("capture_open_elsewhere");
    return { ...opened, phone: { thumbprint } };
  }
  if (page === undefined || (page.holder === holder && page.thumbprint === thumbprint)) {
    return { ...opened, page: { holder, thumbprint } };
  }
  const isUntouched = content.steps.every(({ state, sides }) => state !== "accepted" && sides.length === 0);
  if (!isUntouched) throw new Failure("capture_bound");
  if (opening.takeOver !== true) throw new Failure("capture_open_elsewhere");
  const freed =
    holder === "page" ? without(opened, "challenge", "phone", "handoff") : without(opened, "challenge");
  return { ...freed, page: { holder, thumbprint }, uploads: judgedOf(opened.uploads) };
};

/** Only uploads with an answer, whose repetition must find it. */
const judgedOf = (uploads: CaptureContent["uploads"]): CaptureContent["uploads"] =>
  uploads.filter(({ answer }) => answer !== undefined);

/** Offers the session to a telephone; a newer offer replaces the former one. */
export const offerHandoff = (content: CaptureContent, code: string, expiresAt: Date): CaptureContent => ({
  ...without(content, "phone"),
  handoff: { code, state: "waiting", expiresAt: expiresAt.getTime() },
});

/** From now on the telephone captures. Again by the telephone that has confirmed: no change. */
export const confirmHandoff = (content: CaptureContent, holder: Holder, now: Date): CaptureContent => {
  const { handoff, phone, page } = content;
  if (handoff === undefined || holder !== "handoff") throw new Failure("capture_handoff_refused");
  if (handoff.state === "confirmed" && page?.holder === "handoff") return content;
  if (now.getTime() >= handoff.expiresAt) throw new Failure("capture_handoff_refused");
  if (phone === undefined) throw new Failure("capture_not_opened");
  return {
    ...without(content, "phone", "challenge"),
    page: { holder, thumbprint: phone.thumbprint },
    handoff: { ...handoff, state: "confirmed" },
    uploads: judgedOf(content.uploads),
  };
};

/** The state after a judged step: one failed step ends the session, the last accepted one completes it. */
export const stateAfter = ({ steps }: CaptureContent): CaptureState => {
  if (steps.some(({ state }) => state === "failed")) return "FAILED";
  return steps.every(({ state }) => state === "accepted") ? "COMPLETED" : "OPEN";
};
