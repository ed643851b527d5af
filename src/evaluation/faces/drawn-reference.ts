import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { drawReference, type ReferenceKind } from "#sandbox/specimen/reference-image";

/** Makes an encoded reference from an encoded image. The same seed treats every image in the same way. */
export type DrawReference = (bytes: Uint8Array, seed: number) => Promise<Uint8Array>;

export const makeDrawReference = (kind: ReferenceKind): DrawReference => {
  const imaging = makeImaging({ limits: defaultImagingLimits });
  return async (bytes, seed) => {
    const { image, jpegQuality } = drawReference(kind, await imaging.open(bytes), seed);
    return await imaging.encodeJpeg(image, jpegQuality);
  };
};
