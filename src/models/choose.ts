import type { Examine } from "./examine.ts";
import type { Manifest, Slot } from "./manifest.ts";
import { ModelRefused } from "./refusal.ts";
import { findUnserved } from "./serve-slot.ts";
import type { Choice, FindUncalibrated, Installed, Shelf } from "./shelf.ts";

const hashDigitsMin = 8;
const isHash = (word: string): boolean => /^[0-9a-f]+$/.test(word) && word.length >= hashDigitsMin;

/** Models that a word names: a name, a group, or the first digits of a hash. */
const meant = <Model extends { readonly manifest: Manifest }>(
  models: readonly Model[],
  word: string,
): readonly Model[] =>
  models.filter(
    ({ manifest: { name, group, sha256 } }) =>
      name === word || group === word || (isHash(word) && sha256.startsWith(word)),
  );

/** Entries of the catalogue that a word names. Throws ModelRefused where there is none. */
export const findInCatalogue = (catalogue: readonly Manifest[], word: string): readonly Manifest[] => {
  const found = meant(
    catalogue.map((manifest) => ({ manifest })),
    word,
  ).map(({ manifest }) => manifest);
  if (found.length > 0) return found;
  throw new ModelRefused(`The catalogue knows no ${word}. idem models list names what it knows.`);
};

/**
 * The installed models that a word names, one of each name: the one that came last, where an older file of the same name is
 * still there. Throws ModelRefused where there is none.
 */
export const findInstalled = (installed: readonly Installed[], word: string): readonly Installed[] => {
  const found = meant(installed, word);
  if (found.length === 0) throw new ModelRefused(`${word} is not installed. idem models list names what is.`);
  const byName = new Map(found.map((one) => [one.manifest.name, one]));
  return [...byName.values()];
};

/** The one slot of models that are to work together. Throws ModelRefused for models that cannot. */
const slotOf = (models: readonly Installed[], findUncalibrated: FindUncalibrated): Slot => {
  const [first] = models;
  if (first === undefined) throw new ModelRefused("No model is named");
  for (const model of models) {
    const { manifest } = model;
    const unserved = findUnserved(manifest) ?? findUncalibrated(model);
    if (unserved !== undefined) throw new ModelRefused(`${manifest.name} cannot be used: ${unserved}`);
    if (manifest.slot !== first.manifest.slot)
      throw new ModelRefused("The models named are of different slots");
  }
  const { slot } = first.manifest;
  // Answers of several liveness networks make one number; of others only the first would work.
  if (models.length > 1 && slot !== "liveness") {
    const names = models.map(({ manifest }) => manifest.name).join(", ");
    throw new ModelRefused(`The slot ${slot} takes one model, and ${models.length} are named: ${names}`);
  }
  return slot;
};

/** Puts models into their slot from the next start on: `active` to decide, `shadow` to look on. Gives the slot. */
export const choose = async (
  {
    shelf,
    examine,
    findUncalibrated,
  }: { readonly shelf: Shelf; readonly examine: Examine; readonly findUncalibrated: FindUncalibrated },
  word: string,
  role: keyof Choice,
): Promise<{ readonly slot: Slot; readonly models: readonly Installed[] }> => {
  const models = findInstalled(await shelf.list(), word);
  const slot = slotOf(models, findUncalibrated);
  if (role === "shadow" && slot !== "liveness") {
    throw new ModelRefused(`Only liveness models can look on: in the slot ${slot} measure before you switch`);
  }
  for (const one of models) {
    await shelf.read(one);
    await examine(shelf.fileOf(one.manifest.sha256), one.manifest);
  }
  const hashes = models.map(({ manifest }) => manifest.sha256);
  const before = await shelf.choiceOf(slot);
  const other = role === "active" ? "shadow" : "active";
  await shelf.choose(slot, {
    active: before.active,
    shadow: before.shadow,
    [role]: hashes,
    // What decides needs no shadow of itself.
    [other]: before[other].filter((hash) => !hashes.includes(hash)),
  });
  return { slot, models };
};

/** Empties a role of a slot from the next start on: for `active` the bundled network, or none, decides again. */
export const empty = async (shelf: Shelf, slot: Slot, role: keyof Choice): Promise<void> => {
  await shelf.choose(slot, { ...(await shelf.choiceOf(slot)), [role]: [] });
};

/** Removes installed models. Throws ModelRefused for one that a slot holds: the next start would miss it. */
export const remove = async (shelf: Shelf, word: string): Promise<readonly Installed[]> => {
  const models = findInstalled(await shelf.list(), word);
  for (const { manifest } of models) {
    const { active, shadow } = await shelf.choiceOf(manifest.slot);
    if ([...active, ...shadow].includes(manifest.sha256)) {
      throw new ModelRefused(
        `${manifest.name} is in use as ${manifest.slot}. First: idem models use --none ${manifest.slot}, or idem models shadow --none ${manifest.slot}`,
      );
    }
  }
  for (const { manifest } of models) await shelf.remove(manifest.sha256);
  return models;
};
