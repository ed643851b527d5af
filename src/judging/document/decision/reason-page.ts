import { interfaceReasonOf } from "#contract/interface-reason";
import { isReasonCode, type ReasonCode, reasons } from "#contract/reason-code";
import type { DocumentPolicy } from "./policy.ts";
import { reasonRows } from "./reason-guide.ts";

const codes = Object.keys(reasons).map(Number).filter(isReasonCode);

/** The strongest decision that a reason may cause alone, by its class and its table. */
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
    const who = decidedBy === "none" ? "none" : `${decidedBy}, from ${from}`;
    return [`| ${code} | ${reasons[code].meaning} | ${strongest(code)} | ${who} | ${kind}: ${why} |`];
  });
  return [...introduction(policy), ...replaced, ...givenHead, ...given, ...between, ...others, ""].join("\n");
};

const introduction = ({ version }: DocumentPolicy): readonly string[] => [
  "# Reason codes of document validation",
  "",
  "Written by `npm run golden` from `src/contract/reason-code.ts` and `src/judging/document/decision/reasons/`, with the thresholds of",
  `the policy \`${version}\`. \`verification.reasonCode\` is the one reason of a decision, \`additionalReasonCodes\` are the further`,
  "findings from the same tables: they are for the operator, and the user must not see them. An approval (9001) has",
  "neither. Where an external provider judges (`IDEM_MORPHOLOGY`), its codes are returned unchanged, also codes that are in no",
  "table of this page.",
  "",
  "| decision | meaning | what to do |",
  "|---|---|---|",
  "| 7002 | Submitted | Not decided yet: ask `status` until it is no longer PENDING, then `data` again |",
  "| 9001 | Approved | Continue. [What it means](../docs/decisions/0006-what-a-document-approval-means.md) |",
  "| 9102 | Declined | Final for this document |",
  "| 9103 | Resubmission | Ask for better images and send them with the same `scanReference` |",
  "| 9104 | Expired/Abandoned | No submission within the days of the policy: start a new validation |",
  "| 9121 | Review | A person of yours decides; `status` is DONE already, so ask `data` again later |",
  "",
  "7001 (Started) is in the interface's table and never returned: a start carries its images.",
  "",
];

const meaningOf = (code: ReasonCode): string => `${code} ${reasons[code].meaning}`;

/** The codes that `reasonCode` replaces by default. */
const replaced: readonly string[] = [
  "## Codes of the interface",
  "",
  "The interface's table has 91 codes, and `reasonCode` has no other one by default: clients may switch over them. A more exact code",
  "of the tables below is sent as the nearest one of the interface, and stands itself in `additionalReasonCodes`. With",
  "`IDEM_REASON_CODES=extended` the exact code is `reasonCode`. Reviewers always see the exact one.",
  "",
  "| exact code | sent as |",
  "|---|---|",
  ...codes.flatMap((code) => {
    const sent = interfaceReasonOf(code);
    return sent === code || !isReasonCode(sent) ? [] : [`| ${meaningOf(code)} | ${meaningOf(sent)} |`];
  }),
  "",
];

const givenHead: readonly string[] = [
  "## Given by this release",
  "",
  "`with` lists the decisions that it causes by default, the usual one first. As a further code beside a stronger one it",
  "appears with any decision. `at most` is the strongest decision of such a finding alone, under any policy. The last column",
  "states how to reproduce it.",
  "",
  "| code | meaning | with | at most | when | decided by | what to do next | how to reproduce it |",
  "|---|---|---|---|---|---|---|---|",
];

const between: readonly string[] = [
  "",
  "## Not given by this release",
  "",
  "The last column states the missing part: an external provider, an input that the interface does not carry, or a check that",
  "reports it under another code or comes later. None of these is ever guessed.",
  "",
  "| code | meaning | at most | decided by | what is missing |",
  "|---|---|---|---|---|",
];
