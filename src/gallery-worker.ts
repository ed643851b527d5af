/**
 * Composition root of the galleries' thread: opens templates as the store keeps them and holds their vectors. It has the
 * master keys and no store; the tenant's wrapped keys come with every batch.
 */
import { randomUUID } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { Failure } from "./contract/failure.ts";
import { asSeenBy } from "./face/matching/cohort.ts";
import { excessOf } from "./face/matching/commonness.ts";
import { fuse } from "./face/matching/fusion.ts";
import { scoreOfValue, valueOfScore } from "./face/matching/score-scale.ts";
import { mapTemplate, recogniserOfTemplate, unpackTemplate } from "./face/matching/template.ts";
import { isPair, type Vectors } from "./face/matching/template-kinds.ts";
import { galleryName, type SealedBatch } from "./gallery/follow-list.ts";
import { type Descriptors, scoringOf, singleScoring, splitVector } from "./gallery/scoring.ts";
import { attachGallery, makeServeGallery, type OpenedFace } from "./gallery/serve-gallery.ts";
import { makeTemplateVault, type TemplateVault } from "./people/template-vault.ts";
import { type Masters, makeKeyring } from "./storage/keyring.ts";
import { masterKeyOf } from "./storage/master-key.ts";
import { openBox, sealBox } from "./storage/sealed-box.ts";
import type { KeyRow } from "./storage/store.ts";

/** What the thread is started with: the master keys, the current one first, the recogniser that measures now and, of
 * an added one or beside an own cohort, what its values are worth. */
const options = Compile(
  Type.Object({
    masters: Type.Array(Type.Unknown(), { minItems: 1 }),
    recogniser: Type.String(),
    scale: Type.Optional(
      Type.Object({
        recogniser: Type.String(),
        name: Type.String(),
        points: Type.Optional(
          Type.Array(Type.Object({ falseMatchRate: Type.Number(), value: Type.Number() })),
        ),
        faces: Type.Optional(Type.Array(Type.Unsafe<Vectors>(Type.Unknown()))),
      }),
    ),
  }),
);

const { masters, recogniser, scale } = options.Parse(workerData);

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

/** A template's vectors as rows have them. */
const descriptorsOf = (packed: Uint8Array): Descriptors | undefined => {
  const template = unpackTemplate(packed);
  if (template?.recogniser !== recogniser) {
    return undefined;
  }
  const seen = asSeenBy(scale, template);
  return isPair(seen)
    ? { dlib: seen.dlib, faceres: seen.faceres, handicap: excessOf(seen) }
    : splitVector(seen.vector);
};

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
    if (error instanceof Failure && error.code === "stored_damaged") return {};
    throw error;
  }
};

/** Its keys were destroyed. A master key that was not given is something else: then nothing can be opened. */
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
const points = scale?.points;
const scoring = isAdded ? singleScoring : scoringOf(fuse);
const axis = points && {
  toScore: (value: number) => scoreOfValue(points, value),
  toSum: (score: number) => valueOfScore(points, score),
};

if (parentPort !== null) {
  attachGallery(parentPort, makeServeGallery({ scoring, axis, open, openProbe: descriptorsOf }));
}
