import type { LocalChecks, VerifiedPerson } from "#app/local-checks";
import { isCountryCode } from "#contract/country";
import { documentTypesV2, singleSidedTypes } from "#contract/document-type";
import type { Json } from "#contract/json";
import { verificationCode } from "#contract/verification-code";
import { measurementsOf as documentMeasurementsOf } from "#judging/document/decision/decide";
import { comparisonOf, livenessOf, measurementsOf } from "#judging/face/record";
import { suggestion, UsageError } from "../command.ts";
import { type Answer, type Check, imageIn, type Section, type Verdict } from "./check.ts";
import { describeDecision, describeSides, describeValues, valuesOf } from "./documents.ts";
import { describeComparison, describeFace, describeLiveness } from "./faces.ts";
import { runCheck } from "./local-command.ts";
import { documentIn, valueCells, valueColumns } from "./read.ts";
import { unusableFace } from "./unusable-image.ts";

const verdicts: Readonly<Record<string, Verdict>> = { approved: "positive", rejected: "negative" };

const typeIn = (text: string) => documentTypesV2.find((one) => one === text);

const checkCountry = (text: string): void => {
  if (!isCountryCode(text)) {
    throw new UsageError(
      `The country ${JSON.stringify(text)} is no code of three letters in upper case, such as CHL`,
    );
  }
};

const checkType = (text: string): void => {
  if (typeIn(text) === undefined) {
    throw new UsageError(
      `The type ${JSON.stringify(text)} is unknown.${suggestion(text, documentTypesV2)} Use: ${documentTypesV2.join(", ")}`,
    );
  }
};

export const verifyCheck: Check = {
  name: "verify",
  images: ["selfie", "document"],
  isPositional: false,
  optionalImages: ["back"],
  inputs: { selfie: "selfie", front: "document", reference: "document", back: "back" },
  values: { country: checkCountry, type: checkType },
  columns: [
    "reasons",
    "next_step",
    "facial",
    "similarity",
    "liveness",
    "code",
    "reason_code",
    ...valueColumns.map((name) => `read_${name}`),
  ],
  truth: {
    column: "expected",
    words: { approved: "positive", rejected: "negative" },
    wronglyPositive: "wrongly approved",
    wronglyNegative: "wrongly rejected",
  },
  ask: async (checks, question) => {
    const type = typeIn(question.values["type"] ?? "");
    const { country } = question.values;
    const found = await checks.verify(
      { selfie: imageIn(question, "selfie"), ...documentIn(question) },
      { ...(country && { country }), ...(type && { type }) },
    );
    return answerOf(found, checks);
  },
};

/** The end of a verification; one in review has none yet. */
type Ended = { readonly decision: string; readonly reasons: readonly string[]; readonly nextStep: string };

const inReview: Ended = { decision: "review", reasons: [], nextStep: "wait_for_review" };

const answerOf = (found: VerifiedPerson, checks: LocalChecks): Answer => {
  const ended: Ended = found.end === "in_review" ? inReview : found.end;
  const unusable = unusableFace("selfie", found.selfie);
  return {
    verdict: verdicts[ended.decision] ?? "unjudged",
    result: ended.decision,
    sections: sectionsOf(found, ended, checks),
    cells: cellsOf(found, ended),
    ...(unusable && { unusable }),
    detail: detailOf(found, ended),
  };
};

type OfDocument = VerifiedPerson["document"];
type Sides = Pick<OfDocument, "type"> & {
  readonly reading: Pick<OfDocument["reading"], "back">;
  readonly findings: readonly Pick<OfDocument["findings"][number], "name" | "holds">[];
};

/**
 * What the person at the terminal left out. A document of another type than the expected one lacks no side.
 */
export const adviceOf = (
  { type, reading, findings }: Sides,
  { decision }: Pick<Ended, "decision">,
): readonly (readonly [string, string])[] =>
  decision === "approved" ||
  reading.back !== undefined ||
  singleSidedTypes.includes(type) ||
  findings.some(({ name, holds }) => name === "type-differs" && holds === true)
    ? []
    : [["advice", `${type} has two sides: name the other one too, --back IMAGE`]];

const sectionsOf = (found: VerifiedPerson, ended: Ended, checks: LocalChecks): readonly Section[] => [
  {
    heading: "Verification",
    rows: [
      ["decision", ended.decision],
      ["reasons", ended.reasons.join(", ") || "none"],
      ["next step", ended.nextStep],
      ...adviceOf(found.document, ended),
    ],
  },
  describeComparison(found.facial, checks),
  describeLiveness(found.liveness, checks),
  ...describeDecision(found.document),
  describeValues(found.document.record),
  describeFace("Selfie", found.selfie, checks),
  describeFace("Face of the document", found.portrait, checks),
  ...describeSides(found.document.reading, checks),
];

const cellsOf = ({ facial, liveness, document }: VerifiedPerson, ended: Ended): Answer["cells"] => ({
  reasons: ended.reasons.join(" "),
  next_step: ended.nextStep,
  facial: facial.result,
  similarity: facial.comparison?.similarity.toFixed(4) ?? "",
  liveness: liveness.result,
  code: String(verificationCode[document.decision.status]),
  reason_code: String(document.decision.reasonCode ?? ""),
  ...Object.fromEntries(
    Object.entries(valueCells(document.record)).map(([name, value]) => [`read_${name}`, value]),
  ),
});

const detailOf = (found: VerifiedPerson, { decision, reasons, nextStep }: Ended): Json => {
  const { facial, liveness, selfie, portrait, document } = found;
  const { status, reasonCode, reason, others } = document.decision;
  return {
    decision,
    reasons,
    nextStep,
    comparison: comparisonOf(facial),
    liveness: livenessOf(liveness),
    selfie: measurementsOf(selfie),
    portrait: measurementsOf(portrait),
    document: {
      code: verificationCode[status],
      status,
      reasonCode,
      reason,
      otherReasonCodes: others,
      portraitEvidence: document.record.portraitEvidence ?? null,
      values: valuesOf(document.record),
      reading: documentMeasurementsOf(document.reading, document.findings),
    },
  };
};

export const runVerify = runCheck(verifyCheck);
