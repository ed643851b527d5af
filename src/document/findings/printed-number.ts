import { type DocumentFields, sightingsOf } from "../fields.ts";
import type { Question } from "../finding.ts";
import { mayDecline } from "../models/sureness.ts";
import { isNumberName, numberRules } from "../numbers/number-rules.ts";
import type { Sighting } from "../sources/sighting.ts";
import { finding } from "./answer.ts";

/** Chosen: a reader this sure of a line mistakes one character in so few that a person should see the card. */
const readConfidenceMin = 0.95;

/**
 * Does a printed national number keep its own check digit (507)? A wrong one is the reader's slip as often as the card's
 * fault, so a person looks; by a rule that one library alone states it is a hint.
 */
export const askPrintedNumber: Question = ({ fields }) => {
  const numbers = sightingsOf(fields).filter(
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
      ...(broken.some((sighting) => isSure(fields, sighting)) ? {} : { isHint: true as const }),
      holds: numbers.length === 0 ? "unknown" : broken.length > 0,
      evidence: { fields: broken.map(({ name }) => name).join(" ") },
    }),
  ];
};

/** The rule by which the number was read is confirmed. */
const isSure = ({ readBy }: DocumentFields, { name, side }: Sighting): boolean =>
  readBy?.fields.some(
    (field) =>
      field.name === name &&
      field.side === side &&
      isNumberName(field.format) &&
      mayDecline(numberRules[field.format]),
  ) === true;
