/** Composition of an inference thread, the part of added models: from the files that were chosen to what a room takes. */
import type { AddedLiveness, LivenessNetwork } from "./face/network-liveness.ts";
import type { Network } from "./inference/model.ts";
import type { AddedFile } from "./inference/networks.ts";
import { trialDims } from "./models/judge-fit.ts";
import { labelOf } from "./models/manifest.ts";
import type { SelectedModel, SelectedModels } from "./models/selected.ts";
import { livenessSpecOf } from "./models/serve-slot.ts";

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

/** The chosen liveness models, opened. */
export const addedLivenessOf = (
  { liveness }: SelectedModels,
  opened: readonly Network<string>[],
): AddedLiveness => {
  const networkOf = ({ manifest }: SelectedModel): LivenessNetwork => {
    const network = opened.find(({ hash }) => hash === manifest.sha256);
    if (network === undefined) throw new Error(`${manifest.name} was not opened`);
    return { ...network, spec: livenessSpecOf(manifest) };
  };
  return {
    active: liveness?.active.map(networkOf) ?? [],
    shadow: liveness?.shadow.map(networkOf) ?? [],
  };
};
