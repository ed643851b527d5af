import type { FieldName } from "../field-name.ts";
import type { DocumentModel } from "../models/document-model.ts";
import type { CheckName } from "../mrz/formats.ts";
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
  const holds = (name: CheckName): boolean => zone.checks.some((check) => check.name === name && check.holds);
  const sighting = (
    name: FieldName,
    value: string | undefined,
    raw = value,
    check?: CheckName,
  ): Sighting[] =>
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
  const number = numberOf(zone, model, printed, day);
  return [
    ...sighting(number.name, number.value, undefined, number.check),
    ...sighting("personalNumber", holdersNumberIn(zone, model, day), undefined, "composite"),
    ...[...sighting("lastName", zone.names.primary), ...sighting("firstName", zone.names.secondary)].map(
      (name) => ({ ...name, ...(zone.names.mayBeTruncated && { mayBeTruncated: true }) }),
    ),
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

/** `check`: whose digit stands behind it. */
type Numbered = { readonly name: FieldName; readonly value: string; readonly check: CheckName };

const numberOf = (
  zone: MrzFields,
  model: DocumentModel | undefined,
  printed: string | undefined,
  day: string,
): Numbered => {
  const meaning = model?.mrz?.number ?? "documentNumber";
  if (meaning !== "search") {
    return { name: meaning, value: zone.documentNumber, check: "documentNumber" };
  }
  const rule = ruleOf(model);
  const found = rule === undefined ? undefined : findNationalNumber(zone, rule, printed, day);
  if (found === undefined) {
    return { name: "serialNumber", value: zone.documentNumber, check: "documentNumber" };
  }
  // What was found in the optional data has no digit but the one over all.
  const check = found === zone.documentNumber ? "documentNumber" : "composite";
  return { name: "documentNumber", value: found, check };
};

const ruleOf = (model: DocumentModel | undefined): NumberName | undefined => {
  const format = model?.fields.find(({ name }) => name === "documentNumber")?.format;
  return format !== undefined && isNumberName(format) ? format : undefined;
};
