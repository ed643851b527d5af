import { yearsBetween } from "../dates.ts";
import type { Question } from "../finding.ts";
import { mayDecline } from "../models/sureness.ts";
import { finding } from "./answer.ts";

/** Below it a figure of a date may have been misread (docs/measurements.md, "Printed fields"). */
const confidenceMin = 0.97;

/**
 * Is it valid for longer than any card of its model (507)? A year is allowed above the longest, because some end on the
 * holder's birthday. A shorter time says nothing: children's and foreigners' cards have one.
 */
export const askValidity: Question = ({ fields: { model, values } }) => {
  const [issue, expiry] = [values.dateOfIssue, values.dateOfExpiry];
  const years = model?.validity?.years;
  const isKnown =
    years !== undefined &&
    issue !== undefined &&
    expiry !== undefined &&
    Math.min(issue.confidence, expiry.confidence) >= confidenceMin;
  return [
    finding({
      name: "validity-too-long",
      stage: "contradiction",
      code: 507,
      consequence: "review",
      source: [...new Set([...(issue?.sources ?? []), ...(expiry?.sources ?? [])])].join(" "),
      ...(model?.validity !== undefined && mayDecline(model.validity) ? {} : { isHint: true as const }),
      holds: isKnown ? yearsBetween(issue.value, expiry.value) > Math.max(...years) : "unknown",
    }),
  ];
};
