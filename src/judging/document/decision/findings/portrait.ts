import { singleSidedTypes } from "#contract/document-type";
import type { FindingRule } from "../finding.ts";
import { faceShareOf, leastFaceShareOf } from "../sides/face-share.ts";
import { finding } from "./finding-defaults.ts";

/**
 * The front has no portrait (643). Ghosts beside it do not matter, and a ghost alone is none: its face is too
 * small for the portrait of a card. Pages are not measured: a passport that lies open is no single page.
 */
export const portraitRule: FindingRule = ({ reading: { front }, declared, policy }) => {
  const { faceShareMin } = policy.card;
  const isCard = !singleSidedTypes.includes(declared.type);
  const share = isCard ? faceShareOf(front) : undefined;
  const isGhost = share !== undefined && share < faceShareMin;
  const isSizeUnknown = isCard && share === undefined && leastFaceShareOf(front) < faceShareMin;
  return [
    finding({
      name: "portrait-missing",
      stage: "portrait",
      code: 643,
      consequence: "resubmit",
      neededForApproval: true,
      holds: front.portrait === undefined || isGhost,
      evidence: {
        faces: front.faces,
        ...(isGhost && { faceShare: share, faceShareMin }),
        // It may be a ghost: no portrait is known to be the document's.
        ...(isSizeUnknown && { isSizeUnknown }),
      },
    }),
  ];
};
