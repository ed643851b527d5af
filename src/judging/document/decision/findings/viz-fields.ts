import type { ReasonCode } from "#contract/reason-code";
import type { FieldName } from "../../values/field-name.ts";
import { mayDecline } from "../../values/provenance.ts";
import type { FindingRule } from "../finding.ts";
import type { FindingName } from "../finding-names.ts";
import type { ModelField } from "../models/document-model.ts";
import { finding } from "./finding-defaults.ts";

type RequiredField = Extract<
  FieldName,
  | "lastName"
  | "firstName"
  | "dateOfBirth"
  | "dateOfExpiry"
  | "sex"
  | "documentNumber"
  | "personalNumber"
  | "nationality"
  | "documentCode"
>;

const codes = {
  lastName: 625,
  firstName: 626,
  dateOfBirth: 627,
  dateOfExpiry: 629,
  sex: 630,
  documentNumber: 631,
  personalNumber: 632,
  nationality: 633,
  documentCode: 650,
} as const satisfies Record<RequiredField, ReasonCode>;

const isRequired = (name: FieldName): name is RequiredField => Object.hasOwn(codes, name);

/** A single missing value is reported by its own code. The number is our choice. */
const coveredMin = 2;

/**
 * A field was not read that cards of this generation always print (625 to 633, 644, 650). Evaluated only
 * where the model's statement is confirmed and text was read on the field's side. A missing personal number
 * is 644. Where the labels of several fields were read and their values were not, something covers them
 * (619).
 */
export const vizFieldsRule: FindingRule = ({ reading, fields }) => {
  const { model, values } = fields;
  const asked = (model?.fields ?? []).filter(
    ({ printed, sure, side }) =>
      printed === "always" && sure !== "?" && (reading[side]?.lines.length ?? 0) > 0,
  );
  const isMissing = (name: FieldName): boolean =>
    values[name] === undefined && !(name === "dateOfExpiry" && fields.neverExpires);
  const labelled = asked.filter(
    ({ name, side }) => isMissing(name) && fields.printed[side]?.unread.includes(name),
  );
  const names = [...new Set(asked.map(({ name }: ModelField) => name))];
  const single = names.filter(isRequired).map((name) =>
    finding({
      name: `${name}-not-printed` satisfies FindingName,
      stage: "capture",
      code: name === "documentNumber" && model?.personNumber === name ? 644 : codes[name],
      consequence: "resubmit",
      ...(asked.some((field) => field.name === name && mayDecline(field)) ? {} : { isHint: true as const }),
      holds: isMissing(name),
    }),
  );
  return [
    finding({
      name: "values-not-visible",
      stage: "capture",
      code: 619,
      consequence: "resubmit",
      holds: new Set(labelled.map(({ name }) => name)).size >= coveredMin,
    }),
    ...single,
  ];
};
