import type { Rate } from "#contract/statistics/rate";
import type { LivenessCase, LivenessReport } from "../liveness/report-liveness.ts";
import { histogramChart } from "./charts.ts";
import { histogram } from "./det.ts";
import { leadOf, models, paragraph, type Run, type Section, table, writePage } from "./page.ts";
import { areaText, boundsText, percent } from "./percent.ts";

export type LivenessPage = Run & {
  readonly report: LivenessReport;
  readonly cases: readonly LivenessCase[];
  /** Policy: an image with this attack score or more is an attack. */
  readonly attackScoreMax: number;
};

const bins = 40;

const rateOf = (rate: Rate): string =>
  rate.n === 0 ? "no verdicts" : `${percent(rate.rate)} of ${rate.n} (${boundsText(rate)})`;

/** The report of `idem measure liveness` as one HTML file. */
export const writeLivenessReport = (page: LivenessPage): string => {
  const { report, cases } = page;
  return writePage("Error rates of passive liveness", leadOf(page, "idem measure liveness"), [
    sample(report),
    attacks(report),
    scores(page),
    cues(report),
    results(report),
    models(Object.assign({}, ...cases.map(({ image }) => image?.models ?? {}))),
  ]);
};

const sample = ({ live, spoof, bounds, worst, assurance }: LivenessReport): Section => ({
  heading: "Sample",
  body: [
    table(
      ["", ""],
      [
        ["Live images", String(live)],
        ["Attacks", String(spoof)],
        ["BPCER: persons refused, of verdicts", rateOf(bounds.bpcer)],
        ["No verdict, live", rateOf(bounds.noneLive)],
        ["Worst APCER", worst === undefined ? "-" : `${worst.attack}: ${rateOf(worst.apcer)}`],
        [
          "Assurance of the answers",
          Object.entries(assurance)
            .map(([level, count]) => `${level} ${count}`)
            .join(", ") || "-",
        ],
      ],
    ),
    paragraph(
      "Bounds are exact at 95 % (Clopper and Pearson). With no error among n images the rate may still be 3/n. No assurance level is an ISO/IEC 30107-3 level.",
    ),
  ].join("\n"),
});

const attacks = (report: LivenessReport): Section => {
  const scalars = Object.keys(report.nullScalars);
  const rows = Object.entries(report.attacks).map(
    ([name, { pictures: images, apcer, none, auc, nullScalars }]) => [
      name,
      String(images),
      rateOf(apcer),
      rateOf(none),
      areaText(auc),
      ...scalars.map((scalar) => areaText(nullScalars[scalar] ?? Number.NaN)),
    ],
  );
  const all = [
    "all",
    String(report.spoof),
    rateOf(report.bounds.apcer),
    rateOf(report.bounds.noneSpoof),
    areaText(report.auc),
    ...scalars.map((scalar) => areaText(report.nullScalars[scalar]!)),
  ];
  return {
    heading: "Attacks by kind",
    body: [
      table(["Kind", "Images", "APCER", "No verdict", "AUC", ...scalars], [...rows, all]),
      paragraph(
        "The last columns are the AUC of single scalars of the image. If they separate the set as well as the score does, the set differs in light and focus, not in liveness.",
      ),
    ].join("\n"),
  };
};

const scores = ({ cases, attackScoreMax }: LivenessPage): Section => {
  const of = (label: LivenessCase["label"]): Float64Array =>
    Float64Array.from(
      cases.flatMap((one) =>
        one.label === label && one.judgement.attackScore !== undefined ? [one.judgement.attackScore] : [],
      ),
    );
  const [live, spoof] = [of("live"), of("spoof")];
  return {
    heading: "Attack scores",
    body:
      live.length === 0 || spoof.length === 0
        ? paragraph("Not drawn: the scores need judged images of both kinds.")
        : histogramChart(
            [
              { name: "Live", shares: histogram(live, 0, 1, bins) },
              { name: "attacks", shares: histogram(spoof, 0, 1, bins) },
            ],
            { low: 0, high: 1, title: "attack score", mark: attackScoreMax },
          ),
  };
};

const cues = ({ cues: means }: LivenessReport): Section => ({
  heading: "Mean evidence of the cues",
  body: table(
    ["Cue", "Live", "Attacks"],
    Object.entries(means).map(([name, { live, spoof }]) => [name, live.toFixed(2), spoof.toFixed(2)]),
  ),
});

const results = ({ results: counts }: LivenessReport): Section => ({
  heading: "Results",
  body: table(
    ["Result", "Live", "Attacks"],
    Object.entries(counts).map(([name, { live, spoof }]) => [name, String(live), String(spoof)]),
  ),
});
