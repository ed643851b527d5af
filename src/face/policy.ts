import type { EyewearPolicy } from "./attributes/eyewear.ts";
import { defaultFusion } from "./liveness/default-fusion.ts";
import type { Fusion } from "./liveness/fusion.ts";
import type { ScoreScale } from "./matching/score-scale.ts";

/** Every threshold of the face judges. Stored decisions name the version, so a changed value needs a new one. */
export type FacePolicy = {
  readonly version: string;
  readonly comparison: ComparisonPolicy;
  readonly liveness: LivenessPolicy;
  readonly attributes: AttributePolicy;
  /** `once`: a best-image token is judged once in its tenant, a second time is token_replayed. */
  readonly bestImageTokenUses: "once" | "many";
};

/** What a face is compared with, for which an operator may want another false-match rate. */
export const comparisonUses = ["selfie", "document", "registry"] as const;
export type ComparisonUse = (typeof comparisonUses)[number];

/** False-match rate of the group with the highest (`calibration.ts`), by use. */
export type FalseMatchRates = Readonly<Record<ComparisonUse, number>>;

export type ComparisonPolicy = {
  /** From the score that has this rate on, two faces are one person. */
  readonly falseMatchRates: FalseMatchRates;
  /** From the score that has this rate on, the answer is at least Uncertain; absent when the band is off. */
  readonly uncertainFalseMatchRates?: FalseMatchRates;
  /** Turn of the head beyond which no comparison is made: past it false rejects prevail. */
  readonly yawDegreesMax: number;
  readonly pitchDegreesMax: number;
  readonly presenceMin: number;
  /** Under these a descriptor tells too little: an answer would blame the person for the picture. */
  readonly eyeDistancePxMin: number;
  readonly sharpnessMin: number;
  /** A second face of this share of the subject's width leaves open who is meant: no Negative follows. */
  readonly crowdShareMin: number;
  /** The same for a reference: documents show their holder twice, the second time smaller. */
  readonly referenceCrowdShareMin: number;
  /** Of an added recogniser, or an own cohort: what values are worth. Absent where the bundled pair compares as it ships. */
  readonly scale?: ScoreScale;
};

export type AttributePolicy = EyewearPolicy;

export type LivenessPolicy = {
  readonly presenceMin: number;
  /** A second face counts from this share of the subject's width. */
  readonly secondFaceShareMin: number;
  readonly eyeDistancePxMin: number;
  /** Face box over picture, the larger of width and height share. */
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
  /** False where the operator's liveness network must not be used: nothing is judged then. */
  readonly isLicensed: boolean;
  /** How the cues of an attack are weighed: the default, or what `idem train liveness` made of an operator's pictures. */
  readonly fusion: Fusion;
};

/**
 * Defaults and where they come from.
 *
 * Comparison: 1e-2 in the worst of eight groups of UTKFace is 2e-3 on 7.3 million pairs of LFW (score 2.74); 1e-3 and 1e-4
 * there would cost a seventh and more than two fifths of LFW's true matches. An operator may choose them by use
 * (`withFalseMatchRates`). Size and sharpness:
 * docs/measurements.md, Recognition; down to 14 px between the eyes one person is known as well as at full size, and
 * under a sharpness of .03 most are missed. Crowd: the share at which liveness says TooManyFaces, so that both halves
 * of an answer agree; of a reference, the share from which another face may be taken for the subject (find-faces.ts).
 *
 * Attributes: docs/measurements.md; faces of LFW under .28 wear sunglasses. Odds: on the folds of generated faces, made
 * worse, .5 % of those with eyewear lie up to 0 and .3 % of the bare ones from 2 on.
 *
 * Liveness: openness .12, and eye and skin luminance, docs/measurements.md; pose, size and margin from the spread of the
 * 3,811 pictures of LFW (95 % lie within 37°, 22° and 14°; enrolment asks for a frontal picture, so less);
 * quality bounds lie beyond 99.5 % of those pictures.
 */
export const defaultFacePolicy: FacePolicy = {
  version: "face-8",
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
    isLicensed: true,
    fusion: defaultFusion,
  },
  bestImageTokenUses: "once",
};

/** The policy with a fitted fusion; its version names the fit. */
export const withFusion = (policy: FacePolicy, fusion: Fusion): FacePolicy => ({
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

/** The policy of a deployment with an added recogniser or an own cohort; its version names it and its calibration. */
export const withScale = (policy: FacePolicy, scale: ScoreScale): FacePolicy => ({
  ...policy,
  version: `${policy.version}+${scale.name}`,
  comparison: { ...policy.comparison, scale },
});

/**
 * The scale that a stored decision's policy version names: that of an added recogniser or an own cohort, or the version of the
 * policy whose cohort and curve shipped with it.
 */
export const scaleIn = (policyVersion: string): string | undefined =>
  (/\+([^+ ]+\/[0-9a-f]{8})(?=[+ ]|$)/.exec(policyVersion) ?? /^([^+ ]+)/.exec(policyVersion))?.[1];

/** The policy with other rates; its version names them, so that stored decisions do. */
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
