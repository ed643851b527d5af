import type { Counts, FailureReport, FieldReport, OperationReport, Report } from "./tally.ts";

export const countsText = ({ equal, refused, different, failed, stored }: Counts): string =>
  [
    `${equal} equal, ${different} different, ${failed} failed`,
    ...(refused > 0 ? [`${refused} refused by both`] : []),
    ...(stored > 0 ? [`${stored} stored answers of earlier calls`] : []),
  ].join("; ");

/** Whether both services refused every request, such as with wrong keys: then the report shows nothing. */
export const isRefused = ({ equal, refused, different, failed }: Omit<Counts, "stored">): boolean =>
  refused > 0 && refused === equal + different + failed;

const linesText = (lines: readonly number[], count: number): string =>
  `line ${lines.join(", ")}${count > lines.length ? " …" : ""}`;

const fieldLines = (
  { field, count, pairs, greatestGap, lines }: FieldReport,
  of: number,
): readonly string[] => [
  `  ${field}: ${count} of ${of}${greatestGap === undefined ? "" : `, up to ${greatestGap} apart`}; ${linesText(lines, count)}`,
  ...pairs.map((pair) => `    ${pair.theirs} | ${pair.ours}: ${pair.count}`),
];

const failureLine = ({ service, reason, count, lines }: FailureReport): string =>
  `  ${service} failed ${count} times, ${reason}; ${linesText(lines, count)}`;

const operationLines = ({ operation, fields, failures, added, ...counts }: OperationReport) => [
  "",
  `${operation}: ${countsText(counts)}`,
  ...failures.map(failureLine),
  ...fields.flatMap((field) => fieldLines(field, counts.equal + counts.different)),
  ...(added.length > 0 ? [`  ours alone, no difference: ${added.join(", ")}`] : []),
];

/** The report for people: counts, then each operation with its fields, theirs before ours. */
export const reportLines = (report: Report): readonly string[] => [
  `${report.equal + report.different + report.failed} requests: ${countsText(report)}`,
  ...(report.different > 0 ? ["Values of a field: theirs | ours"] : []),
  ...(report.stored > 0 ? [storedAdvice] : []),
  ...report.operations.flatMap(operationLines),
];

const storedAdvice =
  "Stored answers show former settings. Send new references, or set IDEM_BEST_IMAGE_TOKEN_USES=many and " +
  "IDEM_MERCHANT_REFERENCE_MINUTES=0 at this service.";
