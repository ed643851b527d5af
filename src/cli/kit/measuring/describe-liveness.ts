import type { AttackFigures, LivenessReport } from "#evaluation/liveness/report-liveness";
import { areaText, verdictRate } from "#evaluation/report/percent";

/**
 * The report as lines: the metrics of ISO/IEC 30107-3, each kind of attack separately, and single-number
 * classifiers beside every figure.
 */
export const describeLiveness = ({ bounds, ...report }: LivenessReport): readonly string[] => [
  `images        ${report.live} live, ${report.spoof} spoof`,
  `BPCER         ${verdictRate(bounds.bpcer)}`,
  `None, live    ${verdictRate(bounds.noneLive)}`,
  `AUC           ${areaText(report.auc)} of the attack score, where there is one; ${scalarLine(report.nullScalars)}`,
  "Attacks by kind:",
  ...Object.entries(report.attacks).flatMap(([name, figures]) => describeAttack(name, figures)),
  ...(report.worst ? [`worst APCER   ${verdictRate(report.worst.apcer)}: ${report.worst.attack}`] : []),
  "Each AUC is shown beside single-number classifiers of the image. Where these do well, the figure shows a property of the",
  "set, not of the method.",
  "Results:",
  ...Object.entries(report.results).map(
    ([name, { live, spoof }]) => `  ${name.padEnd(34)} live ${live}, spoof ${spoof}`,
  ),
  `Assurance: ${Object.entries(report.assurance)
    .map(([level, count]) => `${level} ${count}`)
    .join(", ")}. None of the levels is an ISO/IEC 30107-3 level.`,
];

const describeAttack = (name: string, { pictures: images, apcer, none, auc, nullScalars }: AttackFigures) => [
  `  ${name}, ${images} images`,
  `    APCER       ${verdictRate(apcer)}`,
  `    None        ${verdictRate(none)}`,
  `    AUC         ${areaText(auc)}; ${scalarLine(nullScalars)}`,
];

const scalarLine = (scalars: Readonly<Record<string, number>>): string =>
  Object.entries(scalars)
    .map(([name, auc]) => `${name} ${auc.toFixed(3)}`)
    .join(", ");
