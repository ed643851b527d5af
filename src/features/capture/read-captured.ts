import type { CaptureSession } from "./capture-session.ts";
import type { CaptureDeps } from "./sessions.ts";

/**
 * The images of a session that is complete: the selfie as its attested token, the sides of the document as
 * open images.
 */
export type CapturedImages = {
  readonly selfie?: Uint8Array;
  readonly front?: Uint8Array;
  readonly back?: Uint8Array;
};

export const readCaptured = async (
  { blobs }: Pick<CaptureDeps, "blobs">,
  { tenantId, content: { tokens, steps } }: CaptureSession,
): Promise<CapturedImages> => {
  const sides = steps.flatMap((step) => step.sides);
  const objects = {
    selfie: tokens["bestImageToken"],
    front: sides.find(({ side }) => side === "front")?.image,
    back: sides.find(({ side }) => side === "back")?.image,
  };
  const read: { -readonly [Name in keyof CapturedImages]: Uint8Array } = {};
  for (const name of ["selfie", "front", "back"] as const) {
    const object = objects[name];
    if (object !== undefined) read[name] = await blobs.get(tenantId, object.id);
  }
  return read;
};
