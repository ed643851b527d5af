import { type DocumentCase, type Finding, type FindingRule, stages } from "../finding.ts";
import { ageRule } from "./age.ts";
import { attackRule } from "./attacks.ts";
import { checkDigitsRule } from "./check-digits.ts";
import { dataReadRule } from "./data-read.ts";
import { datesInOrderRule } from "./dates-in-order.ts";
import { documentAbsentRule } from "./document-absent.ts";
import { expiryRule } from "./expiry.ts";
import { historyRule } from "./history.ts";
import { imagesRule } from "./images.ts";
import { issuerKnownRule } from "./issuer-known.ts";
import { mrzFieldsRule } from "./mrz-fields.ts";
import { numberCorroboratedRule } from "./number-corroborated.ts";
import { portraitRule } from "./portrait.ts";
import { printUnclearRule } from "./print-unclear.ts";
import { referenceRule } from "./reference.ts";
import { sidesRule } from "./sides.ts";
import { sidesTiedRule } from "./sides-tied.ts";
import { sourcesAgreeRule } from "./sources-agree.ts";
import { specimenRule } from "./specimen.ts";
import { typeRule } from "./type.ts";
import { validityRule } from "./validity.ts";
import { valuesContainedRule } from "./values-contained.ts";
import { vizFieldsRule } from "./viz-fields.ts";
import { vizNumberRule } from "./viz-number.ts";
import { watchlistsRule } from "./watchlists.ts";

/** Rules on what the operator and others hold about a document, beyond its images. */
const historyRules: readonly FindingRule[] = [referenceRule, historyRule, watchlistsRule];

/** Within a stage the order counts: the first finding that holds gives the reason. */
const rules: readonly FindingRule[] = [
  documentAbsentRule,
  sidesRule,
  typeRule,
  imagesRule,
  dataReadRule,
  mrzFieldsRule,
  vizFieldsRule,
  numberCorroboratedRule,
  expiryRule,
  ageRule,
  checkDigitsRule,
  issuerKnownRule,
  sourcesAgreeRule,
  vizNumberRule,
  datesInOrderRule,
  validityRule,
  valuesContainedRule,
  sidesTiedRule,
  printUnclearRule,
  specimenRule,
  portraitRule,
  ...historyRules,
];

/**
 * Every finding about a document, in the order of the stages. The attack rule also weighs the other findings.
 */
export const findAll = (document: DocumentCase): readonly Finding[] => {
  const found = rules.flatMap((rule) => rule(document));
  return [...found, ...attackRule(document, found)].sort(
    (a, b) => stages.indexOf(a.stage) - stages.indexOf(b.stage),
  );
};

/**
 * The contradictions between the two sides, with which no approval goes, also where a provider judged the
 * images.
 */
export const findSideContradictions = (document: DocumentCase): readonly Finding[] =>
  sourcesAgreeRule(document).filter(({ neverIgnored }) => neverIgnored === true);

/** The findings of the reference, the history and the watchlists, also where a provider judged the images. */
export const findHistory = (document: DocumentCase): readonly Finding[] =>
  historyRules.flatMap((rule) => rule(document));
