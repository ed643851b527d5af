import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exampleDiagnosis } from "#contract/example-document";
import { padDecisions, padReason } from "#contract/pad";
import type { SideReading } from "../../reading/reading.ts";
import type { AttackMeasurement } from "../../reading/traces/measurement.ts";
import { cardReading, chile, type DrawnCard, honduras } from "../../testing/national-cards.ts";
import { caseOf, mrzOf, passportLines, readingOf, sideOf } from "../../testing/reading.ts";
import { decideDocument } from "../decide.ts";
import { diagnose, type FaceAnswer } from "./diagnose.ts";
import { judgeRequirements, type QualityReport } from "./image-requirements.ts";

const spread = (second: number) => ({ second, first: 6, usedShare: 0.95 });
const genuine: AttackMeasurement = { colour: spread(2.6), pattern: { peaks: 4, tiles: 6 } };
/** ICAO Doc 9303-4, appendix A. */
const specimenLines = [
  "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
  "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
];
const brokenLines = [passportLines[0], passportLines[1].replace("9001011F", "9001017F")];
const read = { mrz: mrzOf(passportLines), attack: genuine };

const diagnosisOf = (change: Partial<SideReading>, face?: FaceAnswer, back: Partial<SideReading> = {}) =>
  diagnosisOfSide(sideOf(change), face, back);

const diagnosisOfSide = (front: SideReading, face?: FaceAnswer, back: Partial<SideReading> = {}) => {
  const reading = readingOf(front, sideOf({ sha256: "cd".repeat(32), ...back }));
  const { fields, declared, now, policy } = caseOf(reading);
  const decided = decideDocument({ reading, fields }, declared, now, policy);
  const { decision, reasons, quality } = diagnose(reading, decided, face, policy);
  return { decision, reasons, passed: quality.passed, quality };
};

const withTrace = (change: AttackMeasurement): Partial<SideReading> => ({
  ...read,
  attack: { ...genuine, ...change },
});
const small = { width: 900, height: 600, sharpness: 0.9, overexposedShare: 0.01, brightness: 150 };
/** A side without a portrait. */
const faceless = (change: Partial<SideReading>): SideReading => {
  const { portrait: _, ...rest } = sideOf(change);
  return { ...rest, faces: 0 };
};

