import type { Examine } from "./examine.ts";
import type { Manifest, Slot } from "./manifest.ts";
import type { Choice, FindUncalibrated, Installed, ModelStore } from "./model-store.ts";
import { ModelRefused } from "./refusal.ts";
import { findUnserved } from "./serve-slot.ts";

const hashDigitsMin = 8;
const isHash = (word: string): boolean => /^[0-9a-f]+$/.test(word) && word.length >= hashDigitsMin;

/** Models that match a name, a group, or the first digits of a hash. */
const meant = <Model extends { readonly manifest: Manifest }>(
  models: readonly Model[],
  word: string,
): readonly Model[] =>
  models.filter(
    ({ manifest: { name, group, sha256 } }) =>
      name === word || group === word || (isHash(word) && sha256.startsWith(word)),
  );

/** Entries of the catalogue that match a word. Throws ModelRefused where none does. */
export const findInCatalogue = (catalogue: readonly Manifest[], word: string): readonly Manifest[] => {
  const found = meant(
    catalogue.map((manifest) => ({ manifest })),
    word,
  ).map(({ manifest }) => manifest);
  if (found.length > 0) return found;
  throw new ModelRefused(`The catalogue knows no ${word}. List its models: idem models list`);
};

const explainAbsent = (catalogue: readonly Manifest[], word: string): string => {
  const [first] = meant(
    catalogue.map((manifest) => ({ manifest })),
    word,
  );
  if (first === undefined) return `${word} is not installed. List the installed models: idem models list`;
  const unserved = findUnserved(first.manifest);
  if (unserved !== undefined) return `${word} is known, not installed, and cannot be used: ${unserved}`;
  const hasAddress = (first.manifest.urls ?? []).length > 0;
  return `${word} is known, not installed. First: ${hasAddress ? `idem models fetch ${word}, or ` : ""}idem models add --file PATH`;
};

/**
 * The installed models that match a word, one per name: the latest, where an older file of the same name
 * exists. Throws ModelRefused where none matches.
 */
export const findInstalled = (
  installed: readonly Installed[],
  word: string,
  catalogue: readonly Manifest[] = [],
): readonly Installed[] => {
  const found = meant(installed, word);
  if (found.length === 0) throw new ModelRefused(explainAbsent(catalogue, word));
  const byName = new Map(found.map((one) => [one.manifest.name, one]));
  return [...byName.values()];
};

type Choosing = {
  readonly modelStore: ModelStore;
  readonly examine: Examine;
  readonly findUncalibrated: FindUncalibrated;
  /** The catalogue assigns models to groups. */
  readonly catalogue: readonly Manifest[];
};

/** The slot that all of these models share. Throws ModelRefused for models that cannot work together. */
const slotOf = (models: readonly Installed[], findUncalibrated: FindUncalibrated): Slot => {
  const [first] = models;
  if (first === undefined) throw new ModelRefused("Name a model");
  for (const model of models) {
    const { manifest } = model;
    const unserved = findUnserved(manifest) ?? findUncalibrated(model);
    if (unserved !== undefined) throw new ModelRefused(`${manifest.name} cannot be used: ${unserved}`);
    if (manifest.slot !== first.manifest.slot)
      throw new ModelRefused("The models named are of different slots");
  }
  const { slot } = first.manifest;
  // The scores of several liveness networks are averaged; in the other slots only the first would work.
  if (models.length > 1 && slot !== "liveness") {
    const names = models.map(({ manifest }) => manifest.name).join(", ");
    throw new ModelRefused(`The slot ${slot} takes one model, and ${models.length} are named: ${names}`);
  }
  return slot;
};

/**
 * The missing models of the catalogue's group of this name, in words; undefined for a complete group, or a
 * group that the catalogue does not have. Another file of the same name counts: it is an export of the same
 * weights.
 */
export const findGap = (
  catalogue: readonly Manifest[],
  group: string | undefined,
  models: readonly Manifest[],
): string | undefined => {
  const members = catalogue.filter((one) => group !== undefined && one.group === group);
  const missing = members.filter(({ name }) => models.every((one) => one.name !== name));
  if (missing.length === 0) return undefined;
  const names = missing.map(({ name }) => name).join(", ");
  return `${members.length - missing.length} of ${members.length} of the group ${group}; missing: ${names}`;
};

const refuseHalf = (catalogue: readonly Manifest[], word: string, models: readonly Manifest[]): void => {
  const gap = findGap(catalogue, word, models);
  if (gap === undefined) return;
  const alone = models.map(({ name }) => `idem models use ${name}`).join(" or ");
  throw new ModelRefused(
    `${word} is not complete: ${gap}. The rest: idem models fetch ${word}, or idem models add --file PATH. Without it, by its own name: ${alone}`,
  );
};

/**
 * Assigns models to their slot from the next start on: `active` to decide, `shadow` for shadow mode. Returns
 * the slot.
 */
export const choose = async (
  { modelStore, examine, findUncalibrated, catalogue }: Choosing,
  word: string,
  role: keyof Choice,
): Promise<{ readonly slot: Slot; readonly models: readonly Installed[] }> => {
  const models = findInstalled(await modelStore.list(), word, catalogue);
  refuseHalf(
    catalogue,
    word,
    models.map(({ manifest }) => manifest),
  );
  const slot = slotOf(models, findUncalibrated);
  if (role === "shadow" && slot !== "liveness") {
    throw new ModelRefused(
      `Only liveness models have a shadow mode. In the slot ${slot} measure before you switch`,
    );
  }
  for (const one of models) {
    await modelStore.read(one);
    await examine(modelStore.fileOf(one.manifest.sha256), one.manifest);
  }
  const hashes = models.map(({ manifest }) => manifest.sha256);
  const before = await modelStore.choiceOf(slot);
  if (role === "shadow" && hashes.some((hash) => before.active.includes(hash))) {
    throw new ModelRefused(
      `${word} decides in the slot ${slot} already, and shadow models are compared with it. First use another model, or none: idem models use --none ${slot}`,
    );
  }
  await modelStore.choose(slot, {
    active: role === "active" ? hashes : before.active,
    // A deciding model needs no shadow of itself.
    shadow: role === "shadow" ? hashes : before.shadow.filter((hash) => !hashes.includes(hash)),
  });
  return { slot, models };
};

/**
 * Empties a role of a slot from the next start on: for `active` the bundled network, or none, decides again.
 */
export const empty = async (modelStore: ModelStore, slot: Slot, role: keyof Choice): Promise<void> => {
  await modelStore.choose(slot, { ...(await modelStore.choiceOf(slot)), [role]: [] });
};

/** Removes installed models. Throws ModelRefused for a model in a slot: the next start would miss it. */
export const remove = async (modelStore: ModelStore, word: string): Promise<readonly Installed[]> => {
  const models = findInstalled(await modelStore.list(), word);
  for (const { manifest } of models) {
    const { active, shadow } = await modelStore.choiceOf(manifest.slot);
    const { name, slot, sha256 } = manifest;
    if (active.includes(sha256)) {
      throw new ModelRefused(`${name} is in use as ${slot}. First: idem models use --none ${slot}`);
    }
    if (shadow.includes(sha256)) {
      throw new ModelRefused(
        `${name} is a shadow model as ${slot}. First: idem models shadow --none ${slot}`,
      );
    }
  }
  for (const { manifest } of models) await modelStore.remove(manifest.sha256);
  return models;
};
