import type { FieldName } from "../field-name.ts";
import type { DocumentModel } from "../models/document-model.ts";
import type { MrzFields } from "../mrz/parse.ts";
import { findNationalNumber } from "../numbers/find-number.ts";
import { isNumberName, type NumberName } from "../numbers/number-rules.ts";
import { holdersNumberIn } from "./optional-data.ts";
import type { Sighting } from "./sighting.ts";

/** A zone with where it stands and how sure its characters are. */
export type SightedZone = {
  readonly side: "front" | "back";
  readonly fields: MrzFields;
  readonly confidence: number;
};

/**
 * What a zone tells, by the model that it belongs to: what its number is there, and what its optional data hold. Without a
 * model by the standard alone. `printed`: the national number as the card prints it, where one was read.
 */
export const zoneSightings = (
  { side, fields: zone, confidence }: SightedZone,
  model: DocumentModel | undefined,
  printed: string | undefined,
  day: string,
): readonly Sighting[] => {
  const holds = (name: string): boolean => zone.checks.some((check) => check.name === name && check.holds);
  const sighting = (name: FieldName, value: string | undefined, raw = value, check?: string): Sighting[] =>
    value === undefined || value === ""
      ? []
      : [
          {
            name,
            source: "mrz",
            side,
            value,
            raw: raw ?? value,
            confidence,
            ...(check !== undefined && holds(check) ? { confirmedBy: "check-digit" as const } : {}),
          },
        ];
  return [
    ...numbersOf(zone, model, printed, day).flatMap(({ name, value }) =>
      sighting(name, value, value, "documentNumber"),
    ),
    ...sighting("personalNumber", holdersNumberIn(zone, model, day), undefined, "composite"),
    ...sighting("lastName", zone.names.primary),
    ...sighting("firstName", zone.names.secondary),
    ...sighting("dateOfBirth", zone.birth.date, zone.birth.text, "birth"),
    ...sighting("yearOfBirth", zone.birth.year === undefined ? undefined : String(zone.birth.year)),
    ...sighting("sex", zone.sex),
    ...sighting("nationality", zone.nationality),
    ...sighting("issuer", zone.issuer),
    ...sighting("dateOfExpiry", zone.expiry?.date, zone.expiry?.text, "expiry"),
  ];
};

/** The zone says so, and the model knows such cards. */
export const isUnlimited = ({ neverExpires }: MrzFields, model: DocumentModel | undefined): boolean =>
  neverExpires && model?.validity?.noExpiry !== false;

type Numbered = { readonly name: FieldName; readonly value: string };

const numbersOf = (
  zone: MrzFields,
  model: DocumentModel | undefined,
  printed: string | undefined,
  day: string,
): readonly Numbered[] => {
  const meaning = model?.mrz?.number ?? "documentNumber";
  if (meaning !== "search") {
    return [{ name: meaning, value: zone.documentNumber }];
  }
  const rule = ruleOf(model);
  const found = rule === undefined ? undefined : findNationalNumber(zone, rule, printed, day);
  return found === undefined
    ? [{ name: "serialNumber", value: zone.documentNumber }]
    : [{ name: "documentNumber", value: found }];
};

const ruleOf = (model: DocumentModel | undefined): NumberName | undefined => {
  const format = model?.fields.find(({ name }) => name === "documentNumber")?.format;
  return format !== undefined && isNumberName(format) ? format : undefined;
};
