import { passportCountryCode, singleSidedTypes } from "#contract/document-type";
import type { Json } from "#contract/json";
import type { ExtractedDocument } from "../decision/extracted-document.ts";
import type { DocumentFields } from "../decision/fields.ts";
import { typesOf } from "../decision/findings/type.ts";
import { sideChecks } from "../decision/sides/side-checks.ts";
import { reportedConfidenceMin, reportedValue } from "../decision/verification-record.ts";
import { blanksForFillers, withoutFillers } from "../reading/mrz/filler.ts";
import type { SideReading } from "../reading/reading.ts";
import type { FieldName } from "../values/field-name.ts";
import { expectedFields, groupedName, inCapitals, labelKey } from "./field-names.ts";

type Group = { readonly [key: string]: Json };

/**
 * `serviceDocument` of the web service. FIELD_DATA has the printed text of a side by its labels. MRZ_DATA is
 * on the side where the MRZ was found, and always under BACKSIDE, the only place that the interface names.
 * FIELDS is ours: each value merged from its sources, with its readings and its confirmations. DOC_MODEL
 * names a country's model and is null where none is certain.
 */
export const webDocument = (
  { reading, fields, signature }: ExtractedDocument,
  request: {
    readonly countryCode?: string;
    readonly decompose: boolean;
    /** The portrait as a sealed face-image token. */
    readonly faceToken?: string;
  },
): Group => {
  const { front, back } = reading;
  const isPassport = request.countryCode === passportCountryCode;
  return {
    CHECKS: checksOf(fields),
    SUBTYPE: fields.model?.id ?? typesOf({ fields })[0] ?? null,
    FRONTSIDE: sideOf(fields, "front"),
    BACKSIDE: { ...sideOf(fields, "back"), MRZ_DATA: mrzOf(fields) },
    FIELDS: mergedOf(fields),
    SCORING: scoringOf(fields, front, back),
    DOC_MODEL: fields.model?.id ?? null,
    COUNTRY_CODE: isPassport ? passportCountryCode : reportedValue(fields, "issuer"),
    ASK4BACK: !isPassport && hasBack(fields) && back === undefined,
    ...(request.decompose
      ? { DECOMPOSED: { ...decomposed(front, signature), FACE_TOKEN: request.faceToken ?? null } }
      : {}),
  };
};

/**
 * Whether the document has a back: by its model, or without one by its type. A card is assumed to have two
 * sides.
 */
const hasBack = (fields: DocumentFields): boolean =>
  fields.readBy === undefined
    ? !typesOf({ fields }).some((type) => singleSidedTypes.includes(type))
    : fields.readBy.sides.back === "required";

/** One flag for each field that both sides have; an absent flag means 'not comparable'. */
const checksOf = (fields: DocumentFields): Group =>
  Object.fromEntries(
    [...sideChecks(fields)].map(([name, matches]) => [`${groupedName(name)}_SIDE_MATCH`, matches]),
  );

const sideOf = (fields: DocumentFields, side: "front" | "back"): Group => ({
  FIELD_DATA: printedOf(fields, side),
  ...(fields.mrz?.side === side ? { MRZ_DATA: mrzOf(fields) } : {}),
  ...barcodeOf(fields, side),
});

/**
 * The printed text, by the label's first spelling, or without a label by the field's name. All text under one
 * label is one entry, also where it has several fields.
 */
const printedOf = ({ printed }: DocumentFields, side: "front" | "back"): Group => {
  const texts = new Map<string, string>();
  for (const field of printed[side]?.fields ?? []) {
    for (const { label, raw, confidence } of field.parts ?? [field]) {
      if (confidence < reportedConfidenceMin) continue;
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

const mrzOf = (fields: DocumentFields): Json => {
  if (fields.mrz === undefined) {
    return null;
  }
  const { summary, fields: mrz } = fields.mrz;
  const shown = (text: string | undefined): string | null =>
    summary.clear && text !== undefined && text !== "" ? text : null;
  return {
    FORMAT: mrz.format,
    LINES: summary.clear ? mrz.lines : null,
    ACCEPTED: summary.accepted,
    // Check digits of an unclear MRZ are as uncertain as its text: they neither hold nor fail.
    CHECK_DIGITS: Object.fromEntries(
      mrz.checks.map(({ name, holds }) => [name, summary.clear ? holds : null]),
    ),
    OPTIONAL_DATA_1: shown(blanksForFillers(mrz.optional1)),
    OPTIONAL_DATA_2: shown(blanksForFillers(mrz.optional2)),
    DOCUMENT_CODE: shown(mrz.documentCode),
    DOCUMENT_NUMBER: shown(withoutFillers(mrz.documentNumber)),
    LAST_NAME: shown(mrz.names.primary),
    FIRST_NAME: shown(mrz.names.secondary),
    DATE_OF_BIRTH: shown(mrz.birth.date),
    YEAR_OF_BIRTH: shown(mrz.birth.year?.toString()),
    GENDER: shown(mrz.sex),
    NATIONALITY: shown(mrz.nationality),
    ISSUER: shown(mrz.issuer),
    DATE_OF_EXPIRY: shown(mrz.expiry?.date),
  };
};

const mergedOf = (fields: DocumentFields): Group =>
  Object.fromEntries(
    returnedFields(fields).map((name) => {
      const { value, sources, confidence, confirmedBy, readings } = fields.values[name]!;
      return [
        groupedName(name),
        {
          VALUE: value,
          SOURCES: sources,
          CONFIDENCE: confidence,
          CONFIRMED_BY: confirmedBy,
          SEEN: readings
            .filter((reading) => reading.confidence >= reportedConfidenceMin)
            .map((reading) => ({
              SOURCE: reading.source,
              SIDE: reading.side,
              RAW: reading.raw,
              CONFIDENCE: reading.confidence,
              BOX: reading.box === undefined ? null : { ...reading.box },
            })),
        },
      ];
    }),
  );

const returnedFields = (fields: DocumentFields): readonly FieldName[] =>
  expectedFields(fields).filter((name) => reportedValue(fields, name) !== null);

const scoringOf = (fields: DocumentFields, front: SideReading, back: SideReading | undefined): Group => {
  const returned = returnedFields(fields);
  return {
    FIELDS_TOTAL: expectedFields(fields).length,
    FIELDS_RETURNED: returned.length,
    ...measured("OVERALL_RATING", mean(returned.map((name) => fields.values[name]?.confidence ?? 0))),
    ...measured("FRONT_CONFIDENCE", sideConfidence(fields, "front")),
    ...measured("BACK_CONFIDENCE", sideConfidence(fields, "back")),
    FRONT_SHA256: front.sha256,
    BACK_SHA256: back?.sha256 ?? null,
  };
};

/** A number that was not measured is absent: clients read it into a type without null. */
const measured = (name: string, value: number | undefined): Group =>
  value === undefined ? {} : { [name]: value };

const mean = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean confidence of the returned fields that this side has; undefined where it has none. */
const sideConfidence = (fields: DocumentFields, side: "front" | "back"): number | undefined =>
  mean(
    returnedFields(fields)
      .map((name) => fields.values[name])
      .filter((field) => field?.readings.some((reading) => reading.side === side) === true)
      .map((field) => field?.confidence ?? 0),
  );

const decomposed = ({ portrait }: SideReading, signature: Uint8Array | undefined): Group => ({
  FACE: base64Of(portrait?.jpeg),
  SIGNATURE: base64Of(signature),
});

const base64Of = (jpeg: Uint8Array | undefined): string | null =>
  jpeg === undefined ? null : Buffer.from(jpeg).toString("base64");
