import { measurementsOf } from "#judging/document/decision/decide";
import type { VerificationRecord } from "#judging/document/decision/verification-record";
import { type Command } from "../command.ts";
import { type Check, imageIn, type Question } from "./check.ts";
import { describeSides, describeValues, valuesOf } from "./documents.ts";
import { exitCodes, listOptions, localCommand } from "./local-command.ts";

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

export const read: Command = localCommand(
  readCheck,
  `Usage: idem read DOCUMENT [--back IMAGE] [--json] [--html FILE]
       idem read --list CSV --out CSV [--root DIR] [--html FILE]

Reads the fields of a document as documentValidation does, without a service: same engines, nothing stored. A value that was
not read with confidence is left out.

  --back IMAGE   the other side of a card
  --json         print every figure as JSON
  --html FILE    write a report with the images
${listOptions("document and, optionally, back")}
${exitCodes({ positive: "read: a number or a surname", unjudged: "unread: neither of them" })}`,
);
