import type { GuidanceCode } from "#contract/guidance";
import { colourMin } from "../camera/choose-camera.ts";
import type { Grabber } from "../camera/frames.ts";
import type { LookAnswer, LookRequest } from "../look/look.ts";
import type { Looker } from "../look/start-look.ts";
import type { Stage } from "../view/stage.ts";
import type { Texts } from "../view/texts.ts";
import { pause } from "./clock.ts";

/** A capture with the camera, from its first frame to its last. */
export type LiveSession = {
  readonly grabber: Grabber;
  readonly looker: Looker;
  readonly stage: Stage;
  readonly texts: Texts;
  /** Milliseconds since the begin of this capture. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Shows and speaks an instruction; the code is for the events. */
  readonly instruct: (text: string, code?: GuidanceCode | "ready") => void;
  /** True once after the person pressed the shutter. */
  readonly takeShutter: () => boolean;
  readonly isAutomatic: boolean;
};

/** The camera is not fit for the capture. */
export class CameraFault extends Error {
  readonly code: "camera_grey" | "camera_silent";
  constructor(code: "camera_grey" | "camera_silent") {
    super(code);
    this.code = code;
  }
}

/** Without a frame for this long the camera is silent. */
const silentMs = 8_000;
/**
 * Between two looks at the least: the page stays quick, and ten in a second are enough to follow a person.
 */
const betweenLooksMs = 60;

/**
 * Waits for a frame and measures it. `candidate`: the longest side at which the same frame is kept at hand.
 */
export const lookOnce = async (
  { grabber, looker, signal }: LiveSession,
  request: Omit<LookRequest, "frame">,
  candidate: number | undefined,
): Promise<LookAnswer> => {
  for (let waited = 0; waited < silentMs; waited += betweenLooksMs) {
    await pause(betweenLooksMs, signal);
    const frame = grabber.look(candidate);
    if (frame !== undefined) {
      const answer = await looker.look({ ...request, frame });
      signal.throwIfAborted();
      return answer;
    }
  }
  throw new CameraFault("camera_silent");
};

/** Frames without colour before the camera is called infrared: a lens cap and a dark scene pass in less. */
const greyFramesMax = 12;
/** A dark frame has no colour in any camera. */
const litMedian = 30;

/** Counts frames without colour; an infrared camera gives no other. */
export const makeGreyGuard = (): ((answer: LookAnswer) => void) => {
  let grey = 0;
  return ({ colour, face, document }) => {
    const isLit = (face?.frameMedian ?? document?.median ?? 0) > litMedian;
    grey = colour < colourMin && isLit ? grey + 1 : 0;
    if (grey > greyFramesMax) throw new CameraFault("camera_grey");
  };
};
