import type { GuidanceCode } from "#contract/guidance";
import type { PageState, PageStep, Side, StepAnswer, StepName } from "../session/page-state.ts";

/** The step that is captured now. */
export type Target = { readonly step: StepName; readonly side?: Side };

/** Where an image comes from. A person who chose a file may have no camera. */
export type Source = "camera" | "upload";

/** What the person sees. Each has its heading, its buttons and one way on. */
export type Screen =
  | {
      readonly at:
        | "loading"
        | "open_in_other"
        | "confirm"
        | "consent"
        | "declined"
        | "finished"
        | "failed"
        | "cancelled";
    }
  | {
      readonly at: "intro" | "starting" | "live" | "ladder" | "handoff" | "paused" | "moreTime";
      readonly target: Target;
    }
  | { readonly at: "turning"; readonly target: Target; readonly index: number }
  | { readonly at: "preview" | "sending"; readonly target: Target; readonly source: Source }
  | {
      readonly at: "again";
      readonly target: Target;
      readonly source: Source;
      readonly guidance: readonly GuidanceCode[];
      readonly triesLeft: number;
    }
  | { readonly at: "problem"; readonly code: string; readonly target?: Target; readonly source?: Source };

export type Flow = {
  readonly screen: Screen;
  readonly page?: PageState;
};

/** Choices of the integrator that change the order of screens. */
export type FlowRules = {
  /** Steps of this element; the session may have more. */
  readonly steps: readonly StepName[];
  readonly hasPreview: boolean;
  /** Whether this page may open a camera; if not, the telephone takes its place. */
  readonly hasCamera: boolean;
  /** This page has asked for a telephone, so that a waiting hand-off is its own. */
  readonly hasAskedPhone: boolean;
};

export type FlowEvent =
  | { readonly is: "opened"; readonly page: PageState }
  | { readonly is: "refused"; readonly code: string; readonly page?: PageState }
  | {
      readonly is:
        | "declined"
        | "openCamera"
        | "switchCamera"
        | "cameraOpen"
        | "use"
        | "again"
        | "otherWay"
        | "back"
        | "handoff";
    }
  | { readonly is: "hidden" | "slow" | "cancel" }
  | { readonly is: "cameraFailed"; readonly code: string }
  /** The best image is kept, and turns of the head are asked for. */
  | { readonly is: "turnBegan" | "stepDone" }
  /** Everything is taken and ready to be sent. */
  | { readonly is: "captured" }
  | { readonly is: "stepLost"; readonly guidance: GuidanceCode }
  | { readonly is: "fileChosen" }
  | { readonly is: "judged"; readonly answer: StepAnswer };

export const startFlow: Flow = { screen: { at: "loading" } };

const targetOf = ({ name, side }: PageStep): Target => ({ step: name, ...(side && { side }) });

/** The screen for a state of the session: its end, consent, or the first open step of this element. */
export const screenFor = (page: PageState, { steps }: Pick<FlowRules, "steps">): Screen => {
  switch (page.state) {
    case "COMPLETED":
      return { at: "finished" };
    case "FAILED":
      return { at: "failed" };
    case "CANCELLED":
      return { at: "cancelled" };
    case "EXPIRED":
      return { at: "problem", code: "capture_expired" };
    case "OPEN":
      break;
  }
  const own = page.steps.filter(({ name }) => steps.includes(name));
  if (own.some(({ state }) => state === "failed")) return { at: "failed" };
  const open = own.find(({ state }) => state === "open");
  if (open === undefined) return { at: "finished" };
  return page.consent.accepted ? { at: "intro", target: targetOf(open) } : { at: "consent" };
};

/** The step of a screen; undefined on screens without one. */
export const targetIn = (screen: Screen): Target | undefined =>
  "target" in screen ? screen.target : undefined;

/** Whether the camera runs on this screen. */
export const usesCamera = ({ at }: Screen): boolean => at === "starting" || at === "live" || at === "turning";

/** Screens that no event but a new session leaves. */
export const isEnd = ({ at }: Screen): boolean => at === "finished" || at === "failed" || at === "cancelled";

/**
 * Whether the session's end means nothing to this screen: the capture has ended, or goes on in another page
 * alone.
 */
export const isDone = (screen: Screen): boolean =>
  isEnd(screen) || (screen.at === "problem" && screen.code === "capture_bound");

const afterCapture = (target: Target, rules: FlowRules): Screen => ({
  at: rules.hasPreview ? "preview" : "sending",
  target,
  source: "camera",
});

/** A lost turn of the head costs no try. */
const lostStep = (target: Target, guidance: GuidanceCode): Screen => ({
  at: "again",
  target,
  source: "camera",
  guidance: [guidance],
  triesLeft: Number.POSITIVE_INFINITY,
});

