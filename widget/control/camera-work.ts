import type { CameraResult, Cameras, OpenCamera } from "../camera/open-camera.ts";
import type { Emit } from "../element/events.ts";
import type { Options } from "../element/options.ts";
import type { Flow, FlowEvent, Target } from "../flow/flow.ts";
import type { DocumentShape } from "../judge/document-facts.ts";
import type { Looker } from "../look/start-look.ts";
import { PageError } from "../session/call.ts";
import type { Session } from "../session/session.ts";
import type { Frame } from "../view/frame.ts";
import type { Actions } from "../view/screens.ts";
import type { Texts } from "../view/texts.ts";
import { CameraRefusal, type Captured, type LiveReports, runLive } from "./live.ts";
import { CameraFault } from "./live-session.ts";
import { type Prepared, prepareCaptured } from "./sending.ts";

export type CameraWorkDeps = {
  readonly options: Options;
  readonly session: Session;
  readonly cameras: Cameras;
  readonly looker: () => Promise<Looker>;
  readonly emit: Emit;
  readonly frame: Frame;
  readonly actions: () => Actions;
  readonly texts: () => Texts;
  readonly state: () => Flow;
  readonly send: (event: FlowEvent) => void;
};

export type CameraWork = {
  readonly start: (target: Target, done: (prepared: Prepared) => void) => void;
  readonly stop: () => void;
  readonly pressShutter: () => void;
  /** The next start takes another camera. */
  readonly switchNext: () => void;
};

const permissionOf = (code: string): "denied" | "unavailable" =>
  code === "camera_denied" ? "denied" : "unavailable";

/** The code of an error of a running camera; undefined for the end that the page itself asked for. */
const problemOf = (error: unknown): string | undefined => {
  if (error instanceof CameraRefusal || error instanceof CameraFault || error instanceof PageError)
    return error.code;
  return error instanceof DOMException && error.name === "AbortError" ? undefined : "unexpected";
};

/** The manual shutter, and the time-out if the integrator set one. */
const startTimers = (
  { options, emit, frame, state, send }: CameraWorkDeps,
  target: Target,
  signal: AbortSignal,
): void => {
  const after = (ms: number, act: () => void): void => {
    const timer = setTimeout(act, ms);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  };
  after(options.captures === "on" ? options.manualAfterMs : 0, () =>
    frame.showShutter(state().screen.at === "live"),
  );
  if (options.timeoutMs === 0) return;
  after(options.timeoutMs, () => {
    emit("idem-timeout", { step: target.step });
    send({ is: "slow" });
  });
};

const reportsFor = (deps: CameraWorkDeps, target: Target, signal: AbortSignal): LiveReports => {
  const { emit, frame, send } = deps;
  return {
    showStage: (stage) => frame.showStage(stage, { texts: deps.texts(), actions: deps.actions() }),
    opened: (camera: OpenCamera) => {
      camera.stream.getVideoTracks()[0]?.addEventListener("ended", () => {
        if (!signal.aborted) send({ is: "cameraFailed", code: "camera_silent" });
      });
      emit("idem-permission", { state: "granted" });
      send({ is: "cameraOpen" });
      startTimers(deps, target, signal);
    },
    instructed: (text, code) => {
      frame.speaker.say(text);
      if (code !== undefined) emit("idem-guidance", { code, step: target.step });
    },
    turnBegan: () => {
      // The best image is taken by now: nothing is left to take by hand.
      frame.showShutter(false);
      send({ is: "turnBegan" });
    },
    stepDone: () => send({ is: "stepDone" }),
  };
};

/** Tells the flow what a capture gave. */
const finish = async (
  { session, emit, send }: CameraWorkDeps,
  target: Target,
  captured: Captured | "slow",
  done: (prepared: Prepared) => void,
): Promise<void> => {
  if (captured === "slow") {
    send({ is: "stepLost", guidance: "turn_more" });
    return;
  }
  const prepared = await prepareCaptured(target, captured, await session.key());
  done(prepared);
  const { sharpness: quality } = captured.best;
  emit("idem-captured", { step: target.step, source: "camera", bytes: prepared.bytes.length, quality });
  send({ is: "captured" });
};

const fail = ({ emit, send }: CameraWorkDeps, error: unknown, signal: AbortSignal): void => {
  const code = problemOf(error);
  if (code === undefined || signal.aborted) return;
  if (error instanceof CameraRefusal) emit("idem-permission", { state: permissionOf(code) });
  send({ is: "cameraFailed", code });
};

/** Runs the camera of one element, one capture at a time. */
export const makeCameraWork = (deps: CameraWorkDeps): CameraWork => {
  const { options, session, cameras } = deps;
  let running: AbortController | undefined;
  let isPressed = false;
  let switches = false;

  const takePress = (): boolean => {
    const was = isPressed;
    isPressed = false;
    return was;
  };

  const openCamera = (target: Target): Promise<CameraResult> => {
    const facing = target.step === "face" ? "user" : "environment";
    const opening = switches ? cameras.switchCamera(facing) : cameras.open(facing);
    switches = false;
    return opening;
  };

  const capture = (target: Target, signal: AbortSignal): Promise<Captured | "slow"> => {
    const { page } = deps.state();
    const isActive = target.step === "face" && page?.level === "active-turn";
    return runLive({
      target,
      shape: shapeOf(page?.documentType),
      texts: deps.texts(),
      isAutomatic: options.captures === "on",
      signal,
      openCamera: () => openCamera(target),
      looker: deps.looker,
      challenge: async () => (isActive ? session.challenge() : undefined),
      takeShutter: takePress,
      reports: reportsFor(deps, target, signal),
    });
  };

  return {
    pressShutter: () => {
      isPressed = true;
    },
    switchNext: () => {
      switches = true;
    },
    stop: () => running?.abort(new DOMException("The capture was stopped", "AbortError")),
    start: (target, done) => {
      running?.abort(new DOMException("Another capture began", "AbortError"));
      const { signal } = (running = new AbortController());
      isPressed = false;
      capture(target, signal)
        .then((captured) => finish(deps, target, captured, done))
        .catch((error: unknown) => fail(deps, error, signal));
    },
  };
};

/** A passport is captured by its data page; everything else is a card. */
const shapeOf = (type: string | undefined): DocumentShape =>
  type === "PASSPORT" || type === "VISA" ? "page" : "card";
