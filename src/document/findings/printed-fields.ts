import type { ReasonCode } from "#contract/reason-code";
import type { FieldName } from "../field-name.ts";
import type { Question } from "../finding.ts";
import type { FindingName } from "../finding-names.ts";
import type { ModelField } from "../models/document-model.ts";
import { mayDecline } from "../models/sureness.ts";
import { finding } from "./answer.ts";

type Missed = Extract<
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
} as const satisfies Record<Missed, ReasonCode>;

const isMissed = (name: FieldName): name is Missed => Object.hasOwn(codes, name);

/** One value alone is told by its own code. Chosen. */
const coveredMin = 2;

/**
 * Was every field read that cards of this generation always print (625 to 633, 644, 650)? Only where the model knows it
 * from more than belief, and the side it stands on was read at all. A number that is the person's own is 644. Where labels
 * were read and the values of several were not, something covers them (619).
 */
export const askPrintedFields: Question = ({ reading, fields }) => {
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
  const single = names.filter(isMissed).map((name) =>
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
