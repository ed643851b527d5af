import type { Blocked } from "./catalogue.ts";
import { refuseBlocked } from "./examine.ts";
import { isManifest, type Manifest, type Slot } from "./manifest.ts";
import { ModelRefused } from "./refusal.ts";
import { findUnserved, servedSlots } from "./serve-slot.ts";
import type { Calibration, FindUncalibrated, Shelf } from "./shelf.ts";

/** A model at work: its manifest, its file and, of a recogniser, what its cosines are worth. */
export type SelectedModel = {
  readonly manifest: Manifest;
  readonly bytes: Uint8Array;
  readonly calibration?: Calibration;
};

/** Models of one slot: those that decide, and those that look on. */
export type SelectedSlot = {
  readonly active: readonly SelectedModel[];
  readonly shadow: readonly SelectedModel[];
  /**
   * Why the chosen models of the liveness slot must not decide: their licence forbids it, as was learned after they were
   * chosen. Nothing decides in their place, and the service answers that it has no licence.
   */
  readonly unlicensed?: string;
  /** Models that were chosen to look on, and do not: their licence forbids it, as was learned after they were chosen. */
  readonly blockedShadow?: readonly Blocked[];
};

/** What was chosen for each slot that has a choice. */
export type SelectedModels = Readonly<Partial<Record<Slot, SelectedSlot>>>;

type Reading = {
  readonly shelf: Shelf;
  readonly blocked: readonly Blocked[];
  readonly findUncalibrated: FindUncalibrated;
  /** Puts a file into memory that all threads see. */
  readonly share: (bytes: Uint8Array) => Uint8Array;
};

/**
 * Reads the models that are to work, each checked against its hash once more. Throws ModelRefused for one that is missing,
 * changed, blocked since, or that this release does not serve: a start without it would silently be another one. A blocked
 * liveness model is told of instead, one that decides and one that looks on: documents and comparisons need not stand still
 * for it.
 */
export const readSelected = async ({
  shelf,
  blocked,
  findUncalibrated,
  share,
}: Reading): Promise<SelectedModels> => {
  const installed = await shelf.list();
  const readOne = async (sha256: string): Promise<SelectedModel> => {
    const found = installed.find(({ manifest }) => manifest.sha256 === sha256);
    if (found === undefined) {
      throw new ModelRefused(
        `A model is chosen that is not installed: ${sha256}. Put it back: idem models add --file PATH; or choose anew (idem models use)`,
      );
    }
    refuseBlocked(sha256, blocked);
    const unserved = findUnserved(found.manifest) ?? findUncalibrated(found);
    if (unserved !== undefined) throw new ModelRefused(`${found.manifest.name} cannot be used: ${unserved}`);
    const { manifest, calibration } = found;
    return { manifest, bytes: share(await shelf.read(found)), ...(calibration && { calibration }) };
  };
  const selected: Partial<Record<Slot, SelectedSlot>> = {};
  for (const slot of servedSlots) {
    const { active, shadow } = await shelf.choiceOf(slot);
    if (active.length + shadow.length === 0) continue;
    const unlicensed = slot === "liveness" ? findUnlicensed(active, blocked) : undefined;
    if (unlicensed !== undefined) {
      selected[slot] = { active: [], shadow: [], unlicensed };
      continue;
    }
    selected[slot] = {
      active: await Promise.all(active.map(readOne)),
      ...(await readShadow(shadow, blocked, readOne)),
    };
  }
  return selected;
};

/** Those that may look on, and those that must not. */
const readShadow = async (
  chosen: readonly string[],
  blocked: readonly Blocked[],
  readOne: (sha256: string) => Promise<SelectedModel>,
): Promise<Pick<SelectedSlot, "shadow" | "blockedShadow">> => {
  const blockedShadow = blocked.filter(({ sha256 }) => chosen.includes(sha256));
  const rest = chosen.filter((hash) => !blockedShadow.some(({ sha256 }) => sha256 === hash));
  const shadow = await Promise.all(rest.map(readOne));
  return { shadow, ...(blockedShadow.length > 0 && { blockedShadow }) };
};

const findUnlicensed = (active: readonly string[], blocked: readonly Blocked[]): string | undefined => {
  const found = blocked.find(({ sha256 }) => active.includes(sha256));
  return found && `${found.name}: ${found.licence}`;
};

const isSelectedModel = (value: unknown): value is SelectedModel =>
  typeof value === "object" &&
  value !== null &&
  "manifest" in value &&
  "bytes" in value &&
  isManifest(value.manifest) &&
  value.bytes instanceof Uint8Array;

const isSelectedSlot = (value: unknown): value is SelectedSlot =>
  typeof value === "object" &&
  value !== null &&
  "active" in value &&
  "shadow" in value &&
  [value.active, value.shadow].every((list) => Array.isArray(list) && list.every(isSelectedModel));

const isSelectedModels = (value: unknown): value is SelectedModels =>
  typeof value === "object" && value !== null && Object.values(value).every(isSelectedSlot);

/** What came into a thread as its added models. Throws Error where it is something else. */
export const selectedModelsOf = (value: unknown): SelectedModels => {
  if (!isSelectedModels(value)) throw new Error("The thread got no added models");
  return value;
};
