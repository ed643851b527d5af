/** Composition of an inference thread, the part of added models: from the files that were chosen to what a room takes. */
import type { AddedTextDetector } from "./document/text/detect-text.ts";
import type { RecogniserNetwork } from "./face/engine/added-recogniser.ts";
import type { AddedLiveness } from "./face/engine/network-liveness.ts";
import type { DetectorNetwork } from "./face/engine/yunet.ts";
import type { Network } from "./inference/model.ts";
import type { AddedFile } from "./inference/networks.ts";
import { trialDims } from "./models/judge-fit.ts";
import { labelOf } from "./models/manifest.ts";
import type { SelectedModel, SelectedModels } from "./models/selected.ts";
import {
  detectorSpecOf,
  findRecogniserSpec,
  livenessSpecOf,
  textDetectorSpecOf,
} from "./models/serve-slot.ts";
import { addedRecogniser } from "./open-recogniser.ts";

/** The files of all chosen models, for the inference room to open. */
export const addedFilesOf = (selected: SelectedModels): readonly AddedFile[] =>
  Object.values(selected)
    .flatMap(({ active, shadow }) => [...active, ...shadow])
    .map(({ manifest, bytes }) => ({
      name: labelOf(manifest),
      hash: manifest.sha256,
      read: () => bytes.slice(),
      trialDims: trialDims(manifest),
    }));

const openedOf = ({ manifest }: SelectedModel, opened: readonly Network<string>[]): Network<string> => {
  const network = opened.find(({ hash }) => hash === manifest.sha256);
  if (network === undefined) throw new Error(`${manifest.name} was not opened`);
  return network;
};

/** The chosen liveness models, opened. */
export const addedLivenessOf = (
  { liveness }: SelectedModels,
  opened: readonly Network<string>[],
): AddedLiveness => {
  const networkOf = (model: SelectedModel) => ({
    ...openedOf(model, opened),
    spec: livenessSpecOf(model.manifest),
  });
  return {
    active: liveness?.active.map(networkOf) ?? [],
    shadow: liveness?.shadow.map(networkOf) ?? [],
  };
};

/** The chosen face detector, opened; undefined where the bundled one works. */
export const addedDetectorOf = (
  { "face-detector": detector }: SelectedModels,
  opened: readonly Network<string>[],
): DetectorNetwork | undefined => {
  const [model] = detector?.active ?? [];
  return model && { ...openedOf(model, opened), spec: detectorSpecOf(model.manifest) };
};

/** The chosen text detector, opened; undefined where the bundled one works. */
export const addedTextDetectorOf = (
  { "text-detector": detector }: SelectedModels,
  opened: readonly Network<string>[],
): AddedTextDetector | undefined => {
  const [model] = detector?.active ?? [];
  return model && { ...openedOf(model, opened), spec: textDetectorSpecOf(model.manifest) };
};

/** The chosen recogniser, opened; undefined where the bundled pair works. */
export const addedRecogniserOf = (
  { "face-recogniser": recogniser }: SelectedModels,
  opened: readonly Network<string>[],
): RecogniserNetwork | undefined => {
  const [model] = recogniser?.active ?? [];
  const spec = model && findRecogniserSpec(model.manifest);
  return model && spec && { ...openedOf(model, opened), spec, recogniser: addedRecogniser(model.manifest) };
};
