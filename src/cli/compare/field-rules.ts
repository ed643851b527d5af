import { documentTypesRecord } from "#contract/document-type";
import { padDecisions, padReason } from "#contract/pad";
import { scanStatuses, verificationCode } from "#contract/verification-code";

/** How two values of one field are compared, and which of them a report may show. */
export type FieldRule =
  /** Differs by nature, such as an id or a time: presence, type and shape alone are compared. */
  | { readonly kind: "shape" }
  /** A number that is equal within the tolerance, absolute or as a share of the larger one. */
  | { readonly kind: "near"; readonly tolerance: number; readonly isShare?: true }
  /**
   * Equal or not. A report shows its numbers, or texts of a list of the interface; of all others only kind
   * and length.
   */
  | { readonly kind: "exact"; readonly showsNumbers?: true; readonly shown?: ReadonlySet<string> };

const shape: FieldRule = { kind: "shape" };

/**
 * Ids, times, tokens, templates, crops, hashes of what was sent, and texts that explain a number beside them.
 */
const byNature = [
  ..."serviceTransactionId transactionId scanReference timestamp serviceTime acceptanceTime decisionTime".split(
    " ",
  ),
  ..."registeredTemplateRaw imageBuffer token serviceFacialAuthenticationHash facialAuthenticationHash api_version NfcKey".split(
    " ",
  ),
  ..."FACE FACE_TOKEN SIGNATURE BACK_SHA256 FRONT_SHA256 reason message trackingMessage".split(" "),
];

/**
 * Defaults of this tool. 6 years: the mean error of the age estimate is 5.8
 * (docs/measurements/attributes.md).
 */
const nearNumbers: Readonly<Record<string, FieldRule>> = {
  age: { kind: "near", tolerance: 6 },
  iod: { kind: "near", tolerance: 0.1, isShare: true },
  faceConfidence: { kind: "near", tolerance: 0.1 },
  MatchingSidesScore: { kind: "near", tolerance: 0.1 },
  OVERALL_RATING: { kind: "near", tolerance: 0.1 },
  BACK_CONFIDENCE: { kind: "near", tolerance: 0.1 },
  FRONT_CONFIDENCE: { kind: "near", tolerance: 0.1 },
};

const similarities: ReadonlySet<string> = new Set([
  "facialAuthenticationSimilarity",
  "serviceFacialSimilarityResult",
  "similarity",
]);

/** Result numbers, codes and counts: no number of these names a person. */
const shownNumbers = [
  ..."serviceResultCode facialAuthenticationResult serviceFacialAuthenticationResult passiveLivenessResult".split(
    " ",
  ),
  ..."serviceLivenessResult code reasonCode additionalReasonCodes trackingStatus FIELDS_TOTAL FIELDS_RETURNED".split(
    " ",
  ),
];

const texts = (...values: readonly string[]): FieldRule => ({ kind: "exact", shown: new Set(values) });

const shownTexts: Readonly<Record<string, FieldRule>> = {
  status: texts(...scanStatuses, "Success", "Fail", ...Object.keys(verificationCode)),
  type: texts(...documentTypesRecord),
  decision: texts(...padDecisions),
  reasons: texts(...Object.keys(padReason)),
  glasses: texts("Eye", "None", "Sun"),
};

const named: ReadonlyMap<string, FieldRule> = new Map([
  ...byNature.map((name) => [name, shape] as const),
  ...Object.entries(nearNumbers),
  ...shownNumbers.map((name) => [name, { kind: "exact", showsNumbers: true }] as const),
  ...Object.entries(shownTexts),
]);

/**
 * The rule of a field by its own name. Texts of an error answer are explanations, so their wording is not
 * compared.
 */
export const ruleOf = (name: string, isErrorAnswer: boolean, similarityTolerance: number): FieldRule => {
  if (similarities.has(name)) return { kind: "near", tolerance: similarityTolerance };
  const rule = named.get(name);
  if (rule !== undefined && !(isErrorAnswer && rule.kind === "exact" && rule.shown !== undefined))
    return rule;
  return isErrorAnswer || name.endsWith("Log") ? shape : { kind: "exact" };
};
