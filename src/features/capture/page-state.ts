import type { PageState } from "#contract/capture-fields";
import type { CaptureContent, CaptureSession, CaptureStep } from "./capture-session.ts";
import { type ConsentTexts, consentIn } from "./consent/consent-text.ts";
import type { CapturePolicy } from "./policy.ts";
import { stateAt, wantedSide } from "./session-state.ts";

export const triesLeft = (
  { state, refused }: CaptureStep,
  { triesMax }: Pick<CapturePolicy, "triesMax">,
): number => (state === "open" ? Math.max(0, triesMax - refused) : 0);

const handoffOf = ({ handoff }: CaptureContent): Pick<PageState, "handoff"> =>
  handoff === undefined ? {} : { handoff: { code: handoff.code, state: handoff.state } };

/** What the page of a session shows. It names no person and no image. */
export const pageStateOf = (
  session: CaptureSession,
  {
    consent,
    policy,
    now,
  }: { readonly consent: ConsentTexts; readonly policy: CapturePolicy; readonly now: Date },
): PageState => {
  const { content } = session;
  const { language, languages, level, document, returnUrl } = content;
  return {
    sessionId: session.id,
    state: stateAt(session, now),
    expiresAt: session.expiresAt.toISOString(),
    language,
    languages,
    consent: {
      version: consent.version,
      text: consentIn(consent, language),
      accepted: content.consent !== undefined,
    },
    level,
    steps: content.steps.map((step) => {
      const side = step.state === "open" ? wantedSide(content, step) : undefined;
      return {
        name: step.name,
        state: step.state,
        triesLeft: triesLeft(step, policy),
        ...(side && { side }),
      };
    }),
    ...handoffOf(content),
    ...(document && { document }),
    ...(returnUrl !== undefined && { returnUrl }),
    isTest: session.environment === "test",
  };
};
