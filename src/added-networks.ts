/** Composition of an inference thread, the part of added models: from the files that were chosen to what a room takes. */
import type { AddedCornerFinder } from "./document/locate/read-corners.ts";
import type { AddedTextDetector } from "./document/text/detect-text.ts";
import type { AddedTextRecogniser } from "./document/text/recognise-added.ts";
import type { RecogniserNetwork } from "./face/engine/added-recogniser.ts";
import type { AddedLiveness } from "./face/engine/network-liveness.ts";
import type { DetectorNetwork } from "./face/engine/yunet.ts";
import type { Network } from "./inference/model.ts";
import type { AddedFile } from "./inference/networks.ts";
import { readOnnxFacts } from "./inference/onnx-facts.ts";
import { trialDims } from "./models/judge-fit.ts";
import { labelOf } from "./models/manifest.ts";
import type { SelectedModel, SelectedModels } from "./models/selected.ts";
import {
  cornersSpecOf,
  detectorSpecOf,
  findRecogniserSpec,
  livenessSpecOf,
  textDetectorSpecOf,
  textRecogniserSpecOf,
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

type Found = ReturnType<typeof openedOf>;

/** What is chosen for a slot of one model, opened; undefined where the bundled model works. */
const chosenFor = (
  slot: Exclude<keyof SelectedModels, "liveness">,
  selected: SelectedModels,
  opened: readonly Network<string>[],
): { readonly model: SelectedModel; readonly network: Found } | undefined => {
  const [model] = selected[slot]?.active ?? [];
  return model && { model, network: openedOf(model, opened) };
};

/** The chosen face detector, opened; undefined where the bundled one works. */
export const addedDetectorOf = (
  selected: SelectedModels,
  opened: readonly Network<string>[],
): DetectorNetwork | undefined => {
  const chosen = chosenFor("face-detector", selected, opened);
  return chosen && { ...chosen.network, spec: detectorSpecOf(chosen.model.manifest) };
};

/** The chosen text detector, opened; undefined where the bundled one works. */
export const addedTextDetectorOf = (
  selected: SelectedModels,
  opened: readonly Network<string>[],
): AddedTextDetector | undefined => {
  const chosen = chosenFor("text-detector", selected, opened);
  return chosen && { ...chosen.network, spec: textDetectorSpecOf(chosen.model.manifest) };
};

/** The chosen network of a document's corners, opened; undefined where the bundled one alone works. */
export const addedCornersOf = (
  selected: SelectedModels,
  opened: readonly Network<string>[],
): AddedCornerFinder | undefined => {
  const chosen = chosenFor("document-corners", selected, opened);
  return chosen && { ...chosen.network, spec: cornersSpecOf(chosen.model.manifest) };
};

/** The chosen text recogniser, opened, with the characters that its file lists; undefined where the bundled one works. */
export const addedTextRecogniserOf = (
  selected: SelectedModels,
  opened: readonly Network<string>[],
): AddedTextRecogniser | undefined => {
  const chosen = chosenFor("text-recogniser", selected, opened);
  if (chosen === undefined) return undefined;
  const { manifest, bytes } = chosen.model;
  return { ...chosen.network, spec: textRecogniserSpecOf(manifest, readOnnxFacts(bytes).metadata) };
};

/** The chosen recogniser, opened; undefined where the bundled pair works. */
export const addedRecogniserOf = (
  selected: SelectedModels,
  opened: readonly Network<string>[],
): RecogniserNetwork | undefined => {
  const chosen = chosenFor("face-recogniser", selected, opened);
  const spec = chosen && findRecogniserSpec(chosen.model.manifest);
  return chosen && spec && { ...chosen.network, spec, recogniser: addedRecogniser(chosen.model.manifest) };
};
