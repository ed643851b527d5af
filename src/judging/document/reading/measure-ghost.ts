import type { Image } from "#machine/imaging/image";
import { distance } from "./locate/geometry.ts";
import { type FoundFace, type MeasureLikeness, middleOf, portraitShareMin } from "./portrait.ts";
import type { Ghost } from "./traces/ghost.ts";

/**
 * Ghosts of published documents are counted from this score on (docs/measurements/attacks.md, The portrait's
 * content).
 */
const ghostScoreMin = 0.5;
/** In pixels of the upright side: a recogniser needs some features of a face. */
const ghostWidthMin = 32;

/**
 * The widest face on the document that is apart from its portrait, and smaller than another document's would
 * be.
 */
export const findGhost = (faces: readonly FoundFace[], portrait: FoundFace): FoundFace | undefined =>
  faces
    .filter(
      ({ box, score }) =>
        score >= ghostScoreMin &&
        box.width >= ghostWidthMin &&
        box.width < portraitShareMin * portrait.box.width &&
        distance(middleOf(box), middleOf(portrait.box)) >= portrait.box.width,
    )
    .toSorted((one, other) => other.box.width - one.box.width)[0];

/** Measures the ghost beside a portrait; undefined without one. */
export const measureGhost = async (
  measureLikeness: MeasureLikeness,
  side: Image,
  faces: readonly FoundFace[],
  portrait: FoundFace,
): Promise<Ghost | undefined> => {
  const ghost = findGhost(faces, portrait);
  if (ghost === undefined) return undefined;
  const likeness = await measureLikeness(side, portrait.box, ghost.box);
  return {
    widthShare: ghost.box.width / portrait.box.width,
    ...(likeness !== undefined && { likeness }),
  };
};
