/** The images of a verification, opened and checked as the judges will open them. */

import { unpackFrames } from "#judging/face/engine/frames";
import { requireLevel } from "#judging/face/liveness/level";
import { claimedKind } from "#trust/tokens/open";
import type { ImageCall, Judges } from "./ports.ts";

/**
 * The image of a document: an open image, or the payload of a document-image token. Fails with a token
 * failure.
 */
export const openDocumentImage = async (
  { openToken }: Pick<Judges, "openToken">,
  call: ImageCall,
  bytes: Uint8Array,
): Promise<Uint8Array> =>
  claimedKind(bytes) === undefined ? bytes : (await openToken(bytes, "document-image", call)).payload;

/**
 * Opens and decodes an image of a document. Fails as {@link openDocumentImage}, and with an image failure.
 */
export const checkDocumentImage = async (
  judges: Pick<Judges, "openToken" | "inspect">,
  call: ImageCall,
  bytes: Uint8Array,
): Promise<void> => {
  await judges.inspect(await openDocumentImage(judges, call, bytes), call.signal);
};

/**
 * Opens a selfie and checks that it is an image of the least level. Returns whether a capture session attests
 * it. Fails with a token or an image failure, and with liveness_level_too_low.
 */
export const checkSelfie = async (
  { openToken, inspect, levelMin }: Pick<Judges, "openToken" | "inspect" | "levelMin">,
  call: ImageCall,
  bytes: Uint8Array,
  { use, isActive }: { readonly use: "identity" | "authenticateUser"; readonly isActive: boolean },
): Promise<boolean> => {
  const token = await openToken(bytes, "best-image", call);
  requireLevel(isActive ? "active-turn" : levelMin[use], token);
  await inspect(unpackFrames(token.payload)[0], call.signal);
  return token.attestation !== undefined;
};
