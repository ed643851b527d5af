/**
 * Composition root of the gallery thread: opens the sealed templates of the store and holds their vectors. It
 * has the master keys but no store; the tenant's wrapped keys come with every batch.
 */

import { randomUUID } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { Failure, isUnreadable } from "#contract/failure";
import { galleryName, type SealedBatch } from "#features/users/gallery/follow-list";
import { type Descriptors, scoringOf, singleScoring, splitVector } from "#features/users/gallery/scoring";
import { attachGallery, makeServeGallery, type OpenedFace } from "#features/users/gallery/serve-gallery";
import { makeTemplateVault, type TemplateVault } from "#features/users/template-vault";
import { normaliseTemplate } from "#judging/face/matching/cohort";
import { excessOf } from "#judging/face/matching/cohort-score";
import { fuse } from "#judging/face/matching/fusion";
import type { ScoreScale } from "#judging/face/matching/score-scale";
import { unpackTemplate } from "#judging/face/matching/template";
import { isPair } from "#judging/face/matching/template-kinds";
import type { KeyRow } from "#trust/key-ring/key-store";
import { type Masters, makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";

/** The `workerData` of the thread. The main thread of the same process makes it, so it is not checked. */
export type GalleryData = {
  /** The current one first. */
  readonly masters: readonly Uint8Array[];
  readonly recogniser: string;
  /** Of an added recogniser or of an own cohort. */
  readonly scale?: ScoreScale | undefined;
};

const { masters, recogniser, scale }: GalleryData = workerData;

const mastersOf = (keys: readonly Uint8Array[]): Masters => {
  const [first, ...others] = keys.map(masterKeyOf);
  if (first === undefined) {
    throw new Error("The gallery thread received no master key");
  }
  return [first, ...others];
};

const allMasters = mastersOf(masters);

/**
 * A vault with the keys of one batch. No key is kept for the next batch, because it may be destroyed by then.
 */
const vaultOver = (keys: readonly KeyRow[]): TemplateVault => {
  const keyring = makeKeyring({
    masters: allMasters,
    // This thread seals nothing, so it makes no key.
    store: {
      findKeys: async (tenantId) => keys.filter((key) => key.tenantId === tenantId),
      insertKey: async () => false,
    },
    now: () => new Date(),
  });
  return makeTemplateVault(keyring, randomUUID);
};

/** The vectors of a template, as gallery rows hold them; undefined for a template of another recogniser. */
const descriptorsOf = (packed: Uint8Array): Descriptors | undefined => {
  const template = unpackTemplate(packed);
  if (template?.recogniser !== recogniser) {
    return undefined;
  }
  const seen = normaliseTemplate(scale, template);
  return isPair(seen)
    ? { dlib: seen.dlib, faceres: seen.faceres, handicap: excessOf(seen) }
    : splitVector(seen.vector);
};

/**
 * The vectors of a stored face; none if its keys were destroyed, or if it is damaged, of a newer release or
 * of another recogniser.
 */
const openFace = async (
  vault: TemplateVault,
  face: SealedBatch["faces"][number],
): Promise<Pick<OpenedFace, "face" | "isErased">> => {
  if (face.recogniser !== recogniser) {
    return {};
  }
  try {
    const vectors = descriptorsOf(await vault.open(face));
    return vectors === undefined ? {} : { face: vectors };
  } catch (error) {
    if (isErasure(error)) return { isErased: true };
    if (isUnreadable(error)) return {};
    throw error;
  }
};

/**
 * Whether the keys of the face were destroyed. A missing master key is another error: then no face can be
 * opened.
 */
const isErasure = (error: unknown): boolean =>
  error instanceof Failure && error.cause instanceof Failure && error.cause.code === "not_found";

const open = async ({ list, keys, faces }: SealedBatch): Promise<readonly OpenedFace[]> => {
  const vault = vaultOver(keys);
  const opened: OpenedFace[] = [];
  for (const face of faces) {
    opened.push({ gallery: galleryName(list, face), id: face.id, ...(await openFace(vault, face)) });
  }
  return opened;
};

const isAdded = scale !== undefined && scale.faces === undefined;
const scoring = isAdded ? singleScoring : scoringOf(fuse);

if (parentPort !== null) {
  attachGallery(
    parentPort,
    makeServeGallery({ scoring, points: scale?.points, open, openProbe: descriptorsOf }),
  );
}
