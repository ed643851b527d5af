/**
 * Composition root of the galleries' thread: opens templates as the store keeps them and holds their vectors. It has the
 * master keys and no store; the tenant's wrapped keys come with every batch.
 */
import { randomUUID } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { Failure } from "./contract/failure.ts";
import { compare, fuse } from "./face/comparison.ts";
import { mapTemplate, recogniserOfTemplate, unpackTemplate } from "./face/template.ts";
import { galleryName, type SealedBatch } from "./gallery/follow-list.ts";
import { type Descriptors, scoringOf } from "./gallery/scoring.ts";
import { attachGallery, makeServeGallery, type OpenedFace } from "./gallery/serve-gallery.ts";
import { makeTemplateVault, type TemplateVault } from "./people/template-vault.ts";
import { type Masters, makeKeyring } from "./storage/keyring.ts";
import { masterKeyOf } from "./storage/master-key.ts";
import { openBox, sealBox } from "./storage/sealed-box.ts";
import type { KeyRow } from "./storage/store.ts";

/** What the thread is started with: the master keys, the current one first, and the recogniser that measures now. */
const options = Compile(
  Type.Object({ masters: Type.Array(Type.Unknown(), { minItems: 1 }), recogniser: Type.String() }),
);

const { masters, recogniser } = options.Parse(workerData);

const mastersOf = (keys: readonly unknown[]): Masters => {
  const [first, ...others] = keys.filter((key) => key instanceof Uint8Array).map(masterKeyOf);
  if (first === undefined) {
    throw new Error("The galleries' thread was given no master key");
  }
  return [first, ...others];
};

const allMasters = mastersOf(masters);

/** A vault over the keys of one batch. None is kept for the next: by then a key may be destroyed. */
const vaultOver = (keys: readonly KeyRow[]): TemplateVault => {
  const keyring = makeKeyring({
    masters: allMasters,
    // Nothing is sealed here, so no key is ever made.
    store: {
      findKeys: async (tenantId) => keys.filter((key) => key.tenantId === tenantId),
      insertKey: async () => false,
    },
    now: () => new Date(),
  });
  const face = { mapTemplate, recogniserOf: recogniserOfTemplate };
  return makeTemplateVault({ keyring, sealBox, openBox, face, newId: randomUUID });
};

/** A template's vectors, and what its commonness takes off: of a comparison with itself it is taken off whole. */
const descriptorsOf = (packed: Uint8Array): Descriptors | undefined => {
  const template = unpackTemplate(packed);
  const self = template && compare(template, template);
  if (template?.recogniser !== recogniser || self === undefined) {
    return undefined;
  }
  const { dlib, faceres } = template;
  const handicap = Math.max(0, fuse(self.dlibCosine, self.faceresCosine) - self.score);
  return { dlib, faceres, handicap };
};

const openFace = async (
  vault: TemplateVault,
  face: SealedBatch["faces"][number],
): Promise<Descriptors | undefined> => {
  if (face.recogniser !== recogniser) {
    return undefined;
  }
  try {
    return descriptorsOf(await vault.open(face));
  } catch (error) {
    if (isLost(error)) return undefined;
    throw error;
  }
};

/** Damaged, or its keys were destroyed. A master key that was not given is neither: then nothing can be opened. */
const isLost = (error: unknown): boolean =>
  error instanceof Failure &&
  (error.code === "stored_damaged" || (error.cause instanceof Failure && error.cause.code === "not_found"));

const open = async ({ list, keys, faces }: SealedBatch): Promise<readonly OpenedFace[]> => {
  const vault = vaultOver(keys);
  const opened: OpenedFace[] = [];
  for (const face of faces) {
    const vectors = await openFace(vault, face);
    const named = { gallery: galleryName(list, face), id: face.id };
    opened.push(vectors === undefined ? named : { ...named, face: vectors });
  }
  return opened;
};

if (parentPort !== null) {
  attachGallery(parentPort, makeServeGallery({ scoring: scoringOf(fuse), open, openProbe: descriptorsOf }));
}
