import { isNumberName, numberRules } from "../../values/numbers/number-rules.ts";
import { mayDecline } from "../../values/provenance.ts";
import { type DocumentFields, fieldReadingsOf } from "../fields.ts";
import type { FindingRule } from "../finding.ts";
import type { FieldReading } from "../sources/field-reading.ts";
import { finding } from "./finding-defaults.ts";

/**
 * Chosen: at this confidence of the line a misread character is so rare that a person should see the card.
 */
const readConfidenceMin = 0.95;

/**
 * The check digit of a printed national number is wrong (507). The cause is a misread character as often as
 * the card, so it goes to review. Where only one library states the number's rule, the finding is a hint.
 */
export const vizNumberRule: FindingRule = ({ fields }) => {
  const numbers = fieldReadingsOf(fields).filter(
    ({ source, isBroken, confirmedBy }) =>
      source === "print" && (isBroken === true || confirmedBy === "check-digit"),
  );
  const broken = numbers.filter(
    ({ isBroken, readConfidence }) => isBroken === true && (readConfidence ?? 0) >= readConfidenceMin,
  );
  return [
    finding({
      name: "printed-check-digit-wrong",
      stage: "contradiction",
      code: 507,
      consequence: "review",
      source: "print",
      ...(broken.some((reading) => isRuleKnown(fields, reading)) ? {} : { isHint: true as const }),
      holds: numbers.length === 0 ? "unknown" : broken.length > 0,
      evidence: { fields: broken.map(({ name }) => name).join(" ") },
    }),
  ];
};

/** The provenance of the number's rule may decline. */
const isRuleKnown = ({ readBy }: DocumentFields, { name, side }: FieldReading): boolean =>
  readBy?.fields.some(
    (field) =>
      field.name === name &&
      field.side === side &&
      isNumberName(field.format) &&
      mayDecline(numberRules[field.format]),
  ) === true;
