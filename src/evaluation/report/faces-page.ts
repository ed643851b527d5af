import type { FacesReport } from "../faces/measure.ts";
import type { GroupsReport } from "../faces/measure-groups.ts";
import { detChart, histogramChart } from "./charts.ts";
import { detPoints, histogram } from "./det.ts";
import { leadOf, models, paragraph, type Run, type Section, table, writePage } from "./page.ts";
import { areaText, boundsText, percent as percentOf } from "./percent.ts";

export type FacesPage = Run & {
  readonly report: FacesReport & Partial<GroupsReport>;
  readonly genuine: Float64Array;
  readonly impostor: Float64Array;
  readonly similarityOf: (score: number) => number;
  /** Model name to SHA-256. */
  readonly models: Readonly<Record<string, string>>;
};

const curvePoints = 400;
const bins = 80;
/** Fewer pairs cannot show a rate of one in a thousand. */
export const groupPairsMin = 1000;

const percent = (share: number, digits = 2): string => percentOf(share, digits);
const bounds = (rate: Parameters<typeof boundsText>[0], digits = 2): string => boundsText(rate, digits);
const count = (n: number): string => n.toLocaleString("en");

/** The report of `idem measure faces` as one HTML file. */
export const writeFacesPage = (page: FacesPage): string => {
  const { report } = page;
  return writePage("Error rates of the face comparison", leadOf(page, "idem measure faces"), [
    sample(report),
    recommended(page),
    curves(page),
    ...groupsOf(report),
    models(page.models),
  ]);
};

/** The limit of a sample: with no error in n pairs, the rate is under 3/n with 95 % confidence. */
const ruleOfThree = (n: number): string =>
  `None wrong of ${count(n)} pairs would still leave a rate of up to ${percent(3 / Math.max(1, n), 5)} (rule of three).`;

const sample = ({
  pictures: images,
  failuresToEnrol,
  genuinePairs,
  impostorPairs,
  auc,
}: FacesReport): Section => ({
  heading: "Sample",
  body: [
    table(
      ["", ""],
      [
        ["Images", count(images)],
        ["Failures to enrol", `${count(failuresToEnrol)} (${percent(failuresToEnrol / images)})`],
        ["Genuine pairs", count(genuinePairs)],
        ["Impostor pairs", count(impostorPairs)],
        ["Area under the curve", areaText(auc, 5)],
      ],
    ),
    paragraph(
      `${ruleOfThree(impostorPairs)} Pairs that share an image or an identity are not independent, so the true bounds are a little wider than the exact ones given here (Clopper and Pearson).`,
    ),
  ].join("\n"),
});

const recommended = ({ report, similarityOf }: FacesPage): Section => {
  const { threshold, fnmrAtFmr, impostorPairs } = report;
  const wanted = Object.entries(fnmrAtFmr).filter(([fmr]) => impostorPairs * Number(fmr) >= 1);
  const rows = wanted.map(([fmr, rate]) => [
    `FMR ${fmr}`,
    rate.threshold.toFixed(3),
    similarityOf(rate.threshold).toFixed(4),
    percent(rate.rate),
    bounds(rate),
  ]);
  const own = [
    `product: FMR ${percent(threshold.fmr, 4)} (${bounds(threshold.fmrBounds, 4)})`,
    threshold.value.toFixed(3),
    similarityOf(threshold.value).toFixed(4),
    percent(threshold.fnmr),
    bounds(threshold.fnmrBounds),
  ];
  return {
    heading: "Thresholds for a wanted false-match rate",
    body: [
      table(["Wanted", "Score over", "Similarity", "FNMR", "95 %"], [...rows, own]),
      paragraph(
        "A rate of 1 in n needs n impostor pairs; rates that these pairs cannot show are left out. The score is the distance from the mean of impostor pairs, in their standard deviations.",
      ),
    ].join("\n"),
  };
};

const curves = ({ report, genuine, impostor }: FacesPage): Section => {
  const [own, impostors] = [genuine.toSorted(), impostor.toSorted()];
  const points = detPoints(own, impostors, curvePoints);
  if (points.length === 0) {
    return { heading: "Curves", body: paragraph("Not drawn: the curves need genuine and impostor pairs.") };
  }
  const [low, high] = [points[0]!.threshold, points.at(-1)!.threshold];
  const { value, fmr, fnmr } = report.threshold;
  return {
    heading: "Curves",
    body: [
      detChart(points, { threshold: value, fmr, fnmr }),
      histogramChart(
        [
          { name: "Genuine pairs", shares: histogram(own, low, high, bins) },
          { name: "impostor pairs", shares: histogram(impostors, low, high, bins) },
        ],
        { low, high, title: "score", mark: value },
      ),
    ].join("\n"),
  };
};

const worstText = (fmr: string, tar: number): string =>
  `TAR where the worst group has an FMR of ${fmr}: ${percent(tar)}.`;

const groupsOf = ({ groups, tarAtWorstGroupFmr }: Partial<GroupsReport>): readonly Section[] => {
  if (groups === undefined || tarAtWorstGroupFmr === undefined) return [];
  const rows = Object.entries(groups).map(([name, { n, fmr, fmrBounds, fmrAtThreshold }]) =>
    n < groupPairsMin
      ? [name, count(n), `needs ${count(groupPairsMin)} pairs`, "", ""]
      : [name, count(n), percent(fmr), bounds(fmrBounds), percent(fmrAtThreshold)],
  );
  const { "1e-2": hundredth, "1e-3": thousandth } = tarAtWorstGroupFmr;
  return [
    {
      heading: "False matches within groups",
      body: [
        table(
          ["Group", "Pairs", "FMR where the list has 1e-3", "95 %", "FMR at the product's threshold"],
          rows,
        ),
        paragraph(
          [
            worstText("1 %", hundredth),
            worstText("0.1 %", thousandth),
            "Without a figure: a group has too few pairs to show that FMR, and the worst of some groups is not the worst of all.",
          ].join(" "),
        ),
      ].join("\n"),
    },
  ];
};
