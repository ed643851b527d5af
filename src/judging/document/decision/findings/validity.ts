import { yearsBetween } from "../../values/dates.ts";
import { mayDecline } from "../../values/provenance.ts";
import type { FindingRule } from "../finding.ts";
import { finding } from "./finding-defaults.ts";

/**
 * Below this confidence a digit of a date may have been misread (docs/measurements/documents.md, "Printed
 * fields").
 */
const confidenceMin = 0.97;

/**
 * The document is valid for longer than any card of its model (507). One year above the longest is allowed,
 * because some cards end on the holder's birthday. A shorter time is no evidence: cards of children and
 * foreigners have one.
 */
export const validityRule: FindingRule = ({ fields: { model, values } }) => {
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
