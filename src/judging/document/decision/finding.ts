import type { documentTypesV2 } from "#contract/document-type";
import type { ReasonCode } from "#contract/reason-code";
import type { DocumentReading } from "../reading/reading.ts";
import type { DocumentFields } from "./fields.ts";
import type { FindingName } from "./finding-names.ts";
import type { DocumentHistory } from "./history/history.ts";
import type { DocumentPolicy } from "./policy.ts";

/** The type that a caller declares. */
export type DeclaredType = (typeof documentTypesV2)[number];

/** The input of every finding rule: the reading, the history, the declaration, the time and the policy. */
export type DocumentCase = {
  readonly reading: DocumentReading;
  readonly fields: DocumentFields;
  /** Results of the history checks; empty where none was made. */
  readonly history: DocumentHistory;
  readonly declared: { readonly country: string; readonly type: DeclaredType };
  readonly now: Date;
  readonly policy: DocumentPolicy;
};

/**
 * Stages of a decision, in their order. A fault of request or capture ends the chain: a finding on a poor
 * image is no evidence against a person.
 */
export const stages = [
  "request",
  "capture",
  "type",
  "expiry",
  "age",
  "contradiction",
  "recapture",
  "portrait",
  "face",
  "history",
  "outside",
] as const;

export type Stage = (typeof stages)[number];

/** The decision that a finding causes when it is the only one that holds. */
export type Consequence = "decline" | "resubmit" | "review";

/**
 * The result of one check of a document. `holds: true` is evidence against the document; `unknown` is
 * evidence of nothing. `source` names the sources of the evidence, separated by blanks: two findings that
 * share a source are one signal. Evidence has no personal data.
 */
export type Finding = {
  readonly name: FindingName;
  readonly stage: Stage;
  readonly holds: boolean | "unknown";
  readonly code: ReasonCode;
  /** The strong form of the reason. It replaces `code` where the finding declines or goes to review. */
  readonly strong?: ReasonCode;
  readonly consequence: Consequence;
  readonly source: string;
  /** Rests on a trace that was not measured well enough for a decline: never one of two signs of fraud. */
  readonly isHint?: true;
  /** The policy may weaken it to a review and no further: an answer of this service states the same. */
  readonly neverIgnored?: true;
  /**
   * Of what was declared: it comes before faults of the images, and ends the chain only together with one.
   */
  readonly isOfDeclaration?: true;
  /** True where approval needs `false` and `unknown` is not enough. */
  readonly neededForApproval: boolean;
  readonly evidence: Readonly<Record<string, string | number | boolean>>;
};

/** A pure rule that checks a document. A rule on each side or each field returns several findings. */
export type FindingRule = (document: DocumentCase) => readonly Finding[];
