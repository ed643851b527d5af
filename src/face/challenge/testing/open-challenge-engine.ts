import { makeImaging } from "#imaging/imaging";
import { defaultImagingLimits } from "#imaging/limits";
import { sharedNetworks } from "#inference/testing/shared-networks";
import { frameLimits, openChallengeEngine } from "../../engine/open-challenge-engine.ts";
import { readCohort, readEyewearProbe } from "../../testing/images.ts";

/** The real engine of captures in this thread. */
export const makeChallengeEngine = () => {
  const imaging = makeImaging({ limits: defaultImagingLimits });
  const { networks } = sharedNetworks();
  const deps = { imaging, networks, cohort: readCohort(), eyewear: readEyewearProbe() };
  const frameImaging = makeImaging({ limits: { ...defaultImagingLimits, ...frameLimits } });
  return { imaging, measureChallenge: openChallengeEngine({ ...deps, frameImaging }) };
};
