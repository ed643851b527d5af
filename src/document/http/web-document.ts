import { passportCountryCode, singleSidedTypes } from "#contract/document-type";
import type { Json } from "#storage/store";
import type { ExtractedDocument } from "../extract-document.ts";
import type { FieldName } from "../field-name.ts";
import type { DocumentFields } from "../fields.ts";
import { typesOf } from "../findings/type.ts";
import type { SideReading } from "../reading.ts";
import { sureFrom, sureValue } from "../verification-record.ts";
import { fieldsAskedFor, groupedName, inCapitals, labelKey } from "./field-names.ts";
import { sidesMatching } from "./sides-matching.ts";

type Group = { readonly [key: string]: Json };

/**
 * `serviceDocument` of the web service. FIELD_DATA holds what a side prints by its labels; the zone stands where it was found
 * and always under BACKSIDE, where alone the interface names it. FIELDS is ours: each value merged from its sources, with
 * where it was seen and what vouches for it. DOC_MODEL names a country's model and is null where none is certain.
 */
export const webDocument = (
  { reading, fields, signature }: ExtractedDocument,
  request: { readonly countryCode?: string; readonly decompose: boolean },
): Group => {
  const { front, back } = reading;
  const isPassport = request.countryCode === passportCountryCode;
  return {
    CHECKS: checksOf(fields),
    SUBTYPE: fields.model?.id ?? typesOf({ fields })[0] ?? null,
    FRONTSIDE: sideOf(fields, "front"),
    BACKSIDE: { ...sideOf(fields, "back"), MRZ_DATA: zoneOf(fields) },
    FIELDS: mergedOf(fields),
    SCORING: scoringOf(fields, front, back),
    DOC_MODEL: fields.model?.id ?? null,
    COUNTRY_CODE: isPassport ? passportCountryCode : sureValue(fields, "issuer"),
    ASK4BACK: !isPassport && hasBack(fields) && back === undefined,
    ...(request.decompose ? { DECOMPOSED: decomposed(front, signature) } : {}),
  };
};

/** By its model; without one by its kind: a card is taken to have two sides. */
const hasBack = (fields: DocumentFields): boolean =>
  fields.readBy === undefined
    ? !typesOf({ fields }).some((type) => singleSidedTypes.includes(type))
    : fields.readBy.sides.back === "required";

/** One flag for each field that both sides told; an absent flag means 'not comparable'. */
const checksOf = (fields: DocumentFields): Group => {
  const { compared, matching } = sidesMatching(fields);
  return Object.fromEntries(
    compared.map((name) => [`${groupedName(name)}_SIDE_MATCH`, matching.includes(name)]),
  );
};

const sideOf = (fields: DocumentFields, side: "front" | "back"): Group => ({
  FIELD_DATA: printedOf(fields, side),
  ...(fields.mrz?.side === side ? { MRZ_DATA: zoneOf(fields) } : {}),
  ...barcodeOf(fields, side),
});

/**
 * As printed, by the label's first spelling; a value without a label by the field's name. What stands under one label is one
 * text, whatever fields it holds.
 */
const printedOf = ({ printed }: DocumentFields, side: "front" | "back"): Group => {
  const texts = new Map<string, string>();
  for (const field of printed[side]?.fields ?? []) {
    for (const { label, raw, confidence } of field.parts ?? [field]) {
      if (confidence < sureFrom) continue;
      const key = label === undefined ? groupedName(field.name) : labelKey(label);
      const before = texts.get(key);
      texts.set(key, before === undefined ? raw : `${before} ${raw}`);
    }
  }
  return Object.fromEntries(texts);
};

const barcodeOf = ({ licence, payloads }: DocumentFields, side: "front" | "back"): Group => {
  if (licence?.side === side) {
    return { BARCODE_DATA: { ...licence.fields.elements } };
  }
  const found = payloads.find((payload) => payload.side === side)?.payload;
  return found === undefined
    ? {}
    : {
        BARCODE_DATA: Object.fromEntries(
          Object.entries(found.fields).map(([name, value]) => [inCapitals(name), value]),
        ),
      };
};

