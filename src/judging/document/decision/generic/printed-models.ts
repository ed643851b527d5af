import { type FieldName, fieldNames } from "../../values/field-name.ts";
import type { DocumentModel, ModelField } from "../models/document-model.ts";
import { kindHeadings } from "./headings.ts";
import { labelWords } from "./label-words.ts";

/** How the value of each field is read. A number has at least three digits, so a word is no number. */
const formats: {
  readonly [name in keyof typeof labelWords]: Pick<ModelField, "format" | "shape" | "lines">;
} = {
  lastName: { format: "name", lines: 2 },
  firstName: { format: "name", lines: 2 },
  documentNumber: { format: "code", shape: "^(?=(?:.*\\d){3})[A-Z0-9]{5,18}$" },
  personalNumber: { format: "code", shape: "^(?=(?:.*\\d){3})[A-Z0-9]{5,20}$" },
  taxNumber: { format: "bra.cpf" },
  dateOfBirth: { format: "date" },
  dateOfIssue: { format: "date" },
  dateOfExpiry: { format: "date" },
  sex: { format: "sex" },
  nationality: { format: "nationality" },
  placeOfBirth: { format: "text" },
  address: { format: "text", lines: 2 },
  authority: { format: "text" },
};

const isLabelled = (name: FieldName): name is keyof typeof labelWords => Object.hasOwn(labelWords, name);

/** Every field on both sides: a generic card says nowhere which side has it, or that it must be there. */
const fields: readonly ModelField[] = (["front", "back"] as const).flatMap((side) =>
  fieldNames.filter(isLabelled).map((name) => ({
    name,
    side,
    labels: [...labelWords[name]],
    ...formats[name],
    printed: "sometimes" as const,
    sure: "?" as const,
  })),
);

type PrintedKind = "ID_CARD" | "RESIDENCE_PERMIT" | "DRIVING_LICENSE";

const ids = { ID_CARD: "PRINT-ID", RESIDENCE_PERMIT: "PRINT-RP", DRIVING_LICENSE: "PRINT-DL" } as const;

/**
 * The model of a card that no model of a country describes: it is read by the label words of six languages.
 * Nothing that it reads is confirmed. `monthFirst`: the card is of a country whose dates begin with the
 * month.
 */
export const printedModel = (type: PrintedKind, monthFirst: boolean): DocumentModel => ({
  id: ids[type],
  title: "Card read by its label words",
  country: "*",
  type,
  size: "ID-1",
  sides: { front: "required", back: "required", sure: "?" },
  validity: { noExpiry: true, sure: "?" },
  dates: { monthFirst, shortYears: true, sure: "?" },
  barcodes: [],
  fields: [...fields],
  checks: [],
  identify: { words: [[...kindHeadings[type]]], wordsMin: 1 },
});
