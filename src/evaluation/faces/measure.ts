import { type Rate, rateOf } from "#contract/statistics/rate";
import { areaUnderCurve, countBelow, thresholdAt } from "#contract/statistics/scores";

/** Operating points of a faces report. */
const falseMatchRates = ["1e-1", "1e-2", "1e-3", "1e-4"] as const;
type FalseMatchRate = (typeof falseMatchRates)[number];

export type FacesReport = {
  readonly pairs: number;
  readonly genuinePairs: number;
  readonly impostorPairs: number;
  readonly failuresToEnrol: number;
  readonly pictures: number;
  readonly auc: number;
  readonly tarAtFmr: Readonly<Record<FalseMatchRate, number>>;
  /** Exact bounds of 1 - TAR at each operating point, and its threshold. */
  readonly fnmrAtFmr: Readonly<Record<FalseMatchRate, Rate & { readonly threshold: number }>>;
  readonly threshold: {
    readonly value: number;
    readonly fmr: number;
    readonly fnmr: number;
    readonly fmrBounds: Rate;
    readonly fnmrBounds: Rate;
  };
};

type FacesInput = {
  readonly genuine: Float64Array;
  readonly impostor: Float64Array;
  readonly pictures: number;
  readonly failuresToEnrol: number;
  /** The product's own threshold; a score from it on is a match. */
  readonly threshold: number;
};

/** One value per false match rate. */
const byPoint = <Value>(value: (name: FalseMatchRate) => Value) => ({
  "1e-1": value("1e-1"),
  "1e-2": value("1e-2"),
  "1e-3": value("1e-3"),
  "1e-4": value("1e-4"),
});

/** Error rates of a set of fused scores. */
export const reportFaces = (input: FacesInput): FacesReport => {
  const impostor = input.impostor.toSorted();
  const genuine = input.genuine.toSorted();
  const points = falseMatchRates.map((name) => {
    const threshold = thresholdAt(impostor, Number(name));
    return [name, { ...rateOf(countBelow(genuine, threshold, true), genuine.length), threshold }] as const;
  });
  const falseMatches = impostor.length - countBelow(impostor, input.threshold, false);
  const fmr = rateOf(falseMatches, impostor.length);
  const fnmr = rateOf(countBelow(genuine, input.threshold, false), genuine.length);
  const at = (name: FalseMatchRate) => points.find(([point]) => point === name)![1];
  return {
    pairs: genuine.length + impostor.length,
    genuinePairs: genuine.length,
    impostorPairs: impostor.length,
    failuresToEnrol: input.failuresToEnrol,
    pictures: input.pictures,
    auc: areaUnderCurve(genuine, impostor),
    tarAtFmr: byPoint((name) => 1 - at(name).rate),
    fnmrAtFmr: byPoint(at),
    threshold: {
      value: input.threshold,
      fmr: fmr.rate,
      fnmr: fnmr.rate,
      fmrBounds: fmr,
      fnmrBounds: fnmr,
    },
  };
};
