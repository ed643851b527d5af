import { frameLimits, openChallengeEngine } from "#judging/face/engine/open-challenge-engine";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { sharedNetworks } from "../../networks/shared-networks.ts";
import { readCohort, readEyewearProbe } from "../images.ts";

/** The real engine of captures in this thread. */
export const makeChallengeEngine = () => {
  const imaging = makeImaging({ limits: defaultImagingLimits });
  const { networks } = sharedNetworks();
  const deps = { imaging, networks, cohort: readCohort(), eyewear: readEyewearProbe() };
  const frameImaging = makeImaging({ limits: { ...defaultImagingLimits, ...frameLimits } });
  return { imaging, measureChallenge: openChallengeEngine({ ...deps, frameImaging }) };
};
