import { dayOf } from "../dates.ts";
import type { Question } from "../finding.ts";
import { finding } from "./answer.ts";

/** Below it a date may have been misread. */
const confidenceMin = 0.9;

const dateNames = ["dateOfBirth", "dateOfIssue", "dateOfExpiry"] as const;

/** Are the dates in an order that a life has: birth, issue, today, and the expiry after birth and issue (507)? */
export const askDatesInOrder: Question = ({ fields, now }) => {
  const [birth, issue, expiry] = dateNames.map((name) => {
    const date = fields.values[name];
    return date !== undefined && date.confidence >= confidenceMin ? date.value : undefined;
  });
  const sources = new Set(dateNames.flatMap((name) => fields.values[name]?.sources ?? []));
  const isKnown = birth !== undefined && (expiry !== undefined || issue !== undefined);
  // A day of grace: it may be tomorrow already where the document was issued.
  const tomorrow = dayOf(new Date(now.getTime() + 24 * 60 * 60 * 1000));
  return [
    finding({
      name: "dates-out-of-order",
      stage: "contradiction",
      code: 507,
      consequence: "review",
      source: [...sources].join(" "),
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
