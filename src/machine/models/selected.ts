import type { Blocked } from "./catalogue.ts";
import { refuseBlocked } from "./examine.ts";
import type { Manifest, Slot } from "./manifest.ts";
import type { Calibration, FindUncalibrated, ModelStore } from "./model-store.ts";
import { ModelRefused } from "./refusal.ts";
import { findUnserved, servedSlots } from "./serve-slot.ts";

/** A model in use: its manifest, its file and, for a recogniser, its calibration. */
export type SelectedModel = {
  readonly manifest: Manifest;
  readonly bytes: Uint8Array;
  readonly calibration?: Calibration;
};

/** Models of one slot: deciding models and shadow models. */
export type SelectedSlot = {
  readonly active: readonly SelectedModel[];
  readonly shadow: readonly SelectedModel[];
  /**
   * The reason why the selected liveness models must not decide: their licence forbids it, found after their
   * selection. No other model decides in their place, and the service answers that it has no licence.
   */
  readonly unlicensed?: string;
  /** Selected shadow models that do not run: their licence forbids it, found after their selection. */
  readonly blockedShadow?: readonly Blocked[];
};

/** The selected models of each slot with a selection. */
export type SelectedModels = Readonly<Partial<Record<Slot, SelectedSlot>>>;

type Reading = {
  readonly modelStore: ModelStore;
  readonly blocked: readonly Blocked[];
  readonly findUncalibrated: FindUncalibrated;
  /** Copies a file into memory that all threads share. */
  readonly share: (bytes: Uint8Array) => Uint8Array;
};

/**
 * Reads the selected models and checks each hash again. Throws ModelRefused for a model that is missing,
 * changed, blocked since, or not served by this release: a start without it would silently use another model.
 * A blocked liveness model is reported instead, deciding or shadow: documents and comparisons need not stop
 * for it.
 */
export const readSelected = async ({
  modelStore,
  blocked,
  findUncalibrated,
  share,
}: Reading): Promise<SelectedModels> => {
  const installed = await modelStore.list();
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
    return { manifest, bytes: share(await modelStore.read(found)), ...(calibration && { calibration }) };
  };
  const selected: Partial<Record<Slot, SelectedSlot>> = {};
  for (const slot of servedSlots) {
    const { active, shadow } = await modelStore.choiceOf(slot);
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

/** Splits the shadow models into allowed and blocked ones. */
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
