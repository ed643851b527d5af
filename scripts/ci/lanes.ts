/** What one run of a lane reported, and the processor time of it and of all processes that it started. */
export type LaneRun = {
  readonly lane: string;
  readonly processorSeconds: number;
  /** Reports of vitest as JSON: of the run, and of the files that ran again. */
  readonly reports: readonly VitestReport[];
};

export type VitestReport = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly assertionResults: readonly unknown[] }[];
};

/**
 * The seconds of `time` with TIMEFORMAT='%U %S', user and system: its last line. Throws where there are none.
 */
export const readSeconds = (text: string): number => {
  const words = /^([\d.]+) ([\d.]+)$/.exec(text.trim().split("\n").at(-1) ?? "");
  if (words === null) throw new Error(`No seconds of user and system time: ${text}`);
  return Number(words[1]) + Number(words[2]);
};

const padded = (columns: readonly [string, ...(string | number)[]]): string => {
  const [name, ...rest] = columns;
  return name.padEnd(10) + rest.map((text) => String(text).padStart(9)).join("");
};

/** A line for each lane: files, tests, processor seconds and their budget. */
export const tableOf = (runs: readonly LaneRun[], budgets: Readonly<Record<string, number>>): string =>
  [
    padded(["lane", "files", "tests", "seconds", "budget"]),
    ...runs.map(({ lane, processorSeconds, reports }) => {
      const files = reports.flatMap(({ testResults }) => testResults);
      const tests = files.reduce((sum, { assertionResults }) => sum + assertionResults.length, 0);
      return padded([lane, files.length, tests, Math.round(processorSeconds), budgets[lane] ?? "none"]);
    }),
  ].join("\n");

/**
 * What is wrong with the time of the lanes: one over its budget, one without a budget, a budget without a
 * lane.
 */
export const budgetFaults = (
  runs: readonly LaneRun[],
  budgets: Readonly<Record<string, number>>,
): readonly string[] => [
  ...runs.flatMap(({ lane, processorSeconds }) => {
    const budget = budgets[lane];
    if (budget === undefined) return [`The lane ${lane} has no budget`];
    if (processorSeconds <= budget) return [];
    const seconds = Math.round(processorSeconds);
    return [`The lane ${lane} took ${seconds} s of processor time, and its budget is ${budget} s`];
  }),
  ...Object.keys(budgets)
    .filter((lane) => !runs.some((run) => run.lane === lane))
    .map((lane) => `The lane ${lane} has a budget and did not run`),
];

/** Tests over all runs. */
export const sumOf = (runs: readonly LaneRun[], key: "numPassedTests" | "numFailedTests"): number =>
  runs.flatMap(({ reports }) => reports).reduce((sum, report) => sum + report[key], 0);
