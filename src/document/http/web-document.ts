import { passportCountryCode, singleSidedTypes } from "#contract/document-type";
import type { Json } from "#storage/store";
import type { ExtractedDocument } from "../extract-document.ts";
import type { DocumentFields } from "../fields.ts";
import { typesOf } from "../findings/type.ts";
import type { SideReading } from "../reading.ts";
import { sureValue } from "../verification-record.ts";
import { type GroupedField, groupedFields, groupedNames } from "./field-names.ts";
import { sidesMatching } from "./sides-matching.ts";

type Group = { readonly [key: string]: Json };

/**
 * `serviceDocument` of the web service. FIELD_DATA holds printed fields and so is empty in this release; the zone
 * stands where it was found and always under BACKSIDE, where alone the interface names it: a reader that knows only
 * that place finds a passport's zone too. DOC_MODEL names a country's model.
 */
export const webDocument = (
  { reading, fields }: ExtractedDocument,
  request: { readonly countryCode?: string; readonly decompose: boolean },
): Group => {
  const { front, back } = reading;
  const types = typesOf({ fields });
  const isSingleSided =
    request.countryCode === passportCountryCode || types.some((type) => singleSidedTypes.includes(type));
  return {
    CHECKS: checksOf(fields),
    SUBTYPE: types[0] ?? null,
    FRONTSIDE: sideOf(fields, "front"),
    BACKSIDE: { ...sideOf(fields, "back"), MRZ_DATA: zoneOf(fields) },
    SCORING: scoringOf(fields, front, back),
    DOC_MODEL: null,
    COUNTRY_CODE:
      request.countryCode === passportCountryCode ? passportCountryCode : sureValue(fields, "issuer"),
    ASK4BACK: !isSingleSided && back === undefined,
    ...(request.decompose ? { DECOMPOSED: decomposed(front) } : {}),
  };
};

/** One flag for each field that both sides told; an absent flag means 'not comparable'. */
const checksOf = (fields: DocumentFields): Group => {
  const { compared, matching } = sidesMatching(fields);
  return Object.fromEntries(
    compared.map((name) => [`${groupedNames[name]}_SIDE_MATCH`, matching.includes(name)]),
  );
};

const sideOf = (fields: DocumentFields, side: "front" | "back"): Group => ({
  FIELD_DATA: {},
  ...(fields.mrz?.side === side ? { MRZ_DATA: zoneOf(fields) } : {}),
  ...(fields.licence?.side === side ? { BARCODE_DATA: { ...fields.licence.fields.elements } } : {}),
});

const zoneOf = (fields: DocumentFields): Json => {
  if (fields.mrz === undefined) {
    return null;
  }
  const { sighting, fields: zone } = fields.mrz;
  return {
    FORMAT: zone.format,
    LINES: sighting.clear ? zone.lines : null,
    ACCEPTED: sighting.accepted,
    CHECK_DIGITS: Object.fromEntries(zone.checks.map(({ name, holds }) => [name, holds])),
    OPTIONAL_DATA_1: sighting.clear && zone.optional1 !== "" ? zone.optional1 : null,
    OPTIONAL_DATA_2: sighting.clear && zone.optional2 !== "" ? zone.optional2 : null,
    ...fieldsOf(fields),
  };
};

const fieldsOf = (fields: DocumentFields): Group =>
  Object.fromEntries(groupedFields.map((name) => [groupedNames[name], sureValue(fields, name)]));

const scoringOf = (fields: DocumentFields, front: SideReading, back: SideReading | undefined): Group => {
  const returned = groupedFields.filter((name) => sureValue(fields, name) !== null);
  return {
    FIELDS_TOTAL: groupedFields.length,
    FIELDS_RETURNED: returned.length,
    OVERALL_RATING: meanConfidence(fields, returned),
    FRONT_CONFIDENCE: sideConfidence(fields, "front"),
    BACK_CONFIDENCE: sideConfidence(fields, "back"),
    FRONT_SHA256: front.sha256,
    BACK_SHA256: back?.sha256 ?? null,
  };
};

const meanConfidence = (fields: DocumentFields, names: readonly GroupedField[]): number | null =>
  names.length === 0
    ? null
    : names.reduce((sum, name) => sum + (fields.values[name]?.confidence ?? 0), 0) / names.length;

/** Mean confidence of the fields whose source stands on that side; null where the side told nothing. */
const sideConfidence = (fields: DocumentFields, side: "front" | "back"): number | null => {
  const hasZone = fields.mrz?.side === side;
  const hasBarcode = fields.licence?.side === side;
  const told = groupedFields.filter((name) => {
    const sources = fields.values[name]?.sources ?? [];
    return (hasZone && sources.includes("mrz")) || (hasBarcode && sources.includes("barcode"));
  });
  return meanConfidence(fields, told);
};

const decomposed = ({ portrait }: SideReading): Group => ({
  FACE: portrait === undefined ? null : Buffer.from(portrait.jpeg).toString("base64"),
});
