import type { Imaging } from "#imaging/image";
import { readingSide } from "../read-side.ts";
import type { FindQuad, LocatedCard } from "./find-quad.ts";
import { scaleCorners } from "./geometry.ts";

/**
 * Locates the card of an encoded picture as reading a document does; corners in pixels of the upright file, null where
 * nothing was found. Fails as opening a picture does: image_unreadable | image_unsupported | image_too_large.
 */
export const makeLocateCard =
  (imaging: Pick<Imaging, "open">, findQuad: FindQuad) =>
  async (bytes: Uint8Array): Promise<LocatedCard | null> => {
    const image = await imaging.open(bytes, { longSideMax: readingSide });
    const card = await findQuad(image);
    const { width, height } = image.file;
    return card === undefined
      ? null
      : { ...card, quad: scaleCorners(card.quad, width / image.width, height / image.height) };
  };
