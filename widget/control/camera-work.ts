import type { Cameras, OpenCamera } from "../camera/open-camera.ts";
import type { Emit } from "../element/events.ts";
import type { Options } from "../element/options.ts";
import type { Flow, FlowEvent, Target } from "../flow/flow.ts";
import type { DocumentShape } from "../judge/document-facts.ts";
import type { Looker } from "../look/start-look.ts";
import { codeOf, PageError } from "../session/call.ts";
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

/** Runs the camera of one element, one capture at a time. */
export const makeCameraWork = (deps: CameraWorkDeps): CameraWork => {
  const { options, session, emit, frame, send } = deps;
  let running: AbortController | undefined;
  let isPressed = false;
  let switches = false;

  const reportsFor = (target: Target, signal: AbortSignal): LiveReports => ({
    showStage: (stage) => frame.showStage(stage, { texts: deps.texts(), actions: deps.actions() }),
    opened: (camera: OpenCamera) => {
      camera.stream.getVideoTracks()[0]?.addEventListener("ended", () => {
        if (!signal.aborted) send({ is: "cameraFailed", code: "camera_silent" });
      });
      emit("idem-permission", { state: "granted" });
      send({ is: "cameraOpen" });
      startTimers(target, signal);
    },
    instructed: (text, code) => {
      frame.speaker.say(text);
      if (code !== undefined) emit("idem-guidance", { code, step: target.step });
    },
    turnsBegan: () => send({ is: "turnsBegan" }),
    stepDone: () => send({ is: "stepDone" }),
  });

  /** The manual shutter, and the time-out if the integrator set one. */
  const startTimers = (target: Target, signal: AbortSignal): void => {
    const after = (ms: number, act: () => void): void => {
      const timer = setTimeout(act, ms);
      signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
    };
    after(options.captures === "on" ? options.manualAfterMs : 0, frame.showShutter);
    if (options.timeoutMs > 0) {
      after(options.timeoutMs, () => {
        emit("idem-timeout", { step: target.step });
        send({ is: "slow" });
      });
    }
  };

  const capture = (target: Target, signal: AbortSignal): Promise<Captured | "slow"> => {
    const page = deps.state().page;
    const facing = target.step === "face" ? "user" : "environment";
    const isSwitched = switches;
    switches = false;
    return runLive({
      target,
      shape: shapeOf(page?.documentType),
      texts: deps.texts(),
      isAutomatic: options.captures === "on",
      signal,
      openCamera: () => (isSwitched ? deps.cameras.switchCamera(facing) : deps.cameras.open(facing)),
      looker: deps.looker,
      challenge: async () =>
        target.step === "face" && page?.level === "active-turn" ? session.challenge() : undefined,
      takeShutter: () => {
        const was = isPressed;
        isPressed = false;
        return was;
      },
      reports: reportsFor(target, signal),
    });
  };

  const finish = async (
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
    emit("idem-captured", {
      step: target.step,
      source: "camera",
      bytes: prepared.bytes.length,
      quality: captured.best.sharpness,
    });
    send({ is: "captured" });
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
      const own = new AbortController();
      running = own;
      isPressed = false;
      capture(target, own.signal)
        .then((captured) => finish(target, captured, done))
        .catch((error: unknown) => {
          const code = problemOf(error) ?? (own.signal.aborted ? undefined : codeOf(error));
          if (code === undefined || own.signal.aborted) return;
          if (error instanceof CameraRefusal) emit("idem-permission", { state: permissionOf(code) });
          send({ is: "cameraFailed", code });
        });
    },
  };
};

/** A passport is captured by its data page; everything else is a card. */
const shapeOf = (type: string | undefined): DocumentShape =>
  type === "PASSPORT" || type === "VISA" ? "page" : "card";
