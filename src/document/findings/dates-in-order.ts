import { dayOf } from "../dates.ts";
import type { Question } from "../finding.ts";
import { finding } from "./answer.ts";

/** Are the dates in an order that a life has: birth, issue, today, and the expiry after birth and issue (507)? */
export const askDatesInOrder: Question = ({ fields, now }) => {
  const birth = fields.values.dateOfBirth?.value;
  const issue = fields.values.dateOfIssue?.value;
  const expiry = fields.values.dateOfExpiry?.value;
  const isKnown = birth !== undefined && (expiry !== undefined || issue !== undefined);
  // A day of grace: it may be tomorrow already where the document was issued.
  const tomorrow = dayOf(new Date(now.getTime() + 24 * 60 * 60 * 1000));
  return [
    finding({
      name: "dates-out-of-order",
      stage: "contradiction",
      code: 507,
      consequence: "review",
      source: "dates",
      holds: isKnown
        ? isAfter(birth, issue) ||
          isAfter(birth, expiry) ||
          isAfter(issue, expiry) ||
          isAfter(issue, tomorrow)
        : "unknown",
    }),
  ];
};

const isAfter = (earlier: string | undefined, later: string | undefined): boolean =>
  earlier !== undefined && later !== undefined && earlier > later;
