import type { EyewearPolicy } from "./attributes/eyewear.ts";
import { defaultFusion, type LivenessFusion } from "./liveness/fusion.ts";
import type { ScoreScale } from "./matching/score-scale.ts";

/**
 * Every threshold of the face judges. Stored decisions name the version, so a changed value needs a new one.
 */
export type FacePolicy = {
  readonly version: string;
  readonly comparison: ComparisonPolicy;
  readonly liveness: LivenessPolicy;
  readonly attributes: AttributePolicy;
};

/** The kinds of reference for which an operator may set another false match rate. */
export const comparisonUses = ["selfie", "document", "registry"] as const;
export type ComparisonUse = (typeof comparisonUses)[number];

/** False match rate of the group with the highest rate (`calibration.ts`), by use. */
export type FalseMatchRates = Readonly<Record<ComparisonUse, number>>;

export type ComparisonPolicy = {
  /** The lowest matching score is the one with this rate. */
  readonly falseMatchRates: FalseMatchRates;
  /** From the score with this rate on, the answer is at least Uncertain; absent if the band is off. */
  readonly uncertainFalseMatchRates?: FalseMatchRates;
  /** Head rotation beyond which no comparison is made: there false non-matches prevail. */
  readonly yawDegreesMax: number;
  readonly pitchDegreesMax: number;
  readonly presenceMin: number;
  /** Below these values a descriptor is unreliable: an answer would reject the person for the image. */
  readonly eyeDistancePxMin: number;
  readonly sharpnessMin: number;
  /**
   * The face-size ratio from which a second face makes the subject uncertain: no Negative follows. Key of
   * policy files.
   */
  readonly crowdShareMin: number;
  /** The same for a reference: documents show their holder twice, the second time smaller. */
  readonly referenceCrowdShareMin: number;
  /**
   * The calibration of an added recogniser or of an own cohort. Absent for the bundled pair with the shipped
   * cohort.
   */
  readonly scale?: ScoreScale;
};

export type AttributePolicy = EyewearPolicy;

export type LivenessPolicy = {
  readonly presenceMin: number;
  /** A second face counts from this face-size ratio on. */
  readonly secondFaceShareMin: number;
  readonly eyeDistancePxMin: number;
  /** Face box over image, the larger of width and height share. */
  readonly faceShareMax: number;
  readonly outsideShareMax: number;
  readonly borderMarginMin: number;
  readonly yawDegreesMax: number;
  readonly pitchDegreesMax: number;
  readonly rollDegreesMax: number;
  readonly eyeOpennessMin: number;
  readonly lowerFaceChromaMax: number;
  readonly eyeToSkinMin: number;
  readonly sharpnessMin: number;
  readonly brightnessMin: number;
  readonly brightnessMax: number;
  readonly contrastMin: number;
  readonly blownOutMax: number;
  readonly attackScoreMax: number;
  /**
   * An added network that scores the image at most this live refuses it: no cue in the person's favour counts
   * then.
   */
  readonly networkRefusalMax: number;
  /** False if the operator's liveness network must not be used: then liveness is not judged. */
  readonly isLicensed: boolean;
  /**
   * The weights of the attack cues: the default, or the fit of `idem train liveness` on an operator's images.
   */
  readonly fusion: LivenessFusion;
};

/**
 * Defaults and their sources.
 *
 * Comparison: 1e-2 in the worst group is 1.3e-3 on 7.3 million pairs of LFW (score 2.83), where 3.6 % of the
 * genuine pairs are missed; 1e-3 and 1e-4 would reject more than a seventh and two fifths of them. An
 * operator may choose them by use (`withFalseMatchRates`). Size and sharpness: docs/measurements/faces.md,
 * Recognition. With an IED of 14 px or more, recognition is as good as at full size. Under a sharpness of .03
 * most genuine pairs are missed. Multiple faces (`crowdShareMin`): the ratio at which liveness answers
 * TooManyFaces, so that both halves of an answer agree; of a reference, the ratio from which another face may
 * be taken for the subject (find-faces.ts).
 *
 * Attributes: docs/measurements/attributes.md; faces of LFW under .28 wear sunglasses. Odds: on the folds of
 * generated faces, degraded, .5 % of those with eyewear have up to 0 and .3 % of the bare ones have 2 or
 * more.
 *
 * Liveness: openness .12, and eye and skin luminance, docs/measurements/attributes.md; pose, size and margin
 * from the spread of the 3,811 images of LFW (95 % are within 37°, 22° and 14°; enrolment asks for a frontal
 * image, so less); the quality bounds are beyond 99.5 % of those images. At a network's score of .2 its
 * weight of 2.5 and the default offset alone are an attack (decision 0015).
 */
