import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isReasonCode, type ReasonCode, reasons } from "#contract/reason-code";
import {
  argentina,
  cardReading,
  chile,
  costaRica,
  ecuador,
  guatemala,
  honduras,
  panama,
  peru,
} from "#support/document/national-cards";
import { caseOf, mrzOf, readingOf, sideOf } from "#support/document/reading";
import { checkDigit } from "../../reading/mrz/check-digit.ts";
import type { DocumentReading } from "../../reading/reading.ts";
import type { AttackMeasurement } from "../../reading/traces/measurement.ts";
import { defaultAttackPolicy as limits } from "../attacks/attack-policy.ts";
import { decideDocument } from "../decide.ts";
import { type Finding, type Stage, stages } from "../finding.ts";
import { findingNames } from "../finding-names.ts";
import { judgeDocument } from "../judge.ts";
import { diagnose, type FaceAnswer } from "./diagnose.ts";

/** What validation and diagnostic state of one reading. */
const both = (reading: DocumentReading, country: string) => {
  const { fields, declared, now, policy } = caseOf(reading, { country, type: "ID_CARD" });
  const decided = decideDocument({ reading, fields }, declared, now, policy);
  const { decision, reasons: named } = diagnose(reading, decided, undefined, policy);
  return { code: decided.decision.code, reason: decided.decision.reasonCode, decision, named };
};

/** The same file as front and back. */
const twice = ({ front }: DocumentReading): DocumentReading => readingOf(front, front);

const digit = (text: string): string => text + checkDigit(text);

/** A card with its MRZ under the portrait (9303-6, TD2): nothing but its other side is missing. */
const complete = (attack?: AttackMeasurement): DocumentReading => {
  const [number, birth, expiry] = ["123450067", "850312", "310911"].map(digit);
  const optional = "<".repeat(7);
  const lines = [
    "I<PRTPRUEBA<<ANNA".padEnd(36, "<"),
    `${number}PRT${birth}F${expiry}${optional}${checkDigit(`${number}${birth}${expiry}${optional}`)}`,
  ];
  return readingOf(
    sideOf({ mrz: mrzOf(lines), ...(attack && { attack }) }),
    sideOf({ sha256: "cd".repeat(32), faces: 0 }),
  );
};

/** Stages whose findings say nothing about the document itself. */
const besides: readonly Stage[] = ["expiry", "age", "face", "history", "outside"];
const isOfDocument = ({ stage, name }: Finding): boolean =>
  !besides.includes(stage) && name !== "country-not-served";

const twoDocumentsCode = 642;

const countedCodes: readonly ReasonCode[] = Object.keys(reasons)
  .map(Number)
  .filter(isReasonCode)
  .filter((code) => reasons[code].alone !== "never");

const anyFinding: fc.Arbitrary<Finding> = fc
  .record({
    name: fc.constantFrom(...findingNames),
    stage: fc.constantFrom(...stages),
    code: fc.constantFrom(...countedCodes),
    consequence: fc.constantFrom("decline" as const, "resubmit" as const, "review" as const),
    holds: fc.oneof(
      { arbitrary: fc.constant(false), weight: 8 },
      { arbitrary: fc.constantFrom(true, "unknown" as const), weight: 1 },
    ),
    source: fc.constantFrom("document", "mrz", "print", "colour"),
    neededForApproval: fc.boolean(),
    isHint: fc.boolean(),
  })
  .map(({ isHint, ...one }) => ({ ...one, evidence: {}, ...(isHint && { isHint }) }))
  // Two documents in place of one are a fault of the document: no rule finds them at another stage.
  .filter((one) => one.code !== twoDocumentsCode || isOfDocument(one));

/** Whether a finding is against the document, or one that its approval needs is open. */
const isAgainst = (findings: readonly Finding[]): boolean =>
  findings.some(
    (one) => isOfDocument(one) && (one.holds === true || (one.holds === "unknown" && one.neededForApproval)),
  );

/** A value on either side of a limit. */
const around = (limit: number) => fc.double({ min: 0.6 * limit, max: 1.4 * limit, noNaN: true });
const anySpread = (limit: number) => around(limit).map((second) => ({ second, first: 6, usedShare: 0.95 }));
const anyMatch = fc.record({
  match: around(limits.portraitHistory.strong),
  information: around(limits.portraitHistory.informationMin),
});

