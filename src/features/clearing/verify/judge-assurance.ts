import { Failure } from "#contract/failure";
import { isGroup, type Json } from "#contract/json";
import { type AssuranceLevel, assuranceLevels } from "#contract/liveness";
import { isEvidence, type PortraitEvidence } from "#contract/portrait-evidence";
import { countableRateOf } from "#judging/face/countable-rate";
import type { TransactionRecord } from "#record/transactions/record";
import type { FoundPerson } from "./find-person.ts";

/**
 * What a verification token needs beside 3, 3 and 9001: nothing, as the interface states, or what
 * {@link strict} lists.
 */
export type ClearingAssurance = "interface" | "strict";

/**
 * A transfer of pensions moves money, so each part is the least for which something was counted: the rate is
 * that of the calibration at 3.53, where fewer than 1 in 10,000 pairs of LFW match (NIST SP 800-63A-4 asks
 * for 1 in 10,000), and no still image passes `active-turn`. Nothing was counted for an own cohort or an
 * added recogniser: their rate is unknown here.
 */
export const strict = {
  portraitEvidenceMin: "print-consistent",
  livenessLevel: "active-turn",
  falseMatchRateMax: 1e-3,
} as const satisfies { readonly portraitEvidenceMin: PortraitEvidence; [name: string]: unknown };

/** What the liveness of an identity call rests on; undefined where its record states nothing. */
export const livenessLevelOf = (measurements: Json): AssuranceLevel | undefined => {
  const liveness = isGroup(measurements) ? measurements["liveness"] : undefined;
  const level = liveness !== undefined && isGroup(liveness) ? liveness["assurance"] : undefined;
  return assuranceLevels.find((one) => one === level);
};

/** The first part of the assurance that is missing; undefined where none is. */
export const judgeAssurance = (
  assurance: ClearingAssurance,
  record: Pick<TransactionRecord, "measurements" | "policyVersion" | "models">,
  portraitEvidence: PortraitEvidence = "unproven",
): Failure | undefined => {
  if (assurance === "interface") return undefined;
  const level = livenessLevelOf(record.measurements) ?? "none";
  const missing = [
    ...(isEvidence(portraitEvidence, strict.portraitEvidenceMin)
      ? []
      : [
          `the evidence of the portrait is ${portraitEvidence}, at least ${strict.portraitEvidenceMin} is needed`,
        ]),
    ...(level === strict.livenessLevel
      ? []
      : [`the level of liveness is ${level}, ${strict.livenessLevel} is needed`]),
    ...missingRate("the comparison", countableRateOf(record)),
  ];
  return refuse(missing);
};

/**
 * The same for the comparison of document and selfie. Where an equal image joins them, the comparison of the
 * identity call is the one: {@link judgeAssurance} judges it. Any other identity call may have compared two
 * selfies, so its rate shows nothing of the document.
 */
export const judgeDocumentRate = (
  assurance: ClearingAssurance,
  { samePersonBy, comparison }: FoundPerson,
): Failure | undefined =>
  assurance === "interface" || samePersonBy === "image"
    ? undefined
    : refuse(missingRate("document and selfie", comparison && countableRateOf(comparison)));

const missingRate = (of: string, rate: number | undefined): readonly string[] =>
  rate !== undefined && rate <= strict.falseMatchRateMax
    ? []
    : [
        `the false match rate of ${of} is ${String(rate ?? "unknown")}, at most ${strict.falseMatchRateMax} is accepted`,
      ];

const refuse = (missing: readonly string[]): Failure | undefined =>
  missing.length === 0
    ? undefined
    : new Failure("clearing_assurance_too_low", { missing: missing.join("; ") });
