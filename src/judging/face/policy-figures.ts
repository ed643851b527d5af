import type { AttributePolicy, ComparisonPolicy, FalseMatchRates, LivenessPolicy } from "./policy.ts";

/** A number of the policy that a policy file may change. */
export type Figure = {
  readonly takes: (value: number) => boolean;
  /** The accepted values, for a message: `a number from 0 to 1`. */
  readonly words: string;
};

type FiguresOf<Part> = {
  readonly [Name in keyof Part as Part[Name] extends number ? Name : never]: Figure;
};

export type PolicyFigures = {
  readonly comparison: FiguresOf<ComparisonPolicy> & { readonly falseMatchRates: FiguresOf<FalseMatchRates> };
  readonly liveness: FiguresOf<LivenessPolicy>;
  readonly attributes: FiguresOf<AttributePolicy>;
};

const within = (least: number, greatest: number): Figure => ({
  takes: (value) => value >= least && value <= greatest,
  words: `a number from ${least} to ${greatest}`,
});

const oneOf = (values: readonly string[]): Figure => ({
  takes: (value) => values.some((one) => Number(one) === value),
  words: `one of ${values.join(", ")}`,
});

/** Shares, probabilities, attack scores, and ratios of a length to a longer one. */
const share = within(0, 1);
/**
 * The eye distance is at most the largest accepted side of an image (`sideMax` in machine/imaging/limits.ts).
 */
const eyeDistance = within(0, 16_384);
/** The mean Laplacian of a chessboard of single pixels is eight times its deviation; no image has more. */
const sharpness = within(0, 8);
/** Poses are measured from ear to ear (pose.ts): yaw ends at the profile. */
const yaw = within(0, 90);
const rotation = within(0, 180);
const luminance = within(0, 255);
/** Luminance of the eyes over that of the skin: over 1 if the eyes are lighter. */
const eyeToSkin = within(0, 4);
/** Natural logarithm of odds: at 20 one in 485 million. */
const odds = within(-20, 20);

/**
 * Every figure of the face policy with its range: the range of its measurement, because a value beyond it
 * would decide nothing. `rates`: the false match rates that the service accepts.
 */
export const policyFigures = (rates: readonly string[]): PolicyFigures => {
  const rate = oneOf(rates);
  return {
    comparison: {
      falseMatchRates: { selfie: rate, document: rate, registry: rate },
      yawDegreesMax: yaw,
      pitchDegreesMax: rotation,
      presenceMin: share,
      eyeDistancePxMin: eyeDistance,
      sharpnessMin: sharpness,
      crowdShareMin: share,
      referenceCrowdShareMin: share,
    },
    liveness: {
      presenceMin: share,
      secondFaceShareMin: share,
      eyeDistancePxMin: eyeDistance,
      // The mesh may extend beyond the image.
      faceShareMax: within(0, 4),
      outsideShareMax: share,
      // In face widths: below 0 a face may extend beyond the image, by its whole width at most.
      borderMarginMin: within(-1, 10),
      yawDegreesMax: yaw,
      pitchDegreesMax: rotation,
      rollDegreesMax: rotation,
      eyeOpennessMin: share,
      // No two colours of sRGB are further apart in a* and b* than green and blue, 253.
      lowerFaceChromaMax: within(0, 253),
      eyeToSkinMin: eyeToSkin,
      sharpnessMin: sharpness,
      brightnessMin: luminance,
      brightnessMax: luminance,
      // The deviation if half the face is black and half white.
      contrastMin: within(0, 127.5),
      blownOutMax: share,
      attackScoreMax: share,
      networkRefusalMax: share,
    },
    attributes: {
      darkLensEyeToSkinMax: eyeToSkin,
      eyewearNoneOddsMax: odds,
      eyewearWornOddsMin: odds,
      darkLensOddsMin: odds,
    },
  };
};
