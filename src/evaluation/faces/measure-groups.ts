import { type Rate, rateOf } from "#contract/statistics/rate";
import { countBelow, thresholdAt } from "#contract/statistics/scores";
import type { Comparison } from "#judging/face/matching/comparison";

/** How evenly a comparison treats demographic groups. All rates are fractions of 1. */
export type GroupsReport = {
  /**
   * `fmr`: share of impostor pairs within the group over the score at which the list of identities has FMR
   * 1e-3; `fmrAtThreshold`: from the product's own threshold on. `n` pairs each.
   */
  readonly groups: Readonly<
    Record<
      string,
      { readonly n: number; readonly fmr: number; readonly fmrBounds: Rate; readonly fmrAtThreshold: number }
    >
  >;
  /**
   * TAR on the identities at the threshold where the group with the most false matches has this FMR. NaN,
   * which is written as null, where a group has too few pairs to show that FMR: the worst of some groups is
   * not the worst of all.
   */
  readonly tarAtWorstGroupFmr: { readonly "1e-2": number; readonly "1e-3": number };
};

type GroupsInput = {
  readonly genuine: Float64Array;
  readonly impostor: Float64Array;
  /** Impostor scores within each group. */
  readonly within: ReadonlyMap<string, Float64Array>;
  readonly threshold: number;
};

/**
 * Above both cosines (the single one of an added recogniser) a pair is the same image twice, not two
 * identities: research sets hold some images under two names.
 */
const sameImage = [0.985, 0.8] as const;

export const isSameImageTwice = ({ cosines }: Pick<Comparison, "cosines">): boolean =>
  cosines.every((cosine, i) => cosine > (sameImage[i] ?? 1));

/** Error rates within groups, at the thresholds of the list of identities and of the groups themselves. */
export const reportGroups = ({ genuine, impostor, within, threshold }: GroupsInput): GroupsReport => {
  const ascending = genuine.toSorted();
  const usual = thresholdAt(impostor.toSorted(), 1e-3);
  const groups = [...within].map(([name, scores]) => [name, scores.toSorted()] as const);
  const tarAtWorst = (fmr: number): number => {
    if (groups.length === 0 || groups.some(([, { length }]) => length * fmr < 1)) return Number.NaN;
    const worst = Math.max(...groups.map(([, scores]) => thresholdAt(scores, fmr)));
    return 1 - countBelow(ascending, worst, true) / ascending.length;
  };
  return {
    groups: Object.fromEntries(
      groups.map(([name, scores]) => {
        const n = scores.length;
        const fmrBounds = rateOf(n - countBelow(scores, usual, true), n);
        const fmrAtThreshold = (n - countBelow(scores, threshold, false)) / n;
        return [name, { n, fmr: fmrBounds.rate, fmrBounds, fmrAtThreshold }];
      }),
    ),
    tarAtWorstGroupFmr: { "1e-2": tarAtWorst(1e-2), "1e-3": tarAtWorst(1e-3) },
  };
};
