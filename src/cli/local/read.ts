import { measurementsOf } from "#judging/document/decision/decide";
import type { VerificationRecord } from "#judging/document/decision/verification-record";
import { type Check, imageIn, type Question } from "./check.ts";
import { describeSides, describeValues, valuesOf } from "./documents.ts";
import { runCheck } from "./local-command.ts";

/** The images of a document in a question. */
export const documentIn = (question: Question) => {
  const { back } = question.images;
  return { front: imageIn(question, "document"), ...(back && { back }) };
};

/** Columns of the values of a document. */
export const valueColumns = [
  "type",
  "country",
  "number",
  "personalNumber",
  "lastName",
  "firstName",
  "dateOfBirth",
  "sex",
  "nationality",
  "dateOfIssue",
  "dateOfExpiry",
] as const;

export const valueCells = (record: VerificationRecord): Readonly<Record<string, string>> => {
  const values = valuesOf(record);
  return Object.fromEntries(valueColumns.map((column) => [column, values[column] ?? ""]));
};

export const readCheck: Check = {
  name: "read",
  images: ["document"],
  isPositional: true,
  optionalImages: ["back"],
  inputs: { front: "document", back: "back" },
  values: {},
  columns: valueColumns,
  ask: async (checks, question) => {
    const { reading, record } = await checks.read(documentIn(question));
    const values = valuesOf(record);
    const isRead = values["number"] !== null || values["lastName"] !== null;
    return {
      verdict: isRead ? "positive" : "unjudged",
      result: isRead ? "read" : "unread",
      sections: [describeValues(record), ...describeSides(reading, checks)],
      cells: valueCells(record),
      detail: { values, reading: measurementsOf(reading, []) },
    };
  },
};

export const runRead = runCheck(readCheck);
