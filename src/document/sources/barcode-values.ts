import type { Payload, PayloadFieldName } from "../barcode/payload.ts";
import type { FieldName } from "../field-name.ts";
import { birthOf } from "../mrz/mrz-date.ts";
import { readNationalityWord } from "../text/nationality-word.ts";
import type { Sighting } from "./sighting.ts";

export type SightedPayload = { readonly side: "front" | "back"; readonly payload: Payload };

/** A gated barcode: 0 of 19 wrong ones passed (docs/measurements.md). */
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

/** What a symbol tells, by its layout. `day` (YYYY-MM-DD) decides the century of a short birth date. */
export const barcodeSightings = ({ side, payload }: SightedPayload, day: string): readonly Sighting[] => {
  const { fields, unsure } = payload;
  const sighting = (name: FieldName, of: PayloadFieldName, value: string | undefined): Sighting[] =>
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
    ...Object.keys(fields).flatMap((of) => (isNamed(of) ? sighting(names[of], of, fields[of]) : [])),
    ...sighting(
      "nationality",
      "nationality",
      nationality === undefined ? undefined : readNationalityWord(nationality),
    ),
    ...(dateOfBirth === undefined ? sighting("dateOfBirth", "shortDateOfBirth", birth) : []),
    ...sighting("yearOfBirth", "dateOfBirth", (dateOfBirth ?? birth)?.slice(0, 4)),
  ];
};