export const defaultFacePolicy: FacePolicy = {
  version: "face-9",
  comparison: {
    falseMatchRates: { selfie: 1e-2, document: 1e-2, registry: 1e-2 },
    yawDegreesMax: 45,
    pitchDegreesMax: 40,
    presenceMin: 0.5,
    eyeDistancePxMin: 14,
    sharpnessMin: 0.03,
    crowdShareMin: 0.35,
    referenceCrowdShareMin: 0.8,
  },
  attributes: {
    darkLensEyeToSkinMax: 0.28,
    eyewearNoneOddsMax: 0,
    eyewearWornOddsMin: 2,
    darkLensOddsMin: 0,
  },
  liveness: {
    presenceMin: 0.5,
    secondFaceShareMin: 0.35,
    eyeDistancePxMin: 30,
    faceShareMax: 0.92,
    outsideShareMax: 0.05,
    borderMarginMin: 0,
    yawDegreesMax: 30,
    pitchDegreesMax: 28,
    rollDegreesMax: 30,
    eyeOpennessMin: 0.12,
    lowerFaceChromaMax: 45,
    eyeToSkinMin: 0.28,
    sharpnessMin: 0.03,
    brightnessMin: 35,
    brightnessMax: 235,
    contrastMin: 8,
    blownOutMax: 0.4,
    attackScoreMax: 0.5,
    networkRefusalMax: 0.2,
    isLicensed: true,
    fusion: defaultFusion,
  },
};

/** The policy with a fitted fusion; its version names the fit. */
export const withFusion = (policy: FacePolicy, fusion: LivenessFusion): FacePolicy => ({
  ...policy,
  version: `${policy.version}+${fusion.name}`,
  liveness: { ...policy.liveness, fusion },
});

/** The policy of a deployment whose liveness network must not be used. */
export const withoutLicence = (policy: FacePolicy): FacePolicy => ({
  ...policy,
  version: `${policy.version}+unlicensed`,
  liveness: { ...policy.liveness, isLicensed: false },
});

/**
 * The policy of a deployment with an added recogniser or an own cohort; its version names it and its
 * calibration.
 */
export const withScale = (policy: FacePolicy, scale: ScoreScale): FacePolicy => ({
  ...policy,
  version: `${policy.version}+${scale.name}`,
  comparison: { ...policy.comparison, scale },
});

/**
 * The scale named in a stored decision's policy version: that of an added recogniser or an own cohort, or the
 * version of the policy with the shipped cohort and curve.
 */
export const scaleIn = (policyVersion: string): string | undefined =>
  (/\+([^+ ]+\/[0-9a-f]{8})(?=[+ ]|$)/.exec(policyVersion) ?? /^([^+ ]+)/.exec(policyVersion))?.[1];

/** The policy with other rates; its version names them, so that stored decisions name them too. */
export const withFalseMatchRates = (policy: FacePolicy, falseMatchRates: FalseMatchRates): FacePolicy => {
  const isSame = comparisonUses.every(
    (use) => policy.comparison.falseMatchRates[use] === falseMatchRates[use],
  );
  const rates = comparisonUses.map((use) => falseMatchRates[use].toExponential()).join("/");
  return isSame
    ? policy
    : {
        ...policy,
        version: `${policy.version}+fmr=${rates}`,
        comparison: { ...policy.comparison, falseMatchRates },
      };
};
