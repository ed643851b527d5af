import { makeImaging } from "#imaging/imaging";
import { defaultImagingLimits } from "#imaging/limits";
import { sharedNetworks } from "#inference/testing/shared-networks";
import { frameLimits, openChallengeEngine } from "../../engine/open-challenge-engine.ts";
import { makeMeasureFace } from "../../engine/measure-face.ts";
import type { MeasureFace } from "../../measurement.ts";
import { readCohort, readEyewearProbe } from "../../testing/images.ts";

/** The real engine of captures in this thread. `measureFaceOf` may keep measurements of best images. */
export const makeChallengeEngine = (measureFaceOf?: (measureFace: MeasureFace) => MeasureFace) => {
  const imaging = makeImaging({ limits: defaultImagingLimits });
  const { networks } = sharedNetworks();
  const deps = { imaging, networks, cohort: readCohort(), eyewear: readEyewearProbe() };
  const frameImaging = makeImaging({ limits: { ...defaultImagingLimits, ...frameLimits } });
  const measureFace = measureFaceOf?.(makeMeasureFace(deps));
  return {
    imaging,
    measureChallenge: openChallengeEngine({ ...deps, frameImaging, ...(measureFace && { measureFace }) }),
  };
};
