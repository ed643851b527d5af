import type { documentTypesV2 } from "#contract/document-type";
import type { ReasonCode } from "#contract/reason-code";
import type { DocumentFields } from "./fields.ts";
import type { FindingName } from "./finding-names.ts";
import type { DocumentHistory } from "./history.ts";
import type { DocumentPolicy } from "./policy.ts";
import type { DocumentReading } from "./reading.ts";

/** The type that a caller declares. */
export type DeclaredType = (typeof documentTypesV2)[number];

/** Everything that findings may look at: what was read, what was declared, the moment and the policy. */
export type DocumentCase = {
  readonly reading: DocumentReading;
  readonly fields: DocumentFields;
  /** What was known before; empty where nothing was asked. */
  readonly history: DocumentHistory;
  readonly declared: { readonly country: string; readonly type: DeclaredType };
  readonly now: Date;
  readonly policy: DocumentPolicy;
};

/**
 * Stages of a decision, in their order. A fault of request or capture ends the chain: nothing
 * found on a bad picture is evidence against a person.
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

/** What a finding that holds asks for when it stands alone. */
export type Consequence = "decline" | "resubmit" | "review";

/**
 * One question about a document with its answer. `holds: true` speaks against the document, `unknown` for nobody.
 * `source` names what the evidence rests on, several with blanks between: two findings that share one are one signal.
 * Evidence is free of personal data.
 */
export type Finding = {
  readonly name: FindingName;
  readonly stage: Stage;
  readonly holds: boolean | "unknown";
  readonly code: ReasonCode;
  /** The same reason where it is strong: told in place of `code` when the finding declines or goes to a person. */
  readonly strong?: ReasonCode;
  readonly consequence: Consequence;
  readonly source: string;
  /** Rests on a trace that was not measured well enough to turn anybody away: never one of two signs of fraud. */
  readonly isHint?: true;
  /** True where approval needs the answer 'no' and 'unknown' is not enough. */
  readonly neededForApproval: boolean;
  readonly evidence: Readonly<Record<string, string | number | boolean>>;
};

/** A pure question. Several findings come from one question where it is asked of each side or each field. */
export type Question = (document: DocumentCase) => readonly Finding[];
