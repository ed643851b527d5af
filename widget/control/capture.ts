import { isInAppBrowser, isTelephone } from "../camera/choose-camera.ts";
import type { Cameras } from "../camera/open-camera.ts";
import type { Emit } from "../element/events.ts";
import { languageOf, type Options } from "../element/options.ts";
import {
  advance,
  type Flow,
  type FlowEvent,
  type FlowRules,
  isDone,
  type Screen,
  startFlow,
  usesCamera,
} from "../flow/flow.ts";
import { type Device, hasCamera, isPhoneOfHandOff, waysFor } from "../flow/ways.ts";
import type { Looker } from "../look/start-look.ts";
import { codeOf } from "../session/call.ts";
import type { PageState } from "../session/page-state.ts";
import type { Session } from "../session/session.ts";
import { type Frame, makeFrame } from "../view/frame.ts";
import type { View } from "../view/screens.ts";
import { type OwnTexts, textsIn } from "../view/texts.ts";
import { makeActions, openPage } from "./actions.ts";
import { makeCameraWork } from "./camera-work.ts";
import { FileFault, makeSending, type Prepared } from "./sending.ts";
import { type SessionEnd, watchEnd } from "./session-end.ts";

export type CaptureDeps = {
  readonly root: ShadowRoot;
  readonly options: Options;
  readonly hasOwnLanguage: boolean;
  readonly ownTexts: OwnTexts;
  readonly session: Session;
  readonly cameras: Cameras;
  readonly looker: () => Promise<Looker>;
  readonly emit: Emit;
  readonly asked: AskedPhone;
};

/** The telephone that this page asked for. It outlives an element that starts anew. */
export type AskedPhone = {
  readonly find: () => View["handoff"];
  readonly keep: (handoff: NonNullable<View["handoff"]>) => void;
};

export type Capture = {
  readonly start: () => void;
  /** Stops camera, timers and calls. The session stays as it is. */
  readonly stop: () => void;
  readonly cancel: () => void;
};

/** What an element holds from screen to screen. */
type Held = { flow: Flow; prepared: Prepared | undefined; retries: number };

const deviceOf = ({ asked }: CaptureDeps): Device => ({
  isTelephone: isTelephone(navigator.userAgent),
  hasAskedPhone: asked.find() !== undefined,
});

/** The rules of the flow as they stand now. */
const rulesFor = (deps: CaptureDeps, page: PageState | undefined): FlowRules => {
  const { options } = deps;
  const device = deviceOf(deps);
  return {
    steps: options.steps,
    hasPreview: options.hasPreview,
    hasCamera: hasCamera(options, page, device),
    hasAskedPhone: device.hasAskedPhone,
  };
};

/** What the current screen shows. */
const viewOf = (
  deps: CaptureDeps,
  { flow, prepared }: Held,
  { frame, texts, actions }: { readonly frame: Frame } & Pick<View, "texts" | "actions">,
): View => ({
  texts,
  actions,
  page: flow.page,
  ways: (target) => waysFor(target, flow.page, deps.options, deviceOf(deps)),
  isInApp: isInAppBrowser(navigator.userAgent),
  humanText: deps.options.humanText,
  previewUrl: prepared && frame.urlOf(prepared.preview),
  handoff: deps.asked.find(),
});

/** The parts of one element. They share what it holds, and send their events to `dispatch`. */
const makeParts = (
  deps: CaptureDeps,
  held: Held,
  life: AbortSignal,
  dispatch: (event: FlowEvent) => void,
) => {
  const { options, session, emit } = deps;
  const frame = makeFrame(deps.root, () => performance.now());
  const texts = () =>
    textsIn(languageOf(options, held.flow.page?.language, deps.hasOwnLanguage), deps.ownTexts);
  const state = (): Flow => held.flow;
  const ask = (work: Promise<FlowEvent>): void => {
    work.then(dispatch, (error: unknown) =>
      dispatch({ is: "refused", code: error instanceof FileFault ? error.code : codeOf(error) }),
    );
  };
  const cancel = (): void => {
    emit("idem-cancel", { reason: "button" });
    void session.cancel();
    dispatch({ is: "cancel" });
  };
  const camera = makeCameraWork({ ...deps, frame, texts, actions: () => actions, state, send: dispatch });
  const isHandedOff = (): boolean => isPhoneOfHandOff(held.flow.page, deviceOf(deps));
  const sending = makeSending({ ...deps, frame, texts, signal: life, isHandedOff });
  const actions = makeActions({
    session,
    emit,
    camera,
    sending,
    state,
    ask,
    cancel,
    send: dispatch,
    keepPrepared: (prepared) => {
      held.prepared = prepared;
    },
    keepHandoff: deps.asked.keep,
  });
  const view = (): View => viewOf(deps, held, { frame, texts: texts(), actions });
  return { frame, camera, sending, actions, ask, cancel, view };
};

