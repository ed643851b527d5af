import type { Comparison, Difference } from "./compare-answers.ts";

/** What came of one request that both services got. */
export type Outcome =
  | { readonly kind: "compared"; readonly comparison: Comparison; readonly isStored?: boolean }
  | { readonly kind: "failed"; readonly service: "theirs" | "ours"; readonly reason: string };

type PairReport = { readonly theirs: string; readonly ours: string; readonly count: number };

/** How often a field differed, and how. `lines` are the first requests where it did. */
export type FieldReport = {
  readonly field: string;
  readonly count: number;
  readonly pairs: readonly PairReport[];
  readonly greatestGap?: number;
  readonly lines: readonly number[];
};

export type FailureReport = {
  readonly service: "theirs" | "ours";
  readonly reason: string;
  readonly count: number;
  readonly lines: readonly number[];
};

export type Counts = {
  readonly equal: number;
  /** Among all that were compared: refused by both services with one status. */
  readonly refused: number;
  readonly different: number;
  readonly failed: number;
  /**
   * Among all that were compared: a service took the request for a retry, so its answer is an earlier one.
   */
  readonly stored: number;
};

export type OperationReport = Counts & {
  readonly operation: string;
  readonly fields: readonly FieldReport[];
  readonly failures: readonly FailureReport[];
  /** Fields that our answers have in addition: no differences. */
  readonly added: readonly string[];
};

export type Report = Counts & { readonly operations: readonly OperationReport[] };

export type Tally = {
  readonly add: (operation: string, line: number, outcome: Outcome) => void;
  readonly report: () => Report;
};

/** Kept of one field; more are counted and not listed. */
const [linesMax, pairsMax, fieldsMax, addedMax] = [5, 8, 500, 100];

const otherField = "(other fields)";
const otherPair = "(other pairs)";

type FieldCount = { count: number; gap?: number; pairs: Map<string, PairReport>; lines: number[] };
type OperationCount = {
  equal: number;
  refused: number;
  different: number;
  failed: number;
  stored: number;
  fields: Map<string, FieldCount>;
  failures: Map<string, FailureReport>;
  added: Set<string>;
};

/** Counts outcomes by operation. It keeps no answer: fields, kinds of values, and lines. */
export const makeTally = (): Tally => {
  const operations = new Map<string, OperationCount>();
  return {
    add: (name, line, outcome) => {
      const operation = operations.get(name) ?? newCount();
      operations.set(name, operation);
      if (outcome.kind === "failed") addFailure(operation, line, outcome);
      else {
        if (outcome.isStored === true) operation.stored++;
        addComparison(operation, line, outcome.comparison);
      }
    },
    report: () => reportOf(operations),
  };
};

const newCount = (): OperationCount => ({
  equal: 0,
  refused: 0,
  different: 0,
  failed: 0,
  stored: 0,
  fields: new Map(),
  failures: new Map(),
  added: new Set(),
});

const withLine = (lines: readonly number[], line: number): readonly number[] =>
  lines.length < linesMax && lines.at(-1) !== line ? [...lines, line] : lines;

const addFailure = (
  operation: OperationCount,
  line: number,
  { service, reason }: Extract<Outcome, { kind: "failed" }>,
): void => {
  operation.failed++;
  const key = `${service} ${reason}`;
  const { count, lines } = operation.failures.get(key) ?? { count: 0, lines: [] };
  operation.failures.set(key, { service, reason, count: count + 1, lines: withLine(lines, line) });
};

const addComparison = (
  operation: OperationCount,
  line: number,
  { differences, added, isRefusal }: Comparison,
): void => {
  if (isRefusal) operation.refused++;
  if (differences.length === 0) operation.equal++;
  else operation.different++;
  // A field of a list may differ in several items: it counts once for each request.
  const seen = new Set<string>();
  for (const difference of differences) {
    addDifference(operation, line, difference, seen.has(difference.field));
    seen.add(difference.field);
  }
  for (const field of added) {
    if (operation.added.size < addedMax) operation.added.add(field);
  }
};

const addDifference = (
  { fields }: OperationCount,
  line: number,
  { field, theirs, ours, gap }: Difference,
  isRepeated: boolean,
): void => {
  const name = fields.has(field) || fields.size < fieldsMax ? field : otherField;
  const count: FieldCount = fields.get(name) ?? { count: 0, pairs: new Map(), lines: [] };
  fields.set(name, count);
  if (!isRepeated) count.count++;
  if (gap !== undefined) count.gap = Math.max(gap, count.gap ?? 0);
  count.lines = [...withLine(count.lines, line)];
  const key = JSON.stringify([theirs, ours]);
  const isKept = count.pairs.has(key) || count.pairs.size < pairsMax;
  const pair = isKept ? { theirs, ours } : { theirs: otherPair, ours: otherPair };
  const at = isKept ? key : otherPair;
  count.pairs.set(at, { ...pair, count: (count.pairs.get(at)?.count ?? 0) + 1 });
};

const byCount = <Item extends { readonly count: number }>(items: Iterable<Item>): readonly Item[] =>
  [...items].toSorted((one, other) => other.count - one.count);

const reportOf = (operations: ReadonlyMap<string, OperationCount>): Report => {
  const reports = [...operations].map(
    ([operation, { equal, refused, different, failed, stored, ...rest }]) => ({
      operation,
      equal,
      refused,
      different,
      failed,
      stored,
      fields: byCount(
        [...rest.fields].map(([field, { count, gap, pairs, lines }]) => ({
          field,
          count,
          pairs: byCount(pairs.values()),
          ...(gap !== undefined && { greatestGap: Number(gap.toFixed(4)) }),
          lines,
        })),
      ),
      failures: byCount(rest.failures.values()),
      added: [...rest.added].toSorted(),
    }),
  );
  const sum = (name: keyof Counts): number => reports.reduce((total, report) => total + report[name], 0);
  return {
    equal: sum("equal"),
    refused: sum("refused"),
    different: sum("different"),
    failed: sum("failed"),
    stored: sum("stored"),
    operations: reports,
  };
};
