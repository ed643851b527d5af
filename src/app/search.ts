/** Composition of one-to-many search: the gallery thread, the follower that fills it, and the search. */
import { Worker } from "node:worker_threads";
import { type Deduplication, makeDeduplication } from "#features/users/deduplication";
import { type Progress, startFollowing } from "#features/users/gallery/follow";
import type { SealedBatch } from "#features/users/gallery/follow-list";
import { galleryGauges } from "#features/users/gallery/gallery-gauges";
import { makeGalleryThread } from "#features/users/gallery/gallery-thread";
import {
  type FalseMatchPoint,
  measuredFalseMatches,
  scoreForGallery,
} from "#features/users/gallery-threshold";
import type { SearchPolicy } from "#features/users/policy";
import {
  type CountFaces,
  makeCountFaces,
  makeSearchFaces,
  type SearchFaces,
} from "#features/users/search-faces";
import type { FaceList } from "#features/users/store/face-list";
import type { TemplateVault } from "#features/users/template-vault";
import type { FaceJudging } from "#judging/face/judging";
import { scoreAtFmr } from "#judging/face/matching/calibration";
import { type ScoreScale, scoreOfValue } from "#judging/face/matching/score-scale";
import type { Collector } from "#machine/http/metrics";
import type { Need } from "#machine/http/readiness";
import type { Parts } from "./parts.ts";
import type { RecordingStore } from "./recording-store.ts";
import type { GalleryData } from "./threads/gallery.ts";

/** One-to-many search and its state. Made by {@link openSearch}. */
export type Search = {
  readonly searchFaces: SearchFaces;
  readonly countFaces: CountFaces;
  readonly deduplication: Deduplication;
  /** Unmet while enrolments would be refused because a gallery is not filled. */
  readonly needs: readonly Need[];
  readonly gauges: readonly Collector[];
  /** Resolves when the block list is in memory, or when the first attempt to load it has failed. */
  readonly begun: Promise<void>;
  /** Ends the gallery thread. Call it before the store is closed. */
  readonly close: () => Promise<void>;
};

type SearchParts = Pick<Parts, "report" | "note"> & {
  /** The master keys, the current one first. The gallery thread itself opens the sealed templates. */
  readonly masters: readonly Uint8Array[];
  readonly store: RecordingStore;
  readonly face: FaceJudging;
  readonly vault: TemplateVault;
  readonly policy: SearchPolicy;
  /** Two faces match from this score on in a one-to-one comparison. */
  readonly scoreMin: number;
  /** The score scale of an added recogniser or of an own cohort; undefined for the bundled pair alone. */
  readonly scale?: ScoreScale | undefined;
};

/**
 * A point of the score axis for an added recogniser. Its cosines are mapped to that axis by the FMR of the
 * group with the most false matches; the figures of the bundled pair are those of a whole list. So its
 * thresholds are stricter.
 */
const pointAt = (fmr: number) => ({ score: scoreAtFmr(fmr), fmr });
const axisFalseMatches = (): typeof measuredFalseMatches => [
  pointAt(1e-1),
  pointAt(1e-2),
  ...[1e-3, 1e-4, 1e-5, 1e-6].map(pointAt),
];

/**
 * The false-match points for the scale in force. With an own cohort, the bundled pair's points apply to the
 * values before the scale: the true rates there are lower (docs/measurements/fairness.md). Then each point is
 * mapped to the score axis, as every value is.
 */
const falseMatchesOn = (scale: ScoreScale | undefined): typeof measuredFalseMatches => {
  const points = scale?.points;
  if (points === undefined) return measuredFalseMatches;
  if (scale?.faces === undefined) return axisFalseMatches();
  const onAxis = ({ score, fmr }: FalseMatchPoint) => ({ score: scoreOfValue(points, score), fmr });
  const [first, second, ...others] = measuredFalseMatches;
  return [onAxis(first), onAxis(second), ...others.map(onAxis)];
};

/**
 * A change by another process is visible after this time at the latest; a change by this process, in the next
 * search.
 */
const pollMs = 2_000;

/**
 * The galleries to hold. The block list is always held: it is short and may get its first entry at any time.
 */
const listsOf = ({ duplicates }: SearchPolicy): readonly FaceList[] =>
  duplicates === "off" ? ["blocked"] : ["blocked", "people"];

/** Sentences for the operator if some faces of a list cannot be compared: enrolments are then refused. */
const incompleteNotes: Readonly<Record<FaceList, string>> = {
  blocked:
    "Enrolments answer 503 in each environment whose block list has outdated or damaged faces: see idem users blocked, block each face again with an image, then unblock the old entry",
  people:
    "Enrolments answer 503 in each environment with users of another recogniser: set IDEM_DUPLICATES=flag until their templates have moved",
};

const reportProgress =
  ({ note, report }: SearchParts, mustBeWhole: readonly FaceList[]) =>
  ({ isFilled, ...facts }: Progress): void => {
    note(isFilled ? "The gallery is filled" : "The gallery is being filled", facts);
    const { list, unopened } = facts;
    if (isFilled && unopened > 0 && mustBeWhole.includes(list)) {
      report("search", incompleteNotes[list], new Error(`${unopened} cannot be compared`));
    }
  };

/** Starts to fill the galleries. The gallery thread starts with the first face. */
export const openSearch = (parts: SearchParts): Search => {
  const { masters, store, report, face, vault, policy, scoreMin, scale } = parts;
  const workerData: GalleryData = { masters, recogniser: face.recogniser, ...(scale && { scale }) };
  const falseMatches = falseMatchesOn(scale);
  const gallery = makeGalleryThread<SealedBatch>(
    () => new Worker(new URL("./threads/gallery.ts", import.meta.url), { workerData }),
    (cause) => {
      follower.reset();
      report("search", "The gallery thread died. It starts again and its galleries are filled again", cause);
    },
  );
  const lists = listsOf(policy);
  const mustBeWhole = policy.duplicates === "refuse" ? lists : lists.filter((list) => list === "blocked");
  const follower = startFollowing({
    store,
    gallery,
    lists,
    pollMs,
    onProgress: reportProgress(parts, mustBeWhole),
    onError: (error) => report("search", "Updating the galleries failed. The next round tries again", error),
  });
  const galleries = { gallery, follower };
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
    deduplication: makeDeduplication({ searchFaces, policy }),
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
