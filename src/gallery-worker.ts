/**
 * Composition root of the galleries' thread: opens templates as the store keeps them and holds their vectors. It has the
 * master keys and no store; the tenant's wrapped keys come with every batch.
 */
import { randomUUID } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { Failure } from "./contract/failure.ts";
import { compare, fuse } from "./face/matching/comparison.ts";
import { cosineOfScore, scoreOfCosine } from "./face/matching/cosine-scale.ts";
import { mapTemplate, recogniserOfTemplate, unpackTemplate } from "./face/matching/template.ts";
import { isPair, type PairTemplate } from "./face/matching/template-kinds.ts";
import { galleryName, type SealedBatch } from "./gallery/follow-list.ts";
import { type Descriptors, scoringOf, singleScoring, splitVector } from "./gallery/scoring.ts";
import { attachGallery, makeServeGallery, type OpenedFace } from "./gallery/serve-gallery.ts";
import { makeTemplateVault, type TemplateVault } from "./people/template-vault.ts";
import { type Masters, makeKeyring } from "./storage/keyring.ts";
import { masterKeyOf } from "./storage/master-key.ts";
import { openBox, sealBox } from "./storage/sealed-box.ts";
import type { KeyRow } from "./storage/store.ts";

/** What the thread is started with: the master keys, the current one first, the recogniser that measures now and, of an
 * added one, what its cosines are worth. */
const options = Compile(
  Type.Object({
    masters: Type.Array(Type.Unknown(), { minItems: 1 }),
    recogniser: Type.String(),
    points: Type.Optional(Type.Array(Type.Object({ falseMatchRate: Type.Number(), cosine: Type.Number() }))),
  }),
);

const { masters, recogniser, points } = options.Parse(workerData);

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
  return isPair(template) ? pairOf(template) : splitVector(template.vector);
};

/** What commonness takes off is taken off whole of a comparison with itself. */
const pairOf = (template: PairTemplate): Descriptors | undefined => {
  const self = compare(template, template);
  const [dlibCosine, faceresCosine] = self?.cosines ?? [];
  if (self === undefined || dlibCosine === undefined || faceresCosine === undefined) {
    return undefined;
  }
  const handicap = Math.max(0, fuse(dlibCosine, faceresCosine) - self.score);
  return { dlib: template.dlib, faceres: template.faceres, handicap };
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

const scoring =
  points === undefined
    ? { scoring: scoringOf(fuse) }
    : {
        scoring: singleScoring,
        axis: {
          toScore: (cosine: number) => scoreOfCosine(points, cosine),
          toSum: (score: number) => cosineOfScore(points, score),
        },
      };

if (parentPort !== null) {
  attachGallery(parentPort, makeServeGallery({ ...scoring, open, openProbe: descriptorsOf }));
}
