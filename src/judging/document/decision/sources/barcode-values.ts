import type { Payload, PayloadFieldName } from "../../reading/barcode/payload.ts";
import { birthOf } from "../../reading/mrz/mrz-date.ts";
import type { FieldName } from "../../values/field-name.ts";
import { readNationalityWord } from "../../values/nationality-word.ts";
import type { FieldReading } from "./field-reading.ts";

/** A barcode's parsed payload with the side that carries it. */
export type SidePayload = { readonly side: "front" | "back"; readonly payload: Payload };

/** A gated barcode: 0 of 19 wrong ones passed (docs/measurements/documents.md). */
const gatedConfidence = 0.95;

const names = {
  documentNumber: "documentNumber",
  personalNumber: "personalNumber",
  lastName: "lastName",
  firstName: "firstName",
  dateOfBirth: "dateOfBirth",
  dateOfExpiry: "dateOfExpiry",
  dateOfIssue: "dateOfIssue",
  sex: "sex",
  issuer: "issuer",
  procedureNumber: "documentCode",
  taxNumber: "taxNumber",
  copy: "copy",
  address: "address",
} as const satisfies Partial<Record<PayloadFieldName, FieldName>>;

const isNamed = (name: string): name is keyof typeof names => Object.hasOwn(names, name);

/**
 * The field values of a barcode, by its layout. `day` (YYYY-MM-DD) decides the century of a short birth date.
 */
export const barcodeReadings = ({ side, payload }: SidePayload, day: string): readonly FieldReading[] => {
  const { fields, unsure } = payload;
  const reading = (name: FieldName, of: PayloadFieldName, value: string | undefined): FieldReading[] =>
    value === undefined
      ? []
      : [
          {
            name,
            source: "barcode",
            side,
            value,
            raw: fields[of] ?? value,
            confidence: gatedConfidence,
            ...(unsure.includes(of) ? { isUnsettled: true } : {}),
          },
        ];
  const birth =
    fields.shortDateOfBirth === undefined ? undefined : birthOf(fields.shortDateOfBirth, day).date;
  const { nationality, dateOfBirth } = fields;
  return [
    ...Object.keys(fields).flatMap((of) => (isNamed(of) ? reading(names[of], of, fields[of]) : [])),
    ...reading(
      "nationality",
      "nationality",
      nationality === undefined ? undefined : readNationalityWord(nationality),
    ),
    ...(dateOfBirth === undefined ? reading("dateOfBirth", "shortDateOfBirth", birth) : []),
    ...reading("yearOfBirth", "dateOfBirth", (dateOfBirth ?? birth)?.slice(0, 4)),
  ];
};
