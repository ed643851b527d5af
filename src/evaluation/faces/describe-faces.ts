import { groupPairsMin } from "../report/faces-page.ts";
import { areaText, percent as percentOf } from "../report/percent.ts";
import type { FacesReport } from "./measure.ts";
import type { GroupsReport } from "./measure-groups.ts";

const percent = (value: number, digits = 2): string => percentOf(value, digits);

const noPairs = "- (no such pairs)";

const productScore =
  "0 is the mean of unrelated people, 1 one standard deviation; similarity is a fixed curve over it";

/**
 * A faces report for a reader, one text per line. `similarityOf` is the product's own map from score to
 * similarity, 0…1. `meaning` explains the score if it is not the product's.
 */
export const describeFaces = (
  report: FacesReport & Partial<GroupsReport> & { readonly cohort: string },
  similarityOf: (score: number) => number,
  meaning = productScore,
): readonly string[] => {
  const { threshold } = report;
  const score = (value: number): string =>
    `${value.toFixed(3)} (similarity ${(100 * similarityOf(value)).toFixed(2)} %)`;
  const { fmrBounds, fnmrBounds } = threshold;
  return [
    `images              ${report.pictures}, failures to enrol ${report.failuresToEnrol}`,
    `pairs               ${report.genuinePairs} genuine, ${report.impostorPairs} impostor`,
    `face cohort         ${report.cohort}`,
    `score               ${meaning}`,
    `AUC                 ${areaText(report.auc, 5)}`,
    ...describePoints(report, score),
    `product threshold   score from ${score(threshold.value)}`,
    `  FMR               ${report.impostorPairs === 0 ? noPairs : `${percent(threshold.fmr, 4)} (95 %: ${percent(fmrBounds.low, 4)} to ${percent(fmrBounds.high, 4)})`}`,
    `  FNMR              ${report.genuinePairs === 0 ? noPairs : `${percent(threshold.fnmr)} (95 %: ${percent(fnmrBounds.low)} to ${percent(fnmrBounds.high)})`}`,
    ...describeGroups(report),
  ];
};

/** A rate of 1 in n needs at least n pairs: with fewer the row would repeat the row before it. */
const describePoints = (report: FacesReport, score: (value: number) => string): readonly string[] =>
  Object.entries(report.fnmrAtFmr).map(([fmr, { rate, low, high, threshold }]) => {
    const needed = Math.round(1 / Number(fmr));
    const text =
      report.impostorPairs < needed
        ? `needs ${needed.toLocaleString("en")} impostor pairs`
        : `${percent(rate)} (95 %: ${percent(low)} to ${percent(high)}), score over ${score(threshold)}`;
    return `FNMR at FMR ${fmr}    ${text}`;
  });

const describeGroups = ({ groups, tarAtWorstGroupFmr }: Partial<GroupsReport>): readonly string[] => {
  if (groups === undefined || tarAtWorstGroupFmr === undefined) return [];
  const all = Object.entries(groups);
  const atWorst = (fmr: "1e-2" | "1e-3"): string => percent(tarAtWorstGroupFmr[fmr]);
  return [
    "within groups       FMR at the score of FMR 1e-3 above, and from the product threshold",
    ...all.map(([name, { n, fmr, fmrBounds, fmrAtThreshold }]) =>
      n < groupPairsMin
        ? `  ${name.padEnd(18)}needs ${groupPairsMin.toLocaleString("en")} pairs, has ${n}`
        : `  ${name.padEnd(18)}${percent(fmr)} (95 %: ${percent(fmrBounds.low)} to ${percent(fmrBounds.high)}), ${percent(fmrAtThreshold)}, ${n} pairs`,
    ),
    `TAR, worst group    ${atWorst("1e-2")} at its FMR 1e-2, ${atWorst("1e-3")} at 1e-3`,
  ];
};
