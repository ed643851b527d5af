import type { Imaging } from "#machine/imaging/image";
import type { Network } from "#machine/networks/model";
import { type Detect, type DetectionLimits, makeDetect } from "./detection.ts";
import { type DetectorNetwork, makeDetectYunet } from "./yunet.ts";

/** Keeps doubtful candidates, which `findFaces` weighs; .3 is MediaPipe's own overlap. */
export const detectionLimits: DetectionLimits = { scoreMin: 0.15, overlapMax: 0.3 };

/** The active detector: the one added by the operator, else the bundled one. */
export const makeDetector = (
  imaging: Imaging,
  blazeface: Network,
  added: DetectorNetwork | undefined,
): Detect =>
  added === undefined
    ? makeDetect(imaging, blazeface, detectionLimits)
    : makeDetectYunet(imaging, added, detectionLimits);
