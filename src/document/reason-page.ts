import { isReasonCode, type ReasonCode, reasons } from "#contract/reason-code";
import type { DocumentPolicy } from "./policy.ts";
import { reasonRows } from "./reason-guide.ts";

const codes = Object.keys(reasons).map(Number).filter(isReasonCode);

/** What a reason may do at most on its own, by its class and its table. */
const strongest = (code: ReasonCode): string =>
  ({ decline: "9102", resubmit: "9103", review: "9121", never: "none" })[reasons[code].alone];

/** The page of all reason codes for integrators, in Markdown: a pure function of the tables and a policy. */
export const writeReasonPage = (policy: DocumentPolicy): string => {
  const rows = reasonRows(policy);
  const given = codes.flatMap((code) => {
    const { decidedBy, from, decisions, when, next, reach } = rows[code];
    if ("missing" in reach) return [];
    const what = `| ${code} | ${reasons[code].meaning} | ${decisions.join(", ")} | ${strongest(code)} | ${when} |`;
    return [`${what} ${decidedBy}, from ${from} | ${next} | ${reach.how} |`];
  });
  const others = codes.flatMap((code) => {
    const { decidedBy, from, reach } = rows[code];
    if (!("missing" in reach)) return [];
    const { kind, why } = reach.missing;
    const who = decidedBy === "nobody" ? "nobody" : `${decidedBy}, from ${from}`;
    return [`| ${code} | ${reasons[code].meaning} | ${strongest(code)} | ${who} | ${kind}: ${why} |`];
  });
  return [...introduction(policy), ...given, ...between, ...others, ""].join("\n");
};

const introduction = ({ version }: DocumentPolicy): readonly string[] => [
  "# Reason codes of document validation",
  "",
  "Written by `npm run golden` from `src/contract/reason-code.ts` and `src/document/reasons/`, with the thresholds of",
  `the policy \`${version}\`. \`verification.reasonCode\` holds the one reason of a decision, \`additionalReasonCodes\` the further`,
  "findings from the same tables: those are for the operator, and the person must not learn them. An approval (9001) has",
  "neither. Where a provider outside judges (`IDEM_MORPHOLOGY`), its codes are answered as it tells them, those that are in no",
  "table here too.",
  "",
  "| decision | meaning | what to do |",
  "|---|---|---|",
  "| 7002 | Submitted | Not decided yet: ask `status` until it is no longer PENDING, then `data` again |",
  "| 9001 | Approved | Go on. [What it says](../docs/decisions/0006-what-a-document-approval-means.md) |",
  "| 9102 | Declined | Final for this document |",
  "| 9103 | Resubmission | Ask for better pictures and send them with the same `scanReference` |",
  "| 9104 | Expired/Abandoned | Nobody went on for the days that the policy allows: start a new validation |",
  "| 9121 | Review | A person of yours decides; `status` is DONE already, so ask `data` again later |",
  "",
  "7001 (Started) is in the interface's table and never answered: a start brings its pictures with it.",
  "",
  "## Given by this release",
  "",
  "`with` are the decisions that it brings as built in, the usual one first; beside a graver code it stands with any, as a",
  "further one. `at most` is what such a finding may bring on its own, whatever a policy says. The last column says how to see it.",
  "",
  "| code | meaning | with | at most | when | decided by | what to do next | how to see it |",
  "|---|---|---|---|---|---|---|---|",
];

const between: readonly string[] = [
  "",
  "## Not given by this release",
  "",
  "The last column says what is missing: a provider outside, an input that the interface does not carry, or a check that would",
  "say it otherwise or comes later. None of these is ever guessed.",
  "",
  "| code | meaning | at most | decided by | what is missing |",
  "|---|---|---|---|---|",
];
