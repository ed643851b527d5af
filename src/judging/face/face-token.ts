import type { OpenedToken } from "#trust/tokens/token";
import { unpackFrames } from "./engine/frames.ts";

/** The kinds of tokens where a face is meant that is not judged for liveness. */
export const faceKinds = ["face-image", "best-image"] as const;

/** The encoded image of such a token: of a best image with several frames, the best. */
export const faceOf = ({ kind, payload }: Pick<OpenedToken, "kind" | "payload">): Uint8Array =>
  kind === "best-image" ? unpackFrames(payload)[0] : payload;