describe("the diagnostic", () => {
  it("of a genuine passport equals the example of the specification", () => {
    const { decision, reasons, quality } = diagnosisOf(read);
    const { IQA, ...expected } = exampleDiagnosis;
    const { passed, frontSideImage: front, backSideImage: back } = IQA;
    expect({ decision, reasons, quality }).toEqual({ ...expected, quality: { passed, front, back } });
  });

  it("calls a document without traces credible, for no reason", () => {
    expect(diagnosisOf(read)).toMatchObject({ decision: "Credible", reasons: [], passed: true });
    expect(diagnosisOf(read, "same")).toMatchObject({ decision: "Credible", reasons: [] });
    expect(diagnosisOf(read, "unknown")).toMatchObject({ decision: "Credible", reasons: [] });
  });

  it.each([
    ["a grey copy", withTrace({ colour: spread(0.5) }), "Spoof", ["Black_and_White_Printed_Copy_Attack"]],
    [
      "hardly any colour",
      withTrace({ colour: spread(1) }),
      "Doubtful",
      ["Black_and_White_Printed_Copy_Attack"],
    ],
    ["a screen", withTrace({ pattern: { peaks: 90, tiles: 6 } }), "Doubtful", ["Screen_Replay_Attack"]],
    [
      "a copy on a screen",
      withTrace({ colour: spread(0.5), pattern: { peaks: 90, tiles: 6 } }),
      "Spoof",
      ["Black_and_White_Printed_Copy_Attack", "Screen_Replay_Attack"],
    ],
    [
      "another portrait",
      withTrace({ portrait: { noise: -3, grid: 0 } }),
      "Doubtful",
      ["Photo_Replacement_Attack"],
    ],
    [
      "a pasted portrait",
      withTrace({ portrait: { noise: 0, grid: 0.9 } }),
      "Doubtful",
      ["SECURITY_PHOTO_CHECK"],
    ],
    ["a darker line", withTrace({ ink: { lines: 12, darkest: 11 } }), "Doubtful", ["SECURITY_DATA_CHECK"]],
    ["wrong check digits", { ...read, mrz: mrzOf(brokenLines) }, "Doubtful", ["SECURITY_DATA_CHECK"]],
  ] as const)("judges %s", (_, front, decision, reasons) => {
    expect(diagnosisOf(front)).toMatchObject({ decision, reasons });
  });

  it("reports data that differs between front and back", () => {
    const other = [
      "P<CHLSOLIS<PRUEBA<<ANA<MARIA<<<<<<<<<<<<<<<<",
      "G123456786CHL9001011F3501014<<<<<<<<<<<<<<<2",
    ];
    const back = { mrz: mrzOf(other, { accepted: true }) };
    expect(diagnosisOf(read, undefined, back)).toMatchObject({
      decision: "Doubtful",
      reasons: ["SECURITY_OCR_CHECK"],
    });
  });

  it("distinguishes a contradiction between the sides from one within a side", () => {
    const reasonsOf = (card: DrawnCard) => {
      const reading = cardReading(card);
      const { fields, declared, now, policy } = caseOf(reading);
      const decided = decideDocument({ reading, fields }, declared, now, policy);
      return diagnose(reading, decided, undefined, policy).reasons;
    };
    const front = honduras.front.map((row) =>
      row.text === "SOLÍS PRUEBA" ? { ...row, text: "GARCÍA LÓPEZ" } : row,
    );
    expect(reasonsOf({ ...honduras, front })).toEqual(["SECURITY_OCR_CHECK"]);
    const [symbology = "QRCode", text = ""] = chile.barcode ?? [];
    const barcode = [symbology, text.replace("12345678-5", "11111111-1")] as const;
    expect(reasonsOf({ front: [], mrz: chile.mrz ?? [], barcode })).toEqual(["SECURITY_DATA_CHECK"]);
  });

  it("doubts a portrait that is not the face that was sent with it", () => {
    expect(diagnosisOf(read, "other")).toMatchObject({
      decision: "Doubtful",
      reasons: ["SECURITY_PHOTO_CHECK"],
    });
  });

  it("names the checks that it could not make, and is an error where it could make none", () => {
    expect(diagnosisOf({ attack: genuine })).toMatchObject({
      decision: "Doubtful",
      reasons: ["NOT_PROCESSED_OCR", "NOT_PROCESSED_DATA_CHECK"],
    });
    expect(diagnosisOfSide(faceless(read))).toMatchObject({
      decision: "Doubtful",
      reasons: ["NOT_PROCESSED_PHOTO_CHECK"],
    });
    expect(diagnosisOfSide(faceless({ attack: genuine }))).toMatchObject({
      decision: "Error",
      reasons: ["NOT_PROCESSED_OCR", "NOT_PROCESSED_PHOTO_CHECK", "NOT_PROCESSED_DATA_CHECK"],
    });
  });

  it.each([
    ["too small", { ...read, quality: small }, "resolution"],
    ["pressed too hard", { ...read, quality: { ...small, height: 800, jpegQuality: 50 } }, "jpegQuality"],
    [
      "cut too near",
      {
        ...read,
        card: { score: 1.2, outsideShare: 0, marginShare: 0.02, longSidePx: 1500, shortSidePx: 1050 },
      },
      "background",
    ],
  ] as const)("doubts an image that is %s and names the failed requirement", (_, front, requirement) => {
    const { decision, reasons, quality } = diagnosisOf(front);
    expect([decision, reasons, quality.passed]).toEqual(["Doubtful", [], false]);
    expect(quality.front[requirement].passed).toBe(false);
  });

  it.each([
    ["is of another kind", read, { country: "CHL", type: "ID_CARD" }],
    ["is of another country", read, { country: "PER", type: "PASSPORT" }],
    ["is a specimen", { ...read, mrz: mrzOf(specimenLines) }, { country: "UTO", type: "PASSPORT" }],
    [
      "shows traces that are too weak to be named, and a band around it",
      withTrace({ pattern: { peaks: 28, tiles: 6 }, rim: { sides: 4, brightness: 240, width: 0.1 } }),
      { country: "CHL", type: "PASSPORT" },
    ],
  ] as const)("doubts a document that %s, though no reason has that name", (_, change, declared) => {
    const reading = readingOf(sideOf(change), sideOf({ sha256: "cd".repeat(32) }));
    const { fields, now, policy } = caseOf(reading);
    const decided = decideDocument({ reading, fields }, declared, now, policy);
    expect(diagnose(reading, decided, undefined, policy)).toMatchObject({
      decision: "Doubtful",
      reasons: [],
    });
  });

  it("names a weak trace of the portrait that makes no doubt alone", () => {
    expect(diagnosisOf(withTrace({ portrait: { noise: 2.1, grid: 0 } }))).toMatchObject({
      decision: "Credible",
      reasons: ["Photo_Replacement_Attack"],
    });
  });

  it("has a guide with every decision and every reason", () => {
    const guide = readFileSync(new URL("../../../../docs/guides/diagnostic.md", import.meta.url), "utf8");
    const names = [...padDecisions, ...Object.keys(padReason)];
    expect(names.filter((name) => !guide.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it("makes no spoof of traces on a poor image, but of contradictions of the document", () => {
    const poor = { ...withTrace({ colour: spread(0.5) }), quality: small };
    expect(diagnosisOf(poor)).toMatchObject({
      decision: "Doubtful",
      reasons: ["Black_and_White_Printed_Copy_Attack"],
    });
  });

  it("fails no image for a value that could not be measured", () => {
    const { card: _, ...flat } = sideOf(read);
    const { quality, decision } = diagnosisOfSide({ ...flat, quality: { ...small, height: 800 } });
    expect([quality.front.background.passed, quality.front.jpegQuality.passed]).toEqual([null, null]);
    expect(decision).toBe("Credible");
  });

  it("fails an image whose document reaches the border by its MRZ", () => {
    const { card: _, ...flat } = sideOf(read);
    const near = (margin: number) => diagnosisOfSide({ ...flat, mrz: { ...read.mrz, margin } });
    const { quality, decision } = near(0.03);
    expect([quality.front.background, decision]).toEqual([
      { value: 0.03, minimum: 0.05, passed: false },
      "Doubtful",
    ]);
    expect(diagnosisOfSide({ ...sideOf(read), mrz: { ...read.mrz, margin: 0.03 } }).decision).toBe(
      "Credible",
    );
    // Without an outline the MRZ gives only a bound.
    expect(near(0.2).quality.front.background).toMatchObject({ value: null, passed: null });
  });

  it("reports each image under the name by which it was sent", () => {
    const reading = readingOf(sideOf(read), sideOf({ sha256: "cd".repeat(32), quality: small }));
    const { policy } = caseOf(reading);
    const passed = ({ front, back }: QualityReport) => [front.passed, back?.passed];
    expect(passed(judgeRequirements(reading, policy))).toEqual([true, false]);
    expect(passed(judgeRequirements({ ...reading, swapped: true }, policy))).toEqual([false, true]);
  });
});
