import type { Caller } from "#contract/endpoint";
import { isUnreadable } from "#contract/failure";
import type { Json } from "#contract/json";
import type { FaceJudging } from "#judging/face/judging";
import type { Follower } from "./gallery/follow.ts";
import { galleryName, type SealedBatch } from "./gallery/follow-list.ts";
import type { GalleryThread } from "./gallery/gallery-thread.ts";
import { matchesMax, type SearchPolicy } from "./policy.ts";
import type { FaceList, KeptFace } from "./store/face-list.ts";
import type { FaceListCommands } from "./store/face-list-store.ts";
import type { TemplateVault } from "./template-vault.ts";

/** A face of the list that matches the searched one. */
export type Match = {
  /** Random id of the registered user or of the blocked face. */
  readonly id: string;
  readonly score: number;
  /** True if the score suffices to refuse; otherwise a reviewer decides. */
  readonly isSure: boolean;
  /** The pseudonym in the store, for a registered user. */
  readonly pseudonym?: string;
};

export type SearchAnswer = {
  readonly list: FaceList;
  /** The number of compared faces. */
  readonly size: number;
  /**
   * Faces of the list that could not be compared: made by another recogniser, or damaged. The searched face
   * may be among them.
   */
  readonly missing: number;
  /** The lowest score of a match, and the lowest score that suffices to refuse. */
  readonly scoreMin: number;
  readonly sureScoreMin: number;
  /** Highest score first, ten at most. */
  readonly matches: readonly Match[];
  /** The position of the tenant's evidence at the search. Faces added after it were not compared. */
  readonly searchedAt: number;
};

/**
 * Searches a template among the faces of a list, of one tenant and environment. The answer equals a
 * comparison with every face. Fails with search_unavailable until the list is filled, or if the gallery
 * thread ends. An abort rejects with its reason.
 */
export type SearchFaces = (
  list: FaceList,
  owner: Pick<Caller, "tenantId" | "environment">,
  template: Uint8Array,
  signal?: AbortSignal,
) => Promise<SearchAnswer>;

/** The number of faces in a list now, including those that cannot be compared. Fails as the search does. */
export type CountFaces = (list: FaceList, owner: Pick<Caller, "tenantId" | "environment">) => Promise<number>;

export const makeCountFaces =
  ({ gallery, follower }: Pick<SearchDeps, "gallery" | "follower">): CountFaces =>
  async (list, owner) => {
    await follower.catchUp(list, owner.tenantId);
    const name = galleryName(list, owner);
    return gallery.size(name) + gallery.missing(name);
  };

export type SearchDeps = {
  readonly gallery: Pick<GalleryThread<SealedBatch>, "missing" | "search" | "size">;
  readonly follower: Pick<Follower, "catchUp">;
  readonly store: Pick<FaceListCommands, "findFaces">;
  readonly vault: Pick<TemplateVault, "open">;
  readonly face: Pick<FaceJudging, "compare">;
  readonly policy: SearchPolicy;
  /** The lowest score that counts among `size` faces at this false-positive identification rate. */
  readonly scoreFor: (size: number, fpir: number) => number;
};

/** Candidates of the first gallery search. If there are more, the next search asks for four times as many. */
const candidatesFirst = 32;

/** The most ids that the store finds at once. */
const idsMax = 1000;

export const makeSearchFaces =
  (deps: SearchDeps): SearchFaces =>
  async (list, owner, template, signal) => {
    const { gallery, follower, policy, scoreFor } = deps;
    const { seq: searchedAt, requireSameThread } = await follower.catchUp(list, owner.tenantId);
    const name = galleryName(list, owner);
    const [size, missing] = [gallery.size(name), gallery.missing(name)];
    const scoreMin = scoreFor(size, policy.fpir.review);
    const sureScoreMin = scoreFor(size, policy.fpir.refusal);
    const compare = makeCompareAll(deps, list, owner.tenantId, template, signal);
    const found = size === 0 ? [] : await searchAll(gallery, name, template, scoreMin, compare);
    requireSameThread();
    const matches = found.map((match) => ({ ...match, isSure: match.score >= sureScoreMin }));
    return { list, size, missing, scoreMin, sureScoreMin, matches, searchedAt };
  };

type Compared = Omit<Match, "isSure">;
type CompareAll = (ids: readonly string[]) => Promise<readonly Compared[]>;

/**
 * Compares the candidates exactly, from the highest bound down. Ends when the next bound is below the lowest
 * score that counts, or below ten matches.
 */
const searchAll = async (
  gallery: SearchDeps["gallery"],
  name: string,
  template: Uint8Array,
  scoreMin: number,
  compare: CompareAll,
): Promise<readonly Compared[]> => {
  let matches: readonly Compared[] = [];
  // By id: between two gallery searches faces may be removed or added, and positions change.
  const done = new Set<string>();
  for (let limit = candidatesFirst; ; limit *= 4) {
    const { candidates, total } = await gallery.search(name, template, scoreMin, limit);
    const fresh = candidates.map(({ id }) => id).filter((id) => !done.has(id));
    fresh.forEach((id) => done.add(id));
    const compared = await compare(fresh);
    matches = [...matches, ...compared.filter(({ score }) => score >= scoreMin)]
      .sort((a, b) => b.score - a.score)
      .slice(0, matchesMax);
    const worst = matches[matchesMax - 1]?.score;
    const next = candidates.at(-1)?.scoreMax ?? Number.NEGATIVE_INFINITY;
    if (total <= limit || (worst !== undefined && worst >= next)) {
      return matches;
    }
  }
};

/** Exact scores of the candidates that still exist, with the vectors of the store. */
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
    // An unreadable template cannot be compared. The call of its own user reports it.
    if (isUnreadable(error)) return undefined;
    throw error;
  }
};

/** A search as the transaction record keeps it: numbers and random ids. */
export const describeSearch = ({
  list,
  size,
  missing,
  scoreMin,
  sureScoreMin,
  matches,
}: SearchAnswer): Json => ({
  list,
  size,
  ...(missing > 0 && { missing }),
  scoreMin,
  sureScoreMin,
  // Stored key: earlier releases wrote it.
  hits: matches.map(({ id, score, isSure }) => ({ id, score, isSure })),
});