const cardTraces = {
  colour: anySpread(1.15),
  pattern: around(limits.patternPeaks.weak).map((peaks) => ({ peaks, tiles: 6 })),
  rim: fc.integer({ min: 0, max: 4 }).map((sides) => ({ sides, brightness: 200, width: 0.1 })),
  ink: around(limits.darkestLine.strong).map((darkest) => ({ lines: 12, darkest })),
};
const portraitTraces = {
  portraitColour: anySpread(limits.greyPortraitMax),
  portrait: fc.record({ noise: around(limits.portraitNoise.weak), grid: around(limits.portraitGrid.weak) }),
  history: fc.record({ portrait: anyMatch, face: anyMatch }),
  detail: around(limits.portraitDetail.weak).map((lack) => ({ portrait: -lack, face: 0, least: 0 })),
  ghost: fc.double({ min: 0.85, max: 1, noNaN: true }).map((likeness) => ({ likeness, widthShare: 0.4 })),
};

/** Traces around their limits: most of them are weak, or just not found. */
const anyAttack: fc.Arbitrary<AttackMeasurement> = fc.oneof(
  fc.record(cardTraces, { requiredKeys: [] }),
  fc.record(portraitTraces, { requiredKeys: [] }),
  fc.record({ ...cardTraces, ...portraitTraces }, { requiredKeys: [] }),
);

describe("the front that was sent twice", () => {
  it.each([
    ["ARG", argentina],
    ["CHL", chile],
    ["CRI", costaRica],
    ["ECU", ecuador],
    ["GTM", guatemala],
    ["HND", honduras],
    ["PAN", panama],
    ["PER", peru],
  ] as const)(
    "of a card of %s lacks its back for the validation, and is doubted by the diagnostic",
    (country, card) => {
      const { named, ...found } = both(twice(cardReading(card)), country);
      expect(found).toEqual({ code: 9103, reason: 609, decision: "Doubtful" });
      expect(named).not.toEqual([]);
    },
  );

  it("is doubted by both where everything else of the card holds", () => {
    expect(both(complete(), "PRT")).toMatchObject({ code: 9001, decision: "Credible", named: [] });
    expect(both(twice(complete()), "PRT")).toMatchObject({
      code: 9103,
      reason: 609,
      decision: "Doubtful",
      named: ["NOT_PROCESSED_DATA_CHECK"],
    });
  });
});

describe("any findings", () => {
  const reading = complete();
  const { fields, declared, now, policy } = caseOf(reading, { country: "PRT", type: "ID_CARD" });
  const { attack } = decideDocument({ reading, fields }, declared, now, policy);

  it("are credible where the validation has none against the document itself, and then for no reason", () => {
    const seen = { credible: 0, approved: 0, refused: 0 };
    fc.assert(
      fc.property(
        fc.array(anyFinding, { maxLength: 8 }),
        fc.constantFrom<FaceAnswer | undefined>(undefined, "same", "other", "unknown"),
        fc.constantFrom(1, policy.resubmission.attemptsMax),
        (findings, face, attempt) => {
          const decision = judgeDocument(findings, policy, attempt);
          const diagnosis = diagnose(reading, { fields, findings, attack, decision }, face, policy);
          const isCredible = diagnosis.decision === "Credible";
          const isRefused = isAgainst(findings);
          seen.credible += isCredible ? 1 : 0;
          seen.approved += decision.code === 9001 ? 1 : 0;
          seen.refused += isRefused ? 1 : 0;
          expect(isCredible).toBe(!isRefused && face !== "other");
          if (isCredible) expect(diagnosis.reasons).toEqual([]);
          if (decision.code === 9001)
            expect(decision).toMatchObject({ reason: null, reasonCode: null, others: [] });
        },
      ),
      { numRuns: 1000 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(50);
  });
});

describe("any traces", () => {
  it("are credible where the validation has no finding of them, and a spoof for a reason and never approved", () => {
    const seen = { Credible: 0, Doubtful: 0, Spoof: 0, Error: 0 };
    fc.assert(
      fc.property(anyAttack, (attack) => {
        const reading = complete(attack);
        const { fields, declared, now, policy } = caseOf(reading, { country: "PRT", type: "ID_CARD" });
        const decided = decideDocument({ reading, fields }, declared, now, policy);
        const { decision, reasons: named } = diagnose(reading, decided, undefined, policy);
        seen[decision] += 1;
        expect(decision === "Credible").toBe(!isAgainst(decided.findings));
        expect(decision === "Credible").toBe(decided.attack.verdict === "credible");
        expect(decided.decision.code === 9001).toBe(decision === "Credible");
        expect(named.length > 0).toBe(decision !== "Credible");
      }),
      { numRuns: 2000 },
    );
    expect(Math.min(seen.Credible, seen.Doubtful, seen.Spoof)).toBeGreaterThan(50);
  });
});
