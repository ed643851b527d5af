import { withoutFillers } from "../../reading/mrz/filler.ts";
import { findNationalNumber } from "../../reading/mrz/find-national-number.ts";
import { type CheckName, layouts, textAt } from "../../reading/mrz/formats.ts";
import type { MrzFields } from "../../reading/mrz/parse.ts";
import { compareNameFields } from "../../values/comparison/compare-names.ts";
import type { FieldName } from "../../values/field-name.ts";
import { isNumberName, type NumberName } from "../../values/numbers/number-rules.ts";
import type { DocumentModel } from "../models/document-model.ts";
import type { FieldReading } from "./field-reading.ts";
import { holdersNumberIn } from "./optional-data.ts";

/**
 * An MRZ with its side and the confidence of its characters. `isBinding`: every character is clear and every
 * check digit holds, so no other source overrules it.
 */
export type SideMrz = {
  readonly side: "front" | "back";
  readonly fields: MrzFields;
  readonly confidence: number;
  readonly isBinding: boolean;
};

/**
 * The field values of an MRZ. The model states the meaning of its number and its optional data; without a
 * model the standard alone applies. `printed`: the national number as the card prints it, where one was read.
 */
export const mrzReadings = (
  { side, fields: mrz, confidence, isBinding }: SideMrz,
  model: DocumentModel | undefined,
  printed: string | undefined,
  day: string,
): readonly FieldReading[] => {
  const holds = (name: CheckName): boolean => mrz.checks.some((check) => check.name === name && check.holds);
  const reading = (
    name: FieldName,
    value: string | undefined,
    raw = value,
    check?: CheckName,
  ): FieldReading[] =>
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
            ...(isBinding && { isBinding }),
            ...(check !== undefined && holds(check) ? { confirmedBy: "check-digit" as const } : {}),
          },
        ];
  const number = numberOf(mrz, model, printed, day);
  return [
    ...reading(number.name, number.value, undefined, number.check),
    ...reading("personalNumber", holdersNumberIn(mrz, model, day), undefined, "composite"),
    ...[...reading("lastName", mrz.names.primary), ...reading("firstName", mrz.names.secondary)].map(
      (name) => ({
        ...name,
        ...(mrz.names.mayBeTruncated && { mayBeTruncated: true }),
        ...(isFull(mrz) && { hasNoSpace: true }),
        ...(name.name === "lastName" && mayOmitSurname(mrz.names, model) && { mayOmitParts: true }),
      }),
    ),
    ...reading("dateOfBirth", mrz.birth.date, mrz.birth.text, "birth"),
    ...reading("yearOfBirth", mrz.birth.year === undefined ? undefined : String(mrz.birth.year)),
    ...reading("sex", mrz.sex),
    ...reading("nationality", mrz.nationality),
    ...reading("issuer", mrz.issuer),
    ...reading("dateOfExpiry", mrz.expiry?.date, mrz.expiry?.text, "expiry"),
  ];
};

/** The field of the names has no space for another part: it ends in one filler at most (9303-3, 4.6). */
const isFull = ({ format, lines }: MrzFields): boolean => {
  const names = layouts[format].fields.find(({ name }) => name === "names");
  return names !== undefined && !textAt(lines, names.at).endsWith("<<");
};

/**
 * The MRZ has one surname, and the model of its country only notes a difference of the surnames: print may
 * have the second one too.
 */
const mayOmitSurname = ({ primary }: MrzFields["names"], model: DocumentModel | undefined): boolean =>
  isOneSurname(primary) &&
  model !== undefined &&
  model.country !== "*" &&
  model.checks.some(
    ({ rule, of, strength }) => rule === "same" && strength === "warning" && of.includes("mrz.lastName"),
  );

/** Whether only particles stand before the last word, as in DE LA CRUZ. */
const isOneSurname = (surnames: string): boolean => {
  const { reason } = compareNameFields(surnames, surnames.slice(surnames.lastIndexOf(" ") + 1));
  return reason === "equal" || reason === "particles";
};

/** The MRZ states no expiry, and the model does not exclude such cards. */
export const isUnlimited = ({ neverExpires }: MrzFields, model: DocumentModel | undefined): boolean =>
  neverExpires && model?.validity?.noExpiry !== false;

/** `check`: the check digit that covers it. */
type MrzNumber = { readonly name: FieldName; readonly value: string; readonly check: CheckName };

const numberOf = (
  mrz: MrzFields,
  model: DocumentModel | undefined,
  printed: string | undefined,
  day: string,
): MrzNumber => {
  const meaning = model?.mrz?.number ?? "documentNumber";
  if (meaning !== "search") {
    return { name: meaning, value: withoutFillers(mrz.documentNumber), check: "documentNumber" };
  }
  const rule = ruleOf(model);
  const found = rule === undefined ? undefined : findNationalNumber(mrz, rule, printed, day);
  if (found === undefined) {
    return { name: "serialNumber", value: withoutFillers(mrz.documentNumber), check: "documentNumber" };
  }
  // A number in the optional data is covered by the composite check digit only.
  const check = found === mrz.documentNumber ? "documentNumber" : "composite";
  return { name: "documentNumber", value: found, check };
};

const ruleOf = (model: DocumentModel | undefined): NumberName | undefined => {
  const format = model?.fields.find(({ name }) => name === "documentNumber")?.format;
  return format !== undefined && isNumberName(format) ? format : undefined;
};
