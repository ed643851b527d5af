import type { GuidanceCode } from "#contract/guidance";
import { makeGrabber } from "../camera/frames.ts";
import type { CameraResult, OpenCamera } from "../camera/open-camera.ts";
import type { Target } from "../flow/flow.ts";
import type { DocumentShape } from "../judge/document-facts.ts";
import type { Looker } from "../look/start-look.ts";
import type { PageChallenge } from "../session/page-state.ts";
import { makeStage, type Stage } from "../view/stage.ts";
import type { Texts } from "../view/texts.ts";
import { CameraFault, type LiveSession } from "./live-session.ts";
import { type BestImage, takeBest } from "./take-best.ts";
import { type TurnFrame, takeTurn } from "./take-turn.ts";

export type Captured = {
  readonly best: BestImage;
  readonly challenge: PageChallenge | undefined;
  readonly steps: readonly (readonly TurnFrame[])[];
};

/** What a capture with the camera reports while it runs. */
export type LiveReports = {
  readonly showStage: (stage: Stage) => void;
  readonly opened: (camera: OpenCamera) => void;
  readonly instructed: (text: string, code: GuidanceCode | "ready" | undefined) => void;
  readonly turnBegan: () => void;
  readonly stepDone: () => void;
};

export type LiveDeps = {
  readonly target: Target;
  readonly shape: DocumentShape;
  readonly texts: Texts;
  readonly isAutomatic: boolean;
  readonly signal: AbortSignal;
  readonly openCamera: () => Promise<CameraResult>;
  readonly looker: () => Promise<Looker>;
  /** The challenge of an active face; undefined for other captures. */
  readonly challenge: () => Promise<PageChallenge | undefined>;
  readonly takeShutter: () => boolean;
  readonly reports: LiveReports;
};

/** The camera, or the reason why there is none. */
export class CameraRefusal extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

const playWaitMs = 8_000;

/** Starts the video; a web view that never plays is given up. */
const play = async (video: HTMLVideoElement, stream: MediaStream): Promise<void> => {
  video.srcObject = stream;
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new CameraFault("camera_silent")), playWaitMs);
  });
  await Promise.race([video.play(), late]);
};

/**
 * One capture with the camera: opens it, guides, takes the best image and the turns of the challenge. The
 * tracks are stopped in every case. Rejects with CameraRefusal, CameraFault, PageError, or the signal's
 * reason; resolves to "slow" if a step of the challenge ran out of time.
 */
export const runLive = async (deps: LiveDeps): Promise<Captured | "slow"> => {
  const { target, shape, texts, signal, reports } = deps;
  const subject = target.step === "face" ? "face" : shape;
  const opening = deps.openCamera();
  const [camera, looker] = await Promise.all([opening, deps.looker()]).catch(async (error: unknown) => {
    const opened = await opening;
    if ("stop" in opened) opened.stop();
    throw error;
  });
  if ("problem" in camera) throw new CameraRefusal(camera.problem);
  // At once, whatever measurement is under way: a person who hides the page is not filmed.
  signal.addEventListener("abort", camera.stop, { once: true });
  try {
    signal.throwIfAborted();
    const stage = makeStage(subject, subject === "face", texts.label("video"));
    reports.showStage(stage);
    await play(stage.video, camera.stream);
    signal.throwIfAborted();
    reports.opened(camera);
    const challenge = await deps.challenge();
    const session = sessionOf(deps, stage, looker);
    return await takeAll(session, deps, challenge);
  } finally {
    signal.removeEventListener("abort", camera.stop);
    camera.stop();
  }
};

const sessionOf = (
  { texts, signal, reports, ...deps }: LiveDeps,
  stage: Stage,
  looker: Looker,
): LiveSession => {
  const startedAt = performance.now();
  const now = (): number => performance.now() - startedAt;
  return {
    grabber: makeGrabber(stage.video, now),
    looker,
    stage,
    texts,
    now,
    signal,
    takeShutter: deps.takeShutter,
    isAutomatic: deps.isAutomatic,
    instruct: (text, code) => {
      stage.say(text);
      reports.instructed(text, code);
    },
  };
};

const takeAll = async (
  session: LiveSession,
  { target, shape, reports }: LiveDeps,
  challenge: PageChallenge | undefined,
): Promise<Captured | "slow"> => {
  const best = await takeBest(session, target.step === "face" ? "face" : shape);
  const asked = challenge?.steps ?? [];
  if (asked.length > 0) reports.turnBegan();
  const centre = best.pose ?? { yaw: 0, pitch: 0, roll: 0 };
  // Half a second less than the service allows: the last frame is taken by then.
  const untilMs = best.capturedMs + (challenge?.finishMs ?? 0) - 500;
  const steps: (readonly TurnFrame[])[] = [];
  for (const { turn } of asked) {
    const frames = await takeTurn(session, turn, centre, untilMs);
    if (frames === undefined) return "slow";
    steps.push(frames);
    reports.stepDone();
  }
  return { best, challenge, steps };
};
