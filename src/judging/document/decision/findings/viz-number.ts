import { isNumberName, numberRules } from "../../values/numbers/number-rules.ts";
import { mayDecline } from "../../values/provenance.ts";
import { type DocumentFields, fieldReadingsOf } from "../fields.ts";
import type { Finding, FindingRule } from "../finding.ts";
import type { FieldReading } from "../sources/field-reading.ts";
import { finding } from "./finding-defaults.ts";

/**
 * Our choice: at this confidence of the line a misread character is so rare that a person should see the
 * card.
 */
const readConfidenceMin = 0.95;

/**
 * The check digit of a printed national number is wrong (507; 542 for the taxpayer number of Brazil). The
 * cause is a misread character as often as the card, so it goes to review. Where only one library states the
 * number's rule, the finding is a hint.
 */
export const vizNumberRule: FindingRule = ({ fields }) => {
  const checked = fieldReadingsOf(fields).filter(
    ({ source, isBroken, confirmedBy }) =>
      source === "print" && (isBroken === true || confirmedBy === "check-digit"),
  );
  const taxpayer = checked.filter((reading) => isCpf(fields, reading));
  const numbers = checked.filter((reading) => !taxpayer.includes(reading));
  const broken = numbers.filter(isClearlyBroken);
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
    ...(taxpayer.length === 0 ? [] : [cpfFinding(taxpayer.some(isClearlyBroken))]),
  ];
};

const isClearlyBroken = ({ isBroken, readConfidence }: FieldReading): boolean =>
  isBroken === true && (readConfidence ?? 0) >= readConfidenceMin;

/** Only the tax office knows whether a number with right digits is in use. */
const cpfFinding = (holds: boolean): Finding =>
  finding({
    name: "taxpayer-number-wrong",
    stage: "contradiction",
    code: 542,
    consequence: "review",
    source: "print",
    isHint: true,
    holds,
  });

const isCpf = ({ readBy }: DocumentFields, { name, side }: FieldReading): boolean =>
  readBy?.fields.some((field) => field.name === name && field.side === side && field.format === "bra.cpf") ===
  true;

/** The provenance of the number's rule may decline. */
const isRuleKnown = ({ readBy }: DocumentFields, { name, side }: FieldReading): boolean =>
  readBy?.fields.some(
    (field) =>
      field.name === name &&
      field.side === side &&
      isNumberName(field.format) &&
      mayDecline(numberRules[field.format]),
  ) === true;
