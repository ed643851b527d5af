/**
 * Composition of an inference thread: opens the chosen models for the ports of the face and document engines.
 */
import type { AddedCornerFinder } from "#judging/document/reading/locate/read-corners";
import type { AddedTextDetector } from "#judging/document/reading/ocr/detect-text";
import type { AddedTextRecogniser } from "#judging/document/reading/ocr/recognise-added";
import type { RecogniserNetwork } from "#judging/face/engine/added-recogniser";
import type { AddedLiveness } from "#judging/face/engine/network-liveness";
import type { DetectorNetwork } from "#judging/face/engine/yunet";
import { trialDims } from "#machine/models/judge-fit";
import { labelOf } from "#machine/models/label";
import type { SelectedModel, SelectedModels } from "#machine/models/selected";
import {
  cornersSpecOf,
  detectorSpecOf,
  findRecogniserSpec,
  livenessSpecOf,
  textDetectorSpecOf,
  textRecogniserSpecOf,
} from "#machine/models/serve-slot";
import type { Network } from "#machine/networks/model";
import type { AddedFile } from "#machine/networks/networks";
import { readOnnxFacts } from "#machine/networks/onnx-facts";
import { addedRecogniser } from "../recogniser.ts";

/** The files of all chosen models, for the inference module to open. */
export const addedFilesOf = (selected: SelectedModels): readonly AddedFile[] =>
  Object.values(selected)
    .flatMap(({ active, shadow }) => [...active, ...shadow])
    .map(({ manifest, bytes }) => ({
      name: labelOf(manifest),
      hash: manifest.sha256,
      read: () => bytes.slice(),
      trialDims: trialDims(manifest),
    }));

/** The opened network of a chosen model. */
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

/** The chosen model of a slot that takes one model, opened; undefined if the bundled model is used. */
const chosenFor = (
  slot: Exclude<keyof SelectedModels, "liveness">,
  selected: SelectedModels,
  opened: readonly Network<string>[],
): { readonly model: SelectedModel; readonly network: Found } | undefined => {
  const [model] = selected[slot]?.active ?? [];
  return model && { model, network: openedOf(model, opened) };
};

/** The chosen face detector, opened; undefined if the bundled one is used. */
export const addedDetectorOf = (
  selected: SelectedModels,
  opened: readonly Network<string>[],
): DetectorNetwork | undefined => {
  const chosen = chosenFor("face-detector", selected, opened);
  return chosen && { ...chosen.network, spec: detectorSpecOf(chosen.model.manifest) };
};

/** The chosen text detector, opened; undefined if the bundled one is used. */
export const addedTextDetectorOf = (
  selected: SelectedModels,
  opened: readonly Network<string>[],
): AddedTextDetector | undefined => {
  const chosen = chosenFor("text-detector", selected, opened);
  return chosen && { ...chosen.network, spec: textDetectorSpecOf(chosen.model.manifest) };
};

/** The chosen network for document corners, opened; undefined if the bundled one is used alone. */
export const addedCornersOf = (
  selected: SelectedModels,
  opened: readonly Network<string>[],
): AddedCornerFinder | undefined => {
  const chosen = chosenFor("document-corners", selected, opened);
  return chosen && { ...chosen.network, spec: cornersSpecOf(chosen.model.manifest) };
};

/**
 * The chosen text recogniser, opened, with the characters that its file lists; undefined if the bundled one
 * is used.
 */
export const addedTextRecogniserOf = (
  selected: SelectedModels,
  opened: readonly Network<string>[],
): AddedTextRecogniser | undefined => {
  const chosen = chosenFor("text-recogniser", selected, opened);
  if (chosen === undefined) return undefined;
  const { manifest, bytes } = chosen.model;
  return { ...chosen.network, spec: textRecogniserSpecOf(manifest, readOnnxFacts(bytes).metadata) };
};

/** The chosen recogniser, opened; undefined if the bundled pair is used. */
export const addedRecogniserOf = (
  selected: SelectedModels,
  opened: readonly Network<string>[],
): RecogniserNetwork | undefined => {
  const chosen = chosenFor("face-recogniser", selected, opened);
  const spec = chosen && findRecogniserSpec(chosen.model.manifest);
  return chosen && spec && { ...chosen.network, spec, recogniser: addedRecogniser(chosen.model.manifest) };
};
