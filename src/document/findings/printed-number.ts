import { sightingsOf } from "../fields.ts";
import type { Question } from "../finding.ts";
import { finding } from "./answer.ts";

/** Chosen: a reader this sure of a line mistakes one character in so few that a person should see the card. */
const readConfidenceMin = 0.95;

/**
 * Does a printed national number keep its own check digit (507; a Brazilian CPF 542 by its model)? A wrong one is the
 * reader's slip as often as the card's fault, so a person looks.
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
      holds: numbers.length === 0 ? "unknown" : broken.length > 0,
      evidence: { fields: broken.map(({ name }) => name).join(" ") },
    }),
  ];
};