const judged = (
  answer: StepAnswer,
  { target, source }: { readonly target: Target; readonly source: Source },
  rules: FlowRules,
): Screen => {
  if (answer.result === "again") {
    const { guidance, triesLeft } = answer;
    return { at: "again", target, source, guidance, triesLeft };
  }
  return answer.result === "failed" ? { at: "failed" } : screenFor(answer.page, rules);
};

/** The screen after an event that concerns one step; undefined: the event means nothing on this screen. */
const nextOfTarget = (
  screen: Screen,
  target: Target,
  event: FlowEvent,
  rules: FlowRules,
): Screen | undefined => {
  const { at } = screen;
  switch (event.is) {
    case "openCamera":
    case "switchCamera":
    case "again":
      return at === "sending" ? undefined : { at: rules.hasCamera ? "starting" : "intro", target };
    case "cameraOpen":
      return at === "starting" ? { at: "live", target } : undefined;
    case "cameraFailed":
      return usesCamera(screen) ? { at: "problem", code: event.code, target } : undefined;
    case "turnBegan":
      return at === "live" ? { at: "turning", target, index: 0 } : undefined;
    case "stepDone":
      return at === "turning" ? { at: "turning", target, index: screen.index + 1 } : undefined;
    case "captured":
      return at === "live" || at === "turning" ? afterCapture(target, rules) : undefined;
    case "stepLost":
      return at === "turning" ? lostStep(target, event.guidance) : undefined;
    case "use":
      return at === "preview" ? { at: "sending", target, source: screen.source } : undefined;
    case "fileChosen":
      return at === "sending" ? undefined : { at: "preview", target, source: "upload" };
    case "judged":
      return at === "sending" ? judged(event.answer, screen, rules) : undefined;
    case "hidden":
      return usesCamera(screen) ? { at: "paused", target } : undefined;
    case "slow":
      return usesCamera(screen) ? { at: "moreTime", target } : undefined;
    case "otherWay":
      return at === "sending" ? undefined : { at: "ladder", target };
    case "handoff":
      return { at: "handoff", target };
    case "back":
      return { at: "intro", target };
    case "opened":
    case "refused":
    case "declined":
    case "cancel":
      break;
  }
  return undefined;
};

/**
 * The first screen of a page. One that finds a hand-off which it did not ask for is the telephone: the person
 * compares the codes first. One that asked and starts anew, in another language, shows its code again.
 */
const firstScreen = (page: PageState, rules: FlowRules): Screen => {
  const screen = screenFor(page, rules);
  if (page.state !== "OPEN" || page.handoff?.state !== "waiting") return screen;
  if (!rules.hasAskedPhone) return { at: "confirm" };
  const target = targetIn(screen);
  return target === undefined ? screen : { at: "handoff", target };
};

const nextScreen = (flow: Flow, event: FlowEvent, rules: FlowRules): Screen | undefined => {
  const { at } = flow.screen;
  if (event.is === "cancel") return { at: "cancelled" };
  if (event.is === "opened")
    return at === "loading" ? firstScreen(event.page, rules) : screenFor(event.page, rules);
  if (event.is === "refused") return refused(flow, event.code);
  if (event.is === "declined") return at === "consent" ? { at: "declined" } : undefined;
  if (event.is === "back" && at === "declined") return { at: "consent" };
  return nextOfScreen(flow, event, rules);
};

/** Where the refused image came from; undefined where no image was refused. */
const sourceOf = (screen: Screen, code: string): Source | undefined => {
  if (code.startsWith("page_file_")) return "upload";
  return "source" in screen ? screen.source : undefined;
};

const refused = ({ screen }: Flow, code: string): Screen => {
  if (code === "capture_open_elsewhere") return { at: "open_in_other" };
  const target = targetIn(screen);
  const source = sourceOf(screen, code);
  return { at: "problem", code, ...(target && { target }), ...(source && { source }) };
};

const nextOfScreen = (flow: Flow, event: FlowEvent, rules: FlowRules): Screen | undefined => {
  const target = targetIn(flow.screen);
  return target && nextOfTarget(flow.screen, target, event, rules);
};

const pageOf = (flow: Flow, event: FlowEvent): PageState | undefined => {
  if (event.is === "opened") return event.page;
  if (event.is === "refused") return event.page ?? flow.page;
  return event.is === "judged" ? event.answer.page : flow.page;
};

/**
 * The flow after an event. An event that means nothing on the screen changes nothing, so that a late answer
 * of a camera or a service cannot move a person back.
 */
export const advance = (flow: Flow, event: FlowEvent, rules: FlowRules): Flow => {
  if (isEnd(flow.screen)) return flow;
  const screen = nextScreen(flow, event, rules);
  if (screen === undefined) return flow;
  const page = pageOf(flow, event);
  return { screen, ...(page && { page }) };
};
