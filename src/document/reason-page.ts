import { type ReasonCode, reasons } from "#contract/reason-code";
import type { DocumentPolicy } from "./policy.ts";
import { reasonGuides } from "./reason-guide.ts";

const isReasonCode = (code: number): code is ReasonCode => code in reasons;
const codes = Object.keys(reasons).map(Number).filter(isReasonCode);

/** What a reason that no check of this release gives may do at most, by its class and its table. */
const strongest = (code: ReasonCode): string => {
  const { alone } = reasons[code];
  return { decline: "9102", resubmit: "9103", review: "9121", never: "" }[alone];
};

/** The page of all reason codes for integrators, in Markdown: a pure function of the tables and a policy. */
export const writeReasonPage = (policy: DocumentPolicy): string => {
  const guides = reasonGuides(policy);
  const given = codes.flatMap((code) => {
    const guide = guides[code];
    if (guide === undefined) return [];
    const { decisions, when, next } = guide;
    return [`| ${code} | ${reasons[code].meaning} | ${decisions.join(", ")} | ${when} | ${next} |`];
  });
  const others = codes
    .filter((code) => guides[code] === undefined)
    .map((code) => `| ${code} | ${reasons[code].meaning} | ${strongest(code)} |`);
  return [...introduction(policy), ...given, ...between, ...others, ""].join("\n");
};

const introduction = ({ version }: DocumentPolicy): readonly string[] => [
  "# Reason codes of document validation",
  "",
  "Written by `npm run golden` from `src/contract/reason-code.ts` and `src/document/reason-guide.ts`, with the thresholds of",
  `the policy \`${version}\`. \`verification.reasonCode\` holds the one reason of a decision, \`additionalReasonCodes\` the further`,
  "findings from the same tables: those are for the operator, and the person must not learn them. An approval (9001) has",
  "neither.",
  "",
  "| decision | meaning | what to do |",
  "|---|---|---|",
  "| 9001 | Approved | Go on. [What it says](../docs/decisions/0006-what-a-document-approval-means.md) |",
  "| 9102 | Declined | Final for this document |",
  "| 9103 | Resubmission | Ask for better pictures and start a new validation with them |",
  "| 9121 | Review | A person of yours decides |",
  "",
  "## Given by this release",
  "",
  "| code | meaning | with | when | what to do next |",
  "|---|---|---|---|---|",
];

const between: readonly string[] = [
  "",
  "## Not given by this release",
  "",
  "Codes of the interface whose checks come later or need what this service does not see. The last column is the decision",
  "that such a finding may bring at most on its own.",
  "",
  "| code | meaning | at most |",
  "|---|---|---|",
];
