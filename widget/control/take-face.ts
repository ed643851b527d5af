import type { PageKey } from "#judging/face/challenge/container";
import { type CapturedFrame, writeContainer } from "#judging/face/challenge/write-container";
import type { PageChallenge } from "../session/page-state.ts";
import type { BestImage } from "./take-best.ts";
import type { TurnFrame } from "./take-turn.ts";

export const bytesOf = async (image: Blob): Promise<Uint8Array> => new Uint8Array(await image.arrayBuffer());

/** The signed container of a face: the best image, then the frames of each step. */
export const writeFaceContainer = async (
  key: { readonly publicKey: PageKey; readonly privateKey: CryptoKey },
  challenge: PageChallenge | undefined,
  best: Pick<BestImage, "image" | "capturedMs">,
  steps: readonly (readonly TurnFrame[])[],
): Promise<Uint8Array> => {
  const startMs = best.capturedMs;
  const frames: CapturedFrame[] = [{ step: -1, index: 0, capturedMs: 0, jpeg: await bytesOf(best.image) }];
  for (const [step, taken] of steps.entries()) {
    for (const [index, { image, capturedMs }] of taken.entries()) {
      frames.push({ step, index, capturedMs: Math.round(capturedMs - startMs), jpeg: await bytesOf(image) });
    }
  }
  return writeContainer({ challenge: challenge?.id ?? "", key, frames });
};