const zoneOf = (fields: DocumentFields): Json => {
  if (fields.mrz === undefined) {
    return null;
  }
  const { sighting, fields: zone } = fields.mrz;
  const shown = (text: string | undefined): string | null =>
    sighting.clear && text !== undefined && text !== "" ? text : null;
  return {
    FORMAT: zone.format,
    LINES: sighting.clear ? zone.lines : null,
    ACCEPTED: sighting.accepted,
    // Digits of an unclear zone are the reader's guesses as much as its text: they neither hold nor fail.
    CHECK_DIGITS: Object.fromEntries(
      zone.checks.map(({ name, holds }) => [name, sighting.clear ? holds : null]),
    ),
    OPTIONAL_DATA_1: shown(zone.optional1),
    OPTIONAL_DATA_2: shown(zone.optional2),
    DOCUMENT_CODE: shown(zone.documentCode),
    DOCUMENT_NUMBER: shown(zone.documentNumber),
    LAST_NAME: shown(zone.names.primary),
    FIRST_NAME: shown(zone.names.secondary),
    DATE_OF_BIRTH: shown(zone.birth.date),
    YEAR_OF_BIRTH: shown(zone.birth.year?.toString()),
    GENDER: shown(zone.sex),
    NATIONALITY: shown(zone.nationality),
    ISSUER: shown(zone.issuer),
    DATE_OF_EXPIRY: shown(zone.expiry?.date),
  };
};

const mergedOf = (fields: DocumentFields): Group =>
  Object.fromEntries(
    returnedFields(fields).map((name) => {
      const { value, sources, confidence, confirmedBy, sightings } = fields.values[name]!;
      return [
        groupedName(name),
        {
          VALUE: value,
          SOURCES: sources,
          CONFIDENCE: confidence,
          CONFIRMED_BY: confirmedBy,
          SEEN: sightings
            .filter((sighting) => sighting.confidence >= sureFrom)
            .map((sighting) => ({
              SOURCE: sighting.source,
              SIDE: sighting.side,
              RAW: sighting.raw,
              CONFIDENCE: sighting.confidence,
              BOX: sighting.box === undefined ? null : { ...sighting.box },
            })),
        },
      ];
    }),
  );

const returnedFields = (fields: DocumentFields): readonly FieldName[] =>
  fieldsAskedFor(fields).filter((name) => sureValue(fields, name) !== null);

const scoringOf = (fields: DocumentFields, front: SideReading, back: SideReading | undefined): Group => {
  const returned = returnedFields(fields);
  return {
    FIELDS_TOTAL: fieldsAskedFor(fields).length,
    FIELDS_RETURNED: returned.length,
    OVERALL_RATING: mean(returned.map((name) => fields.values[name]?.confidence ?? 0)),
    FRONT_CONFIDENCE: sideConfidence(fields, "front"),
    BACK_CONFIDENCE: sideConfidence(fields, "back"),
    FRONT_SHA256: front.sha256,
    BACK_SHA256: back?.sha256 ?? null,
  };
};

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean confidence of the returned fields that this side told; null where it told nothing. */
const sideConfidence = (fields: DocumentFields, side: "front" | "back"): number | null =>
  mean(
    returnedFields(fields)
      .map((name) => fields.values[name])
      .filter((field) => field?.sightings.some((sighting) => sighting.side === side) === true)
      .map((field) => field?.confidence ?? 0),
  );

const decomposed = ({ portrait }: SideReading, signature: Uint8Array | undefined): Group => ({
  FACE: base64Of(portrait?.jpeg),
  SIGNATURE: base64Of(signature),
});

const base64Of = (jpeg: Uint8Array | undefined): string | null =>
  jpeg === undefined ? null : Buffer.from(jpeg).toString("base64");
