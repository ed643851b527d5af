/** Composition root of the models that operators add: where they lie, how they come, what keeps them out. */
import { join } from "node:path";
import type { Config } from "./config.ts";
import { livenessNumber } from "./contract/liveness.ts";
import { makeEgress } from "./egress/make-egress.ts";
import { makeShadowReport } from "./face/liveness/shadow-report.ts";
import { modelNames } from "./inference/model.ts";
import { shared } from "./inference/network-files.ts";
import { readOnnxFacts } from "./inference/onnx-facts.ts";
import { tryNetwork } from "./inference/trial.ts";
import { makeAcquire } from "./models/acquire.ts";
import { readBlocked, readCatalogue } from "./models/catalogue.ts";
import { choose, empty, findGap, findInCatalogue, findInstalled, remove } from "./models/choose.ts";
import { makeExamine } from "./models/examine.ts";
import { labelOf, type Manifest } from "./models/manifest.ts";
import { ModelNotFetched, ModelRefused } from "./models/refusal.ts";
import { readSelected, type SelectedModel, type SelectedModels } from "./models/selected.ts";
import { findUnserved, slotNamed } from "./models/serve-slot.ts";
import { type Installed, openShelf } from "./models/shelf.ts";
import { findUncalibrated } from "./open-recogniser.ts";

/** The models of a data directory and all that the command line does with them. Nothing is made until something is taken. */
export const openModels = ({ dataDirectory, egress }: Pick<Config, "dataDirectory" | "egress">) => {
  const shelf = openShelf(join(dataDirectory, "models"));
  const [catalogue, blocked] = [readCatalogue(), readBlocked()];
  const examine = makeExamine({ blocked, readFacts: readOnnxFacts, tryNetwork });
  return {
    catalogue,
    shelf,
    examine,
    findUncalibrated,
    egress: makeEgress(egress),
    proxy: egress.proxy?.host,
    ...makeAcquire({ catalogue, blocked, bundled: modelNames, shelf, examine, clock: () => new Date() }),
  };
};

/** Whether a failure is that no address gave the file. */
export const isNotFetched = (error: unknown): error is Error => error instanceof ModelNotFetched;

export type Models = ReturnType<typeof openModels>;

/** The chosen models of a data directory. Throws ModelRefused for one that must not be used. */
export const readAdded = async ({ dataDirectory }: Pick<Config, "dataDirectory">): Promise<SelectedModels> =>
  await readSelected({
    shelf: openShelf(join(dataDirectory, "models")),
    blocked: readBlocked(),
    findUncalibrated,
    share: shared,
  });

/** A recogniser that is installed and works in place of the one in use, to be measured. */
export type Candidate = { readonly installed: Installed; readonly model: SelectedModel };

/** Throws ModelRefused where no recogniser of that name is installed, or its manifest says too little. */
export const readCandidate = async ({ shelf, examine }: Models, word: string): Promise<Candidate> => {
  const [found, ...others] = findInstalled(await shelf.list(), word);
  if (found === undefined || others.length > 0 || found.manifest.slot !== "face-recogniser") {
    throw new ModelRefused(`${word} is no recogniser, which alone can be measured so`);
  }
  const unserved = findUnserved(found.manifest);
  if (unserved !== undefined) throw new ModelRefused(`${word} cannot be measured: ${unserved}`);
  await examine(shelf.fileOf(found.manifest.sha256), found.manifest);
  const model = { manifest: found.manifest, bytes: shared(await shelf.read(found)) };
  return { installed: found, model };
};

/** A model that is at work in a slot, looks on, or should look on and must not. */
export type AddedModel = {
  readonly slot: string;
  readonly role: "active" | "shadow" | "blocked";
  /** Name and version. */
  readonly name: string;
  readonly sha256: string;
};

/** The chosen models in words, for the log and the operator. */
export const listAdded = (selected: SelectedModels): readonly AddedModel[] =>
  Object.entries(selected).flatMap(([slot, { active, shadow, blockedShadow = [] }]) => {
    const tell =
      (role: AddedModel["role"]) =>
      ({ manifest }: { readonly manifest: Manifest }) => ({
        slot,
        role,
        name: labelOf(manifest),
        sha256: manifest.sha256,
      });
    return [
      ...active.map(tell("active")),
      ...shadow.map(tell("shadow")),
      ...blockedShadow.map(({ name, sha256 }) => ({ slot, role: "blocked" as const, name, sha256 })),
    ];
  });

const roleWords: Readonly<Record<AddedModel["role"], string>> = {
  active: "",
  shadow: " (looks on)",
  blocked: " (blocked: its licence forbids that it looks on)",
};

/** One line of them. */
export const describeAdded = (added: readonly AddedModel[]): string =>
  added.map(({ slot, role, name }) => `${slot} ${name}${roleWords[role]}`).join(", ") || "none";

/** What to do about them; undefined where nothing is wrong. */
export const adviseOnAdded = (added: readonly AddedModel[]): string | undefined => {
  const blocked = added.find(({ role }) => role === "blocked");
  return (
    blocked &&
    `Choose another to look on (idem models shadow), or none: idem models shadow --none ${blocked.slot}.`
  );
};

/** What the catalogue's groups have beyond the models that decide in a slot, in words. */
export const findGaps = (selected: SelectedModels): readonly string[] => {
  const catalogue = readCatalogue();
  return Object.values(selected).flatMap(({ active }) => {
    const manifests = active.map(({ manifest }) => manifest);
    const groups = [...new Set(manifests.map(({ group }) => group))];
    return groups.flatMap((group) => findGap(catalogue, group, manifests) ?? []);
  });
};

/** Adds up stored calls into what looked on against what decided. */
export const makeShadowReports = () =>
  makeShadowReport({ live: livenessNumber.Live, attack: livenessNumber.NoLive });

/** Whether this release can put a model of this manifest to work. */
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
