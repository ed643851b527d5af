import { dayOf } from "../../values/dates.ts";
import type { FindingRule } from "../finding.ts";
import { isUnconfirmed } from "../trust-level.ts";
import { finding } from "./finding-defaults.ts";

/** Below it a date may have been misread. */
const confidenceMin = 0.9;

const dateNames = ["dateOfBirth", "dateOfIssue", "dateOfExpiry"] as const;

/**
 * The dates are out of order (507). Birth precedes issue and expiry, issue precedes expiry, and issue is not
 * in the future. The print of a card that is known by its words alone is no evidence.
 */
export const datesInOrderRule: FindingRule = ({ fields, now }) => {
  const [birth, issue, expiry] = dateNames.map((name) => {
    const date = fields.values[name];
    const isUsable = date !== undefined && date.confidence >= confidenceMin && !isUnconfirmed(date);
    return isUsable ? date.value : undefined;
  });
  const sources = new Set(dateNames.flatMap((name) => fields.values[name]?.sources ?? []));
  const isKnown = birth !== undefined && (expiry !== undefined || issue !== undefined);
  // One day of tolerance: at the place of issue it may already be tomorrow.
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
