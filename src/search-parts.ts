/** Composition of one-to-many search: the galleries' thread, what fills it, and the search itself. */
import { Worker } from "node:worker_threads";
import type { FaceJudging } from "./face/judging.ts";
import { scoreAtFmr } from "./face/matching/calibration.ts";
import { type ScoreScale, scoreOfValue } from "./face/matching/score-scale.ts";
import { type Progress, startFollowing } from "./gallery/follow.ts";
import { galleryName, type SealedBatch } from "./gallery/follow-list.ts";
import { galleryGauges } from "./gallery/gallery-gauges.ts";
import { makeGalleryThread } from "./gallery/gallery-thread.ts";
import type { Collector } from "./http/metrics.ts";
import type { Need } from "./http/readiness.ts";
import type { Parts } from "./parts.ts";
import { type FalseMatchPoint, measuredFalseMatches, scoreForGallery } from "./people/false-hits.ts";
import { makeNewcomers, type Newcomers } from "./people/newcomers.ts";
import type { SearchPolicy } from "./people/policy.ts";
import { type CountFaces, makeCountFaces, makeSearchFaces, type SearchFaces } from "./people/search-faces.ts";
import type { TemplateVault } from "./people/template-vault.ts";
import type { FaceList } from "./storage/face-list.ts";
import type { Store } from "./storage/store.ts";

export type Search = {
  readonly searchFaces: SearchFaces;
  readonly countFaces: CountFaces;
  readonly newcomers: Newcomers;
  /** Missing while an enrolment would be refused because the galleries are not filled. */
  readonly needs: readonly Need[];
  readonly gauges: readonly Collector[];
  /** When the block list is held. */
  readonly begun: Promise<void>;
  /** Before the store is closed. */
  readonly close: () => Promise<void>;
};

type SearchParts = Pick<Parts, "report" | "note"> & {
  /** The master keys, the current one first: the thread opens templates by itself. */
  readonly masters: readonly Uint8Array[];
  readonly store: Store;
  readonly face: FaceJudging;
  readonly vault: TemplateVault;
  readonly policy: SearchPolicy;
  /** From which score two faces are one person, where one is compared with one. */
  readonly scoreMin: number;
  /** Of an added recogniser or an own cohort, what values are worth. */
  readonly scale?: ScoreScale | undefined;
};

/**
 * Of an added recogniser the score at which one pair of strangers in so many matches is that of the axis onto which its
 * cosines are brought: the group with the most false matches, where the bundled pair's figures are a whole list's. So its
 * thresholds are the stricter.
 */
const pointAt = (fmr: number) => ({ score: scoreAtFmr(fmr), fmr });
const axisFalseMatches = (): typeof measuredFalseMatches => [
  pointAt(1e-1),
  pointAt(1e-2),
  ...[1e-3, 1e-4, 1e-5, 1e-6].map(pointAt),
];

/**
 * Beside an own cohort the bundled pair's figures hold for its values as they are: they fall below those beside the cohort
 * that ships (docs/measurements.md), and are brought onto the axis as every value is.
 */
const falseMatchesOn = (scale: ScoreScale | undefined): typeof measuredFalseMatches => {
  const points = scale?.points;
  if (points === undefined) return measuredFalseMatches;
  if (scale?.faces === undefined) return axisFalseMatches();
  const onAxis = ({ score, fmr }: FalseMatchPoint) => ({ score: scoreOfValue(points, score), fmr });
  const [first, second, ...others] = measuredFalseMatches;
  return [onAxis(first), onAxis(second), ...others.map(onAxis)];
};

/** What another process has changed is seen so long after at the latest; what this one changes, at the next search. */
const pollMs = 2_000;

/** Blocked faces are always held, since their list is short and may get its first entry at any time. */
const listsOf = ({ duplicates }: SearchPolicy): readonly FaceList[] =>
  duplicates === "off" ? ["blocked"] : ["blocked", "people"];

/** What the operator is told where nobody is enrolled past faces of a list that no search can compare with. */
const notWhole: Readonly<Record<FaceList, string>> = {
  blocked:
    "First calls answer 503 in each world whose block list has outdated or damaged faces: see idem people blocked, block each anew by a picture, then unblock the old entry",
  people:
    "First calls answer 503 in each world that has users of another recogniser: set IDEM_DUPLICATES=flag until they have moved",
};

const tellProgress =
  ({ note, report }: SearchParts, mustBeWhole: readonly FaceList[]) =>
  ({ isFilled, ...facts }: Progress): void => {
    note(isFilled ? "The gallery is filled" : "The gallery is being filled", facts);
    const { list, unopened } = facts;
    if (isFilled && unopened > 0 && mustBeWhole.includes(list)) {
      report("search", notWhole[list], new Error(`${unopened} cannot be compared`));
    }
  };

/** Begins to fill the galleries. The thread itself begins with the first face that there is. */
export const openSearch = (parts: SearchParts): Search => {
  const { masters, store, report, face, vault, policy, scoreMin, scale } = parts;
  const workerData = { masters, recogniser: face.recogniser, ...(scale && { scale }) };
  const falseMatches = falseMatchesOn(scale);
  const gallery = makeGalleryThread<SealedBatch>(
    () => new Worker(new URL("./gallery-worker.ts", import.meta.url), { workerData }),
    (cause) => {
      follower.reset();
      report("search", "The galleries' thread died; it is filled anew", cause);
    },
  );
  const lists = listsOf(policy);
  const mustBeWhole = policy.duplicates === "refuse" ? lists : lists.filter((list) => list === "blocked");
  const follower = startFollowing({
    store,
    gallery,
    lists,
    pollMs,
    onProgress: tellProgress(parts, mustBeWhole),
    onError: (error) => report("search", "The galleries could not be followed; it is tried again", error),
  });
  const galleries = { gallery, follower, galleryName };
  const searchFaces = makeSearchFaces({
    ...galleries,
    store,
    vault,
    face,
    policy,
    scoreFor: (size, fpir) => scoreForGallery(falseMatches, { size, fpir, scoreMin }),
  });
  return {
    searchFaces,
    countFaces: makeCountFaces(galleries),
    begun: follower.begun,
    newcomers: makeNewcomers({ searchFaces, policy }),
    needs: mustBeWhole.map((list) => ({
      missing: `the gallery of ${list === "people" ? "registered users" : "blocked faces"} is being filled`,
      check: async () => {
        if (!follower.isFilled(list)) throw new Error("The gallery is not filled yet");
      },
    })),
    gauges: galleryGauges(lists, follower.isFilled, gallery.readings),
    close: async () => {
      await follower.stop();
      await gallery.close();
    },
  };
};
