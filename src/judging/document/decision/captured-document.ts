/** id_captured: what a call states when it takes a document. */
import type { OcrData } from "#contract/event-document";
import type { StatedEvent } from "#record/transactions/operation-step";
import { type FieldName, fieldNames } from "../values/field-name.ts";
import type { DocumentFields } from "./fields.ts";
import type { DeclaredType } from "./finding.ts";
import { typesOf } from "./findings/type.ts";
import { reportedValue } from "./verification-record.ts";

/** id_captured with the reading of a document. */
export const capturedEvent = (ocr: OcrData): StatedEvent => ({ name: "id_captured", data: { ocr } });

/** The reading of a document that was read: its reported values alone. */
export const ocrOf = (fields: DocumentFields): OcrData => ({
  version: 1,
  type: typesOf({ fields })[0] ?? null,
  country: reportedValue(fields, "issuer"),
  fields: Object.fromEntries(
    fieldNames.flatMap((name) => {
      const value = reportedValue(fields, name);
      return value === null ? [] : [[ocrName(name), value]];
    }),
  ),
});

/** The reading of a document that is read later: its declaration, without values. */
export const ocrOfDeclared = (declared: {
  readonly country: string;
  readonly type: DeclaredType;
}): OcrData => ({ version: 1, type: declared.type, country: declared.country, fields: {} });

const ocrName = (name: FieldName): keyof OcrData["fields"] => (name === "sex" ? "gender" : name);
