import { makeImaging } from "#imaging/imaging";
import { defaultImagingLimits } from "#imaging/limits";
import { drawReference, type ReferenceKind } from "#specimen/reference-picture";

/** Makes an encoded reference of an encoded picture; the same seed treats every picture alike. */
export type DrawReference = (bytes: Uint8Array, seed: number) => Promise<Uint8Array>;

export const makeDrawReference = (kind: ReferenceKind): DrawReference => {
  const imaging = makeImaging({ limits: defaultImagingLimits });
  return async (bytes, seed) => {
    const { image, jpegQuality } = drawReference(kind, await imaging.open(bytes), seed);
    return await imaging.encodeJpeg(image, jpegQuality);
  };
};
