/** Composition of the recogniser: which one is at work, and what its scores are worth. */
import { createHash } from "node:crypto";
import { nameRecogniser } from "./face/engine/added-recogniser.ts";
import { type NamedCohort, scaleOfCohort } from "./face/matching/cohort.ts";
import { findCrooked, type ScalePoint, type ScoreScale } from "./face/matching/score-scale.ts";
import { recogniserOf } from "./face/matching/template.ts";
import { ledger } from "./inference/ledger.ts";
import { modelHashes } from "./inference/model-files.ts";
import { labelOf, type Manifest } from "./models/manifest.ts";
import type { SelectedModels } from "./models/selected.ts";
import { findRecogniserSpec } from "./models/serve-slot.ts";
import type { Calibration } from "./models/shelf.ts";

/** Names the bundled pair, as templates and cohorts do. */
export const bundledRecogniser = (): string => {
  const hashes = modelHashes(ledger);
  return recogniserOf({ dlib: hashes["dlib-resnet"], faceres: hashes.faceres });
};

/** Names an added recogniser as its templates do. Throws Error for a manifest that says too little. */
export const addedRecogniser = (manifest: Manifest): string => {
  const spec = findRecogniserSpec(manifest);
  if (spec === undefined) throw new Error(`${manifest.name} does not serve as face-recogniser`);
  return nameRecogniser(manifest.sha256, spec, modelHashes(ledger).facemesh);
};

/** Names the recogniser that makes templates under these models. */
export const recogniserInUse = ({ "face-recogniser": slot }: SelectedModels): string => {
  const [added] = slot?.active ?? [];
  return added === undefined ? bundledRecogniser() : addedRecogniser(added.manifest);
};

/** What values are worth: of an added recogniser, or of the bundled pair beside an own cohort; undefined for the pair alone. */
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

/** Why a recogniser's scores would mean nothing yet, and what to do; undefined for one that is calibrated, and for other models. */
export const findUncalibrated = ({
  manifest,
  calibration,
}: {
  readonly manifest: Manifest;
  readonly calibration?: Calibration;
}): string | undefined => {
  if (manifest.slot !== "face-recogniser") return undefined;
  const wrong = findWrong(manifest, calibration);
  return (
    wrong &&
    `${wrong}. Measure it on pictures of your own population: idem models measure ${manifest.name} --identities CSV --groups CSV --calibrate`
  );
};

const findWrong = (manifest: Manifest, calibration: Calibration | undefined): string | undefined => {
  if (calibration === undefined) return "it is not known which error its cosines stand for";
  if (calibration.recogniser !== addedRecogniser(manifest)) {
    return "it was calibrated with another alignment or preparation of the face";
  }
  return findCrooked(pointsOf(calibration));
};
