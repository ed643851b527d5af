/** Composition of the recogniser: which one is in use, and the scale of its scores. */
import { createHash } from "node:crypto";
import { nameRecogniser } from "#judging/face/engine/added-recogniser";
import { type NamedCohort, scaleOfCohort } from "#judging/face/matching/cohort";
import { findCrooked, type ScalePoint, type ScoreScale } from "#judging/face/matching/score-scale";
import { recogniserOf } from "#judging/face/matching/template";
import { labelOf } from "#machine/models/label";
import type { Manifest } from "#machine/models/manifest";
import type { Calibration } from "#machine/models/model-store";
import type { SelectedModels } from "#machine/models/selected";
import { findRecogniserSpec } from "#machine/models/serve-slot";
import { ledger } from "#machine/networks/ledger";
import { modelHashes } from "#machine/networks/model-files";

/** The name of the bundled pair, as templates and cohorts carry it. */
export const bundledRecogniser = (): string => {
  const hashes = modelHashes(ledger);
  return recogniserOf({ dlib: hashes["dlib-resnet"], faceres: hashes.faceres });
};

/** The name of an added recogniser, as its templates carry it. Throws Error for an incomplete manifest. */
export const addedRecogniser = (manifest: Manifest): string => {
  const spec = findRecogniserSpec(manifest);
  if (spec === undefined) throw new Error(`${manifest.name} does not serve as face-recogniser`);
  return nameRecogniser(manifest.sha256, spec, modelHashes(ledger).facemesh);
};

/** The name of the recogniser that makes templates under these models. */
export const recogniserInUse = ({ "face-recogniser": slot }: SelectedModels): string => {
  const [added] = slot?.active ?? [];
  return added === undefined ? bundledRecogniser() : addedRecogniser(added.manifest);
};

/**
 * The score scale of an added recogniser, or of the bundled pair with an own cohort; undefined for the pair
 * alone.
 */
export const findScale = (
  { "face-recogniser": slot }: SelectedModels,
  own: NamedCohort | undefined,
): ScoreScale | undefined => {
  const [added] = slot?.active ?? [];
  if (added === undefined) return own && scaleOfCohort(own);
  if (added.calibration === undefined) return undefined;
  const { recogniser, points } = added.calibration;
  const digest = createHash("sha256").update(JSON.stringify(points)).digest("hex");
  return {
    recogniser,
    points: pointsOf(added.calibration),
    name: `${labelOf(added.manifest)}/${digest.slice(0, 8)}`,
  };
};

const pointsOf = ({ points }: Calibration): readonly ScalePoint[] =>
  points.map(({ falseMatchRate, cosine }) => ({ falseMatchRate, value: cosine }));

/**
 * Why a recogniser has no usable calibration, with the next step. Undefined if it has one, and for other
 * slots.
 */
export const findUncalibrated = ({
  manifest,
  calibration,
}: {
  readonly manifest: Manifest;
  readonly calibration?: Calibration;
}): string | undefined => {
  if (manifest.slot !== "face-recogniser") return undefined;
  const defect = findDefect(manifest, calibration);
  return (
    defect &&
    `${defect}. Measure it on images of your own population: idem models measure ${manifest.name} --identities CSV --groups CSV --calibrate`
  );
};

const findDefect = (manifest: Manifest, calibration: Calibration | undefined): string | undefined => {
  if (calibration === undefined) return "it has no calibration: the error rates of its cosines are unknown";
  if (calibration.recogniser !== addedRecogniser(manifest)) {
    return "it was calibrated with another alignment or preparation of the face";
  }
  return findCrooked(pointsOf(calibration));
};
