import type { Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { FaceJudging } from "#face/judging";
import type { Follower } from "#gallery/follow";
import type { galleryName, SealedBatch } from "#gallery/follow-list";
import type { GalleryThread } from "#gallery/gallery-thread";
import type { FaceList, KeptFace } from "#storage/face-list";
import type { Json, Store } from "#storage/store";
import { hitsMax, type SearchPolicy } from "./policy.ts";
import type { TemplateVault } from "./template-vault.ts";

/** Somebody of the list whose face may be the one that was searched. */
export type Hit = {
  /** Random id of the registered user or the blocked face. */
  readonly id: string;
  readonly score: number;
  /** Sure enough to turn a person away; otherwise a person should look. */
  readonly isSure: boolean;
  /** Of a registered user, as the store knows it. */
  readonly pseudonym?: string;
};

export type SearchAnswer = {
  readonly list: FaceList;
  /** Faces that were compared. */
  readonly size: number;
  /** Faces of the list that could not be: of another recogniser, or damaged. Whoever was not found may be among them. */
  readonly missing: number;
  /** From which score a hit counts, and from which it is sure. */
  readonly scoreMin: number;
  readonly sureScoreMin: number;
  /** Best first, ten at most. */
  readonly hits: readonly Hit[];
  /** How far the tenant's evidence went: what came to the list after it was not compared. */
  readonly searchedAt: number;
};

/**
 * Searches a template among the faces of a list, of one tenant and world. The answer is that of comparing it with every one
 * of them. Fails with search_unavailable until the list is filled, and where the galleries' thread ends meanwhile, or with the
 * reason of a signal that aborts.
 */
export type SearchFaces = (
  list: FaceList,
  owner: Pick<Caller, "tenantId" | "world">,
  template: Uint8Array,
  signal?: AbortSignal,
) => Promise<SearchAnswer>;

/** How many faces a list has now, with those that no search can compare with. Fails as the search does. */
export type CountFaces = (list: FaceList, owner: Pick<Caller, "tenantId" | "world">) => Promise<number>;

export const makeCountFaces =
  ({
    gallery,
    follower,
    galleryName,
  }: Pick<SearchDeps, "gallery" | "follower" | "galleryName">): CountFaces =>
  async (list, owner) => {
    await follower.catchUp(list, owner.tenantId);
    const name = galleryName(list, owner);
    return gallery.size(name) + gallery.missing(name);
  };

export type SearchDeps = {
  readonly gallery: Pick<GalleryThread<SealedBatch>, "missing" | "search" | "size">;
  readonly follower: Pick<Follower, "catchUp">;
  readonly galleryName: typeof galleryName;
  readonly store: Pick<Store, "findFaces">;
  readonly vault: Pick<TemplateVault, "open">;
  readonly face: Pick<FaceJudging, "compare">;
  readonly policy: SearchPolicy;
  /** The lowest score that counts among so many faces at this false-positive identification rate. */
  readonly scoreFor: (size: number, fpir: number) => number;
};

/** Candidates of one look into the gallery; where there are more, the next look asks for four times as many. */
const candidatesFirst = 32;

/** Most ids that the store finds at once. */
const idsMax = 1000;

export const makeSearchFaces =
  (deps: SearchDeps): SearchFaces =>
  async (list, owner, template, signal) => {
    const { gallery, follower, policy, scoreFor } = deps;
    const { seq: searchedAt, requireStill } = await follower.catchUp(list, owner.tenantId);
    const name = deps.galleryName(list, owner);
    const [size, missing] = [gallery.size(name), gallery.missing(name)];
    const scoreMin = scoreFor(size, policy.fpir.review);
    const sureScoreMin = scoreFor(size, policy.fpir.refusal);
    const compare = makeCompareAll(deps, list, owner.tenantId, template, signal);
    const found = size === 0 ? [] : await searchAll(gallery, name, template, scoreMin, compare);
    requireStill();
    const hits = found.map((hit) => ({ ...hit, isSure: hit.score >= sureScoreMin }));
    return { list, size, missing, scoreMin, sureScoreMin, hits, searchedAt };
  };

type Compared = Omit<Hit, "isSure">;
type CompareAll = (ids: readonly string[]) => Promise<readonly Compared[]>;

/**
 * Goes through the candidates from the highest bound down, comparing each exactly. Done where the next bound is under the
 * score that counts, or ten hits are all above it.
 */
const searchAll = async (
  gallery: SearchDeps["gallery"],
  name: string,
  template: Uint8Array,
  scoreMin: number,
  compare: CompareAll,
): Promise<readonly Compared[]> => {
  let hits: readonly Compared[] = [];
  // By their ids: between two looks a face may leave or come, and all others change their places.
  const done = new Set<string>();
  for (let limit = candidatesFirst; ; limit *= 4) {
    const { candidates, total } = await gallery.search(name, template, scoreMin, limit);
    const fresh = candidates.map(({ id }) => id).filter((id) => !done.has(id));
    fresh.forEach((id) => done.add(id));
    const compared = await compare(fresh);
    hits = [...hits, ...compared.filter(({ score }) => score >= scoreMin)]
      .sort((a, b) => b.score - a.score)
      .slice(0, hitsMax);
    const worst = hits[hitsMax - 1]?.score;
    const next = candidates.at(-1)?.scoreMax ?? Number.NEGATIVE_INFINITY;
    if (total <= limit || (worst !== undefined && worst >= next)) {
      return hits;
    }
  }
};

/** The exact scores of those that are still there, with the vectors that the store holds. */
const makeCompareAll =
  (
    { store, vault, face }: SearchDeps,
    list: FaceList,
    tenantId: string,
    template: Uint8Array,
    signal: AbortSignal | undefined,
  ): CompareAll =>
  async (ids) => {
    const compared: Compared[] = [];
    for (let from = 0; from < ids.length; from += idsMax) {
      signal?.throwIfAborted();
      for (const one of await store.findFaces(list, tenantId, ids.slice(from, from + idsMax))) {
        const score = await scoreWith(vault, face, one, template);
        if (score !== undefined) {
          const { id, pseudonym } = one;
          compared.push({ id, score, ...(pseudonym === undefined ? {} : { pseudonym }) });
        }
      }
    }
    return compared;
  };

const side = (template: Uint8Array) => ({ kind: "template" as const, template });

const scoreWith = async (
  vault: SearchDeps["vault"],
  face: SearchDeps["face"],
  kept: KeptFace,
  template: Uint8Array,
): Promise<number | undefined> => {
  try {
    return face.compare(side(await vault.open(kept)), side(template)).comparison?.score;
  } catch (error) {
    // Nobody can be compared with a template that is damaged: its owner's own call tells.
    if (error instanceof Failure && error.code === "stored_damaged") return undefined;
    throw error;
  }
};

/** A search as a record keeps it: numbers, and random ids. */
export const describeSearch = ({
  list,
  size,
  missing,
  scoreMin,
  sureScoreMin,
  hits,
}: SearchAnswer): Json => ({
  list,
  size,
  ...(missing > 0 && { missing }),
  scoreMin,
  sureScoreMin,
  hits: hits.map(({ id, score, isSure }) => ({ id, score, isSure })),
});
