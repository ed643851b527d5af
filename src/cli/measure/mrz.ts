import type { MrzReport, MrzVector } from "#evaluation/documents/measure-mrz";
import { parseOptions, UsageError } from "../command.ts";
import { checkFiguresFile, writeFigures } from "../kit/figures-file.ts";
import { readMrzVectors } from "./mrz-vectors.ts";

export type MeasureMrzDeps = {
  readonly measure: (vectors: readonly MrzVector[]) => MrzReport;
  /** Writes one line of the result. */
  readonly out: (line: string) => void;
};

type Share = MrzReport["valid"]["accepted"];

const shareText = ({ n, count, low }: Share): string =>
  n === 0 ? "-" : `${count} of ${n} (95 %: at least ${(100 * low).toFixed(1)} %)`;

const describe = (
  { vectors, valid, invalid, mistakes }: MrzReport,
  withoutVerdict: number,
): readonly string[] => [
  `texts                    ${vectors}${withoutVerdict === 0 ? "" : `, and ${withoutVerdict} without a judgement`}`,
  `valid, accepted          ${shareText(valid.accepted)}`,
  `  with every value       ${shareText(valid.values)}`,
  `invalid, refused         ${shareText(invalid.refused)}`,
  `  failing check named    ${shareText(invalid.faultNamed)}`,
  ...mistakes.map(({ id, what }) => `${id}: ${what}`),
];

/**
 * Runs `idem measure mrz`. Returns 0 when every text has its expected result, else 1. Throws UsageError for
 * wrong usage, CommandError for a list that cannot be read.
 */
export const measureMrz = async (
  argv: readonly string[],
  { measure, out }: MeasureMrzDeps,
): Promise<number> => {
  const { values } = parseOptions(argv, { vectors: { type: "string" }, json: { type: "string" } });
  if (values.vectors === undefined) {
    throw new UsageError("Name the list of texts: --vectors FILE");
  }
  await checkFiguresFile("--json", values.json);
  const { vectors, withoutVerdict } = await readMrzVectors(values.vectors);
  const report = measure(vectors);
  for (const line of describe(report, withoutVerdict)) out(line);
  await writeFigures(values.json, { ...report, withoutVerdict });
  return report.mistakes.length === 0 ? 0 : 1;
};
