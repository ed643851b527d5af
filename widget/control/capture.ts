import { isInAppBrowser } from "../camera/choose-camera.ts";
import type { Cameras } from "../camera/open-camera.ts";
import type { Emit } from "../element/events.ts";
import { languageOf, type Options } from "../element/options.ts";
import { advance, type Flow, type FlowEvent, startFlow, targetIn, usesCamera } from "../flow/flow.ts";
import type { Looker } from "../look/start-look.ts";
import { codeOf } from "../session/call.ts";
import type { Session } from "../session/session.ts";
import { makeFrame } from "../view/frame.ts";
import type { Actions, View } from "../view/screens.ts";
import { type OwnTexts, textsIn } from "../view/texts.ts";
import { makeCameraWork } from "./camera-work.ts";
import { makeSending, type Prepared } from "./sending.ts";

export type CaptureDeps = {
  readonly root: ShadowRoot;
  readonly options: Options;
  readonly hasOwnLanguage: boolean;
  readonly ownTexts: OwnTexts;
  readonly session: Session;
  readonly cameras: Cameras;
  readonly looker: () => Promise<Looker>;
  readonly emit: Emit;
};

export type Capture = {
  readonly start: () => void;
  /** Stops camera, timers and calls. The session stays as it is. */
  readonly stop: () => void;
  readonly cancel: () => void;
};

/** One element at work: it joins the flow, the view, the camera and the calls. */
export const makeCapture = (deps: CaptureDeps): Capture => {
  const { options, session, emit } = deps;
  const life = new AbortController();
  const rules = { steps: options.steps, hasPreview: options.hasPreview };
  const frame = makeFrame(deps.root, () => performance.now());
  let flow: Flow = startFlow;
  let prepared: Prepared | undefined;
  let handoff: View["handoff"];
  let retries = 0;

  const texts = () => textsIn(languageOf(options, flow.page?.language, deps.hasOwnLanguage), deps.ownTexts);
  const camera = makeCameraWork({
    ...deps,
    frame,
    texts,
    actions: () => actions,
    state: () => flow,
    send: (event) => dispatch(event),
  });
  const sending = makeSending({
    ...deps,
    frame,
    texts,
    signal: life.signal,
    isHandedOff: () => flow.page?.handoff?.state === "confirmed" && handoff === undefined,
  });

  const ask = (work: Promise<FlowEvent>): void => {
    work.then(dispatch, (error: unknown) => {
      if (!life.signal.aborted) dispatch({ is: "refused", code: codeOf(error) });
    });
  };
  const openPage = (takesOver: boolean): void =>
    ask(session.open(takesOver).then((page) => ({ is: "opened", page }) as const));

  const actions: Actions = {
    agree: () =>
      ask(
        session.consent(flow.page?.consent.version ?? "").then((page) => ({ is: "opened", page }) as const),
      ),
    decline: () => {
      emit("idem-cancel", { reason: "consent" });
      dispatch({ is: "declined" });
    },
    openCamera: () => dispatch({ is: "openCamera" }),
    shutter: camera.pressShutter,
    use: () => dispatch({ is: "use" }),
    again: () => dispatch({ is: "again" }),
    switchCamera: () => {
      camera.switchNext();
      dispatch({ is: "openCamera" });
    },
    otherWay: () => dispatch({ is: "otherWay" }),
    usePhone: () =>
      ask(
        session.handOff().then((given) => {
          handoff = given;
          return { is: "handoff" } as const;
        }),
      ),
    cancel: () => cancel(),
    back: () => dispatch({ is: "back" }),
    resume: () => {
      if (flow.screen.at === "confirm") {
        ask(session.confirmHandOff().then((page) => ({ is: "opened", page }) as const));
      } else if (targetIn(flow.screen) === undefined) openPage(false);
      else dispatch({ is: "again" });
    },
    takeOver: () => openPage(true),
    extend: () => {
      const target = targetIn(flow.screen);
      if (target) emit("idem-extend", { step: target.step });
      dispatch({ is: "again" });
    },
    chooseFile: (file) => {
      const target = targetIn(flow.screen);
      if (target === undefined) return;
      sending.prepareFile(target, file).then(
        (made) => {
          prepared = made;
          dispatch({ is: "fileChosen" });
        },
        (error: unknown) =>
          dispatch({ is: "refused", code: error instanceof Error ? error.message : "unexpected" }),
      );
    },
  };

  const cancel = (): void => {
    emit("idem-cancel", { reason: "button" });
    void session.cancel();
    dispatch({ is: "cancel" });
  };

  const dispatch = (event: FlowEvent): void => {
    if (life.signal.aborted) return;
    const before = flow;
    flow = advance(flow, event, rules);
    if (flow === before) return;
    if (event.is === "opened" && before.screen.at === "loading") {
      emit("idem-ready", { steps: options.steps.join(" ") });
    }
    if (event.is === "refused" || event.is === "cameraFailed") emit("idem-error", { code: event.code });
    enter(before);
  };

  /** Draws the new screen and begins its work. */
  const enter = (before: Flow): void => {
    const { screen } = flow;
    if (usesCamera(before.screen) && !usesCamera(screen)) camera.stop();
    if (usesCamera(screen) && usesCamera(before.screen)) return;
    frame.show(screen, viewNow());
    switch (screen.at) {
      case "starting":
        camera.start(screen.target, (captured) => {
          prepared = captured;
        });
        return;
      case "sending":
        if (prepared === undefined) return;
        ask(sending.send(prepared).then((answer) => ({ is: "judged", answer }) as const));
        return;
      case "again":
        retries += 1;
        emit("idem-retry", {
          step: screen.target.step,
          guidance: screen.guidance.join(" "),
          triesLeft: Math.max(0, Math.min(screen.triesLeft, options.retriesMax - retries)),
        });
        if (retries >= options.retriesMax) dispatch({ is: "otherWay" });
        return;
      case "finished":
      case "failed":
        emit("idem-finished", {
          sessionId: flow.page?.sessionId ?? "",
          state: screen.at === "finished" ? "completed" : "failed",
        });
        return;
      case "handoff":
        void sending.watch(
          () => flow.screen.at === "handoff",
          (page) => dispatch({ is: "opened", page }),
          rules,
        );
        return;
      default:
    }
  };

  const viewNow = (): View => ({
    texts: texts(),
    actions,
    page: flow.page,
    may: {
      upload: options.upload !== "never",
      handoff: options.handoff !== "never",
    },
    isInApp: isInAppBrowser(navigator.userAgent),
    humanText: options.humanText,
    previewUrl: prepared && frame.urlOf(prepared.preview),
    handoff,
  });

  const hide = (): void => {
    if (document.visibilityState === "hidden") dispatch({ is: "hidden" });
  };

  return {
    cancel,
    start: () => {
      document.addEventListener("visibilitychange", hide, { signal: life.signal });
      frame.show(flow.screen, viewNow());
      openPage(false);
    },
    stop: () => {
      camera.stop();
      life.abort(new DOMException("The element was removed", "AbortError"));
      frame.close();
    },
  };
};
