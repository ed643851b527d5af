import {
  type CaptureLevel,
  type CaptureResult,
  type CaptureState,
  type CaptureStepName,
  type CaptureStepState,
  captureResults,
  captureStates,
  captureStepNames,
  captureStepStates,
  type DocumentSide,
  documentSides,
  type TurnDirection,
  turnDirections,
} from "#contract/capture";
import { isFollowedUrl } from "#contract/followed-url";
import {
  type CaptureLanguage,
  captureLanguages,
  type GuidanceCode,
  isGuidanceCode,
} from "#contract/guidance";

/** What the service answers to a page, as far as the elements use it (api/openapi.yaml, tag capture). */
export type StepName = CaptureStepName;
export type Side = DocumentSide;
export type PageStep = {
  readonly name: StepName;
  readonly state: CaptureStepState;
  readonly side?: Side;
  readonly triesLeft: number;
};
export type PageState = {
  readonly sessionId: string;
  readonly state: CaptureState;
  readonly expiresAt: string;
  readonly language: CaptureLanguage;
  /** Languages that the integrator offers, the first as default. */
  readonly languages: readonly CaptureLanguage[];
  readonly consent: { readonly version: string; readonly text: string; readonly accepted: boolean };
  readonly level: CaptureLevel;
  readonly steps: readonly PageStep[];
  readonly handoff?: { readonly code: string; readonly state: string };
  readonly documentType?: string;
  readonly returnUrl?: string;
  readonly isTest: boolean;
};
export type StepAnswer = {
  readonly step: StepName;
  readonly result: CaptureResult;
  readonly guidance: readonly GuidanceCode[];
  readonly triesLeft: number;
  readonly page: PageState;
};
export type PageChallenge = {
  readonly id: string;
  /** Longest time from the first frame to the last. */
  readonly finishMs: number;
  readonly steps: readonly { readonly turn: TurnDirection }[];
};

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const oneOf = <Name extends string>(names: readonly Name[], value: unknown): Name | undefined =>
  names.find((name) => name === value);

const stepOf = (value: unknown): PageStep | undefined => {
  const { name, state, side, triesLeft } = fieldsOf(value);
  const step = oneOf(captureStepNames, name);
  const stands = oneOf(captureStepStates, state);
  if (step === undefined || stands === undefined) return undefined;
  const wanted = oneOf(documentSides, side);
  return { name: step, state: stands, triesLeft: numberOf(triesLeft), ...(wanted && { side: wanted }) };
};

const isPresent = <Value>(value: Value | undefined): value is Value => value !== undefined;

/**
 * The state in an answer. Throws TypeError for anything else, so that no element goes on with a half of it.
 */
export const readPageState = (value: unknown): PageState => {
  const fields = fieldsOf(value);
  const state = oneOf(captureStates, fields["state"]);
  const steps = listOf(fields["steps"]).map(stepOf).filter(isPresent);
  if (state === undefined || steps.length === 0) throw new TypeError("The answer is no state of a capture");
  const consent = fieldsOf(fields["consent"]);
  const handoff = fieldsOf(fields["handoff"]);
  const documentType = textOf(fieldsOf(fields["document"])["type"]);
  const returnUrl = textOf(fields["returnUrl"]);
  return {
    sessionId: textOf(fields["sessionId"]),
    state,
    expiresAt: textOf(fields["expiresAt"]),
    language: oneOf(captureLanguages, fields["language"]) ?? captureLanguages[0],
    languages: captureLanguages.filter((language) => listOf(fields["languages"]).includes(language)),
    consent: {
      version: textOf(consent["version"]),
      text: textOf(consent["text"]),
      accepted: consent["accepted"] === true,
    },
    level: fields["level"] === "passive" ? "passive" : "active-turn",
    steps,
    isTest: fields["isTest"] === true,
    ...("code" in handoff && { handoff: { code: textOf(handoff["code"]), state: textOf(handoff["state"]) } }),
    ...(documentType !== "" && { documentType }),
    ...(isFollowedUrl(returnUrl) && { returnUrl }),
  };
};

/** The judgement of a step. Throws TypeError for anything else. */
export const readStepAnswer = (value: unknown): StepAnswer => {
  const fields = fieldsOf(value);
  const step = oneOf(captureStepNames, fields["step"]);
  const result = oneOf(captureResults, fields["result"]);
  if (step === undefined || result === undefined) throw new TypeError("The answer is no judgement of a step");
  return {
    step,
    result,
    guidance: listOf(fields["guidance"]).map(textOf).filter(isGuidanceCode),
    triesLeft: numberOf(fields["triesLeft"]),
    page: readPageState(fields["page"]),
  };
};

/**
 * The challenge of a face. Throws TypeError for one with other tasks than turns: this page cannot do them.
 */
export const readChallenge = (value: unknown): PageChallenge => {
  const { id, finishMs, steps } = fieldsOf(value);
  const wanted = listOf(steps).map((step) => oneOf(turnDirections, fieldsOf(step)["turn"]));
  const asked = wanted.filter(isPresent);
  if (asked.length === 0 || asked.length !== wanted.length) {
    throw new TypeError("The answer is no challenge that this page can show");
  }
  return { id: textOf(id), finishMs: numberOf(finishMs), steps: asked.map((turn) => ({ turn })) };
};

/** The hand-off in an answer. */
export const readHandoff = (value: unknown): { readonly url: string; readonly code: string } => {
  const { url, code } = fieldsOf(value);
  return { url: textOf(url), code: textOf(code) };
};

/** The failure that problem details name. */
export const failureOf = (value: unknown): string => {
  const { failure } = fieldsOf(value);
  return typeof failure === "string" && /^[a-z_]{1,64}$/.test(failure) ? failure : "unexpected";
};

export const offsetOf = (value: unknown): number => numberOf(fieldsOf(value)["offset"]);
/** Captures that are judged before an upload; undefined where it does not wait. */
export const aheadOf = (value: unknown): number | undefined => {
  const { ahead } = fieldsOf(value);
  return typeof ahead === "number" && ahead >= 1 ? ahead : undefined;
};
export const uploadIdOf = (value: unknown): string => textOf(fieldsOf(value)["uploadId"]);