type Parts = ReturnType<typeof makeParts>;

/** Reports a refusal of the service, and offers other ways after too many. */
const retry = (
  screen: Extract<Screen, { at: "again" }>,
  deps: CaptureDeps,
  held: Held,
  parts: Parts,
): void => {
  held.retries += 1;
  const left = deps.options.retriesMax - held.retries;
  deps.emit("idem-retry", {
    step: screen.target.step,
    guidance: screen.guidance.join(" "),
    triesLeft: Math.max(0, Math.min(screen.triesLeft, left)),
  });
  if (left <= 0) parts.actions.otherWay();
};

/** Begins the work of a screen. */
const beginWork = (
  deps: CaptureDeps,
  held: Held,
  parts: Parts,
  dispatch: (event: FlowEvent) => void,
): void => {
  const { screen, page } = held.flow;
  const { camera, sending, ask } = parts;
  if (screen.at === "starting") {
    camera.start(screen.target, (prepared) => {
      held.prepared = prepared;
    });
  }
  if (screen.at === "sending" && held.prepared !== undefined) {
    ask(sending.send(held.prepared).then((answer) => ({ is: "judged", answer }) as const));
  }
  if (screen.at === "again") retry(screen, deps, held, parts);
  if (screen.at === "finished" || screen.at === "failed") {
    const state = screen.at === "finished" ? "completed" : "failed";
    deps.emit("idem-finished", { sessionId: page?.sessionId ?? "", state });
  }
  if (screen.at === "handoff") {
    void sending.watch(
      () => held.flow.screen.at === "handoff",
      (next) => dispatch({ is: "opened", page: next }),
      deps.options.steps,
    );
  }
};

/** Events of the page about a step of the flow. */
const report = ({ options, emit }: CaptureDeps, event: FlowEvent, before: Flow): void => {
  if (event.is === "opened" && before.screen.at === "loading") {
    const { language, languages } = event.page;
    emit("idem-ready", { steps: options.steps.join(" "), language, languages: languages.join(" ") });
  }
  if (event.is === "refused" || event.is === "cameraFailed") emit("idem-error", { code: event.code });
};

/** What the person sees of the session's end. */
const endOf = (
  { session }: CaptureDeps,
  held: Held,
  { frame, view }: Parts,
  dispatch: (event: FlowEvent) => void,
): SessionEnd => ({
  leftMs: () => {
    const { page, screen } = held.flow;
    if (page?.state !== "OPEN" || isDone(screen)) return undefined;
    return Date.parse(page.expiresAt) - session.now();
  },
  warn: () => frame.showNotice(view().texts.paragraph("sessionEnds")),
  over: async () => {
    frame.showNotice("");
    const page = await session.read();
    // The service has the last word: the clock of this page may be wrong.
    if (page.state !== "OPEN") dispatch({ is: "opened", page });
  },
});

/** One element at work: it joins the flow, the view, the camera and the calls. */
export const makeCapture = (deps: CaptureDeps): Capture => {
  const { session } = deps;
  const life = new AbortController();
  const held: Held = { flow: startFlow, prepared: undefined, retries: 0 };

  const dispatch = (event: FlowEvent): void => {
    if (life.signal.aborted) return;
    const before = held.flow;
    held.flow = advance(before, event, rulesFor(deps, event.is === "opened" ? event.page : before.page));
    if (held.flow === before) return;
    report(deps, event, before);
    if (before.page === undefined && held.flow.page !== undefined) {
      void watchEnd(endOf(deps, held, parts, dispatch), life.signal);
    }
    const { screen } = held.flow;
    const hadCamera = usesCamera(before.screen);
    if (hadCamera && !usesCamera(screen)) parts.camera.stop();
    // The stage of a running camera stays; another camera starts anew.
    if (hadCamera && usesCamera(screen) && screen.at !== "starting") return;
    parts.frame.show(screen, parts.view());
    beginWork(deps, held, parts, dispatch);
  };
  const parts = makeParts(deps, held, life.signal, dispatch);

  const hide = (): void => {
    if (document.visibilityState === "hidden") dispatch({ is: "hidden" });
  };

  return {
    cancel: parts.cancel,
    start: () => {
      document.addEventListener("visibilitychange", hide, { signal: life.signal });
      parts.frame.show(held.flow.screen, parts.view());
      openPage({ session, ask: parts.ask }, false);
    },
    stop: () => {
      parts.camera.stop();
      life.abort(new DOMException("The element was removed", "AbortError"));
      parts.frame.close();
    },
  };
};
