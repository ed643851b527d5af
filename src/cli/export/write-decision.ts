/** Decisions as lines of a file. */
import { writeCsvLine } from "#contract/tabular/write-csv";
import type { Decision } from "#record/transactions/decisions/decision";

export const formats = ["csv", "jsonl"] as const;
export type Format = (typeof formats)[number];

/** The fields of a line, in their order. */
const columns = [
  "at",
  "environment",
  "kind",
  "transactionId",
  "subject",
  "attempt",
  "decision",
  "code",
  "reasons",
  "facial",
  "liveness",
  "fields",
  "policyVersion",
] as const satisfies readonly (keyof Decision)[];

/** The first line of a file: the names of a CSV; nothing for JSON Lines. */
export const headOf = (format: Format): string => (format === "csv" ? writeCsvLine(columns) : "");

/**
 * A decision as one line. In CSV a list is separated by spaces; a value that is absent is empty, in JSON it
 * is null.
 */
export const writeDecision = (format: Format, decision: Decision): string => {
  const { at, reasons, fields } = decision;
  if (format === "csv") {
    const cells = {
      ...decision,
      at: at.toISOString(),
      reasons: reasons.join(" "),
      fields: Object.entries(fields ?? {})
        .map(([field, result]) => `${field}:${result}`)
        .join(" "),
    };
    return writeCsvLine(columns.map((column) => String(cells[column] ?? "")));
  }
  const value = { ...decision, at: at.toISOString() };
  return `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, value[column] ?? null])))}\n`;
};
