import type { Imaging } from "#machine/imaging/image";
import { readingSide } from "../read-side.ts";
import type { FindQuad } from "./find-quad.ts";
import { scaleCorners } from "./geometry.ts";
import type { LocatedCard } from "./located-card.ts";

/**
 * Locates the card of an encoded image as reading a document does. Corners are in pixels of the upright file;
 * null when no card was found. Fails like opening an image: image_unreadable | image_unsupported |
 * image_too_large.
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
