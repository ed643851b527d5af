import type { AttacksReport, KindFigures } from "#evaluation/documents/report-attacks";
import { areaText, verdictRate } from "#evaluation/report/percent";

/** The report as lines: every kind of attack separately (ISO/IEC 30107-3), and the signals found. */
export const describeAttacks = (report: AttacksReport): readonly string[] => [
  `genuine images   ${report.genuine}; ${report.unread} of all images could not be opened`,
  `BPCER              ${verdictRate(report.bpcerBounds)}`,
  `  signals          ${signalsLine(report.genuineSignals)}`,
  "Attacks by kind; APCER by clip:",
  ...Object.entries(report.kinds).flatMap(([kind, figures]) => describeKind(kind, figures)),
];

const describeKind = (kind: string, { clips, pictures: images, bounds, auc, signals }: KindFigures) => [
  `  ${kind}, ${images} images of ${clips} clips`,
  `    APCER          ${verdictRate(bounds)}`,
  `    AUC            ${areaText(auc)} of the log odds, by image`,
  `    signals        ${signalsLine(signals)}`,
];

const signalsLine = (signals: AttacksReport["genuineSignals"]): string =>
  Object.entries(signals)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ") || "none";
