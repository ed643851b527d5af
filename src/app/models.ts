/** Composition root of the models that operators add: the model store, its sources and its checks. */
import { join } from "node:path";
import type { Config } from "#machine/config/config";
import { makeEgress } from "#machine/egress/make-egress";
import { makeAcquire } from "#machine/models/acquire";
import { readBlocked, readCatalogue } from "#machine/models/catalogue";
import { choose, empty, findGap, findInCatalogue, findInstalled, remove } from "#machine/models/choose";
import { makeExamine } from "#machine/models/examine";
import { labelOf } from "#machine/models/label";
import type { Manifest } from "#machine/models/manifest";
import { type Installed, openModelStore } from "#machine/models/model-store";
import { ModelNotFetched, ModelRefused } from "#machine/models/refusal";
import { readSelected, type SelectedModel, type SelectedModels } from "#machine/models/selected";
import { findUnserved, slotNamed } from "#machine/models/serve-slot";
import { modelNames } from "#machine/networks/model";
import { shared } from "#machine/networks/network-files";
import { readOnnxFacts } from "#machine/networks/onnx-facts";
import { tryNetwork } from "#machine/networks/trial";
import { findUncalibrated } from "./recogniser.ts";

/**
 * The model store of a data directory, with the operations of `idem models`. Creates no file before a model
 * is added.
 */
export const openModels = ({ dataDirectory, egress }: Pick<Config, "dataDirectory" | "egress">) => {
  const modelStore = openModelStore(join(dataDirectory, "models"));
  const [catalogue, blocked] = [readCatalogue(), readBlocked()];
  const examine = makeExamine({ blocked, readFacts: readOnnxFacts, tryNetwork });
  return {
    catalogue,
    modelStore,
    examine,
    findUncalibrated,
    egress: makeEgress(egress),
    proxy: egress.proxy?.host,
    ...makeAcquire({ catalogue, blocked, bundled: modelNames, modelStore, examine, clock: () => new Date() }),
  };
};

/** Whether the error means that no address returned the file. */
export const isNotFetched = (error: unknown): error is Error => error instanceof ModelNotFetched;

export type Models = ReturnType<typeof openModels>;

/** The chosen models of a data directory. Throws ModelRefused for one that must not be used. */
export const readAdded = async ({ dataDirectory }: Pick<Config, "dataDirectory">): Promise<SelectedModels> =>
  await readSelected({
    modelStore: openModelStore(join(dataDirectory, "models")),
    blocked: readBlocked(),
    findUncalibrated,
    share: shared,
  });

/** An installed recogniser that is measured in place of the current one. Made by {@link readCandidate}. */
export type Candidate = { readonly installed: Installed; readonly model: SelectedModel };

/**
 * Finds the installed recogniser that a word names. Throws ModelRefused for none, for several or for an
 * incomplete manifest.
 */
export const readCandidate = async ({ modelStore, examine }: Models, word: string): Promise<Candidate> => {
  const [installed, ...others] = findInstalled(await modelStore.list(), word);
  if (installed === undefined || others.length > 0 || installed.manifest.slot !== "face-recogniser") {
    throw new ModelRefused(
      `${word} is not one installed face recogniser: only a recogniser can be measured so`,
    );
  }
  const unserved = findUnserved(installed.manifest);
  if (unserved !== undefined) throw new ModelRefused(`${word} cannot be measured: ${unserved}`);
  await examine(modelStore.fileOf(installed.manifest.sha256), installed.manifest);
  const model = { manifest: installed.manifest, bytes: shared(await modelStore.read(installed)) };
  return { installed, model };
};

/**
 * A chosen model of a slot: it decides, runs in shadow mode, or is blocked from shadow mode. Made by
 * {@link listAdded}.
 */
export type AddedModel = {
  readonly slot: string;
  readonly role: "active" | "shadow" | "blocked";
  /** Name and version. */
  readonly name: string;
  readonly sha256: string;
};

/** The chosen models of all slots, for the log and the operator. */
export const listAdded = (selected: SelectedModels): readonly AddedModel[] =>
  Object.entries(selected).flatMap(([slot, { active, shadow, blockedShadow = [] }]) => {
    const describe =
      (role: AddedModel["role"]) =>
      ({ manifest }: { readonly manifest: Manifest }) => ({
        slot,
        role,
        name: labelOf(manifest),
        sha256: manifest.sha256,
      });
    return [
      ...active.map(describe("active")),
      ...shadow.map(describe("shadow")),
      ...blockedShadow.map(({ name, sha256 }) => ({ slot, role: "blocked" as const, name, sha256 })),
    ];
  });

const roleNotes: Readonly<Record<AddedModel["role"], string>> = {
  active: "",
  shadow: " (shadow)",
  blocked: " (blocked: its licence forbids shadow mode)",
};

/** The models in one line; `none` for an empty list. */
export const describeAdded = (added: readonly AddedModel[]): string =>
  added.map(({ slot, role, name }) => `${slot} ${name}${roleNotes[role]}`).join(", ") || "none";

/** The next step if a model is blocked from shadow mode; undefined if none is. */
export const adviseOnAdded = (added: readonly AddedModel[]): string | undefined => {
  const blocked = added.find(({ role }) => role === "blocked");
  return (
    blocked &&
    `Choose another model for shadow mode (idem models shadow), or none: idem models shadow --none ${blocked.slot}.`
  );
};

/** For each catalogue group with a deciding model: a sentence that names the missing models of the group. */
export const findGaps = (selected: SelectedModels): readonly string[] => {
  const catalogue = readCatalogue();
  return Object.values(selected).flatMap(({ active }) => {
    const manifests = active.map(({ manifest }) => manifest);
    const groups = [...new Set(manifests.map(({ group }) => group))];
    return groups.flatMap((group) => findGap(catalogue, group, manifests) ?? []);
  });
};

/** Whether this release can run a model with this manifest. */
export const isUsable = (manifest: Manifest): boolean => findUnserved(manifest) === undefined;

export {
  choose as chooseModels,
  empty as emptySlot,
  findGap,
  findInCatalogue as findCatalogued,
  findUnserved,
  remove as removeModels,
  slotNamed,
};
