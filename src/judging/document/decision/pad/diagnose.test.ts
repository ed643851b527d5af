import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleDiagnosis } from "#contract/example-document";
import { padDecisions, padReason } from "#contract/pad";
import { cardReading, chile, type DrawnCard, honduras } from "#support/document/national-cards";
import { printed } from "#support/document/printed-lines";
import { caseOf, corners, mrzOf, passportLines, readingOf, sideOf } from "#support/document/reading";
import type { SideReading } from "../../reading/reading.ts";
import type { AttackMeasurement } from "../../reading/traces/measurement.ts";
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
    [
      "a portrait that was not compressed with its card",
      withTrace({
        history: { portrait: { match: 0.1, information: 90 }, face: { match: 0.1, information: 40 } },
      }),
      "Doubtful",
      ["SECURITY_PHOTO_CHECK"],
    ],
    [
      "another face in the portrait",
      withTrace({
        history: { portrait: { match: 0.6, information: 900 }, face: { match: 0.1, information: 300 } },
      }),
      "Doubtful",
      ["SECURITY_PHOTO_CHECK"],
    ],
    [
      "an enlarged portrait",
      withTrace({ detail: { portrait: -2, face: -2, least: -1 } }),
      "Doubtful",
      ["SECURITY_PHOTO_CHECK"],
    ],
    ["a darker line", withTrace({ ink: { lines: 12, darkest: 11 } }), "Doubtful", ["SECURITY_DATA_CHECK"]],
    [
      "a line nearly that dark",
      withTrace({ ink: { lines: 12, darkest: 9.9 } }),
      "Doubtful",
      ["SECURITY_DATA_CHECK"],
    ],
    [
      "such a line under a pattern nearly as fine as a screen's",
      withTrace({ ink: { lines: 12, darkest: 9.9 }, pattern: { peaks: 33.4, tiles: 6 } }),
      "Spoof",
      ["SECURITY_DATA_CHECK"],
    ],
    [
      "three traces of which none is named alone, by the heaviest",
      withTrace({
        colour: spread(1.16),
        pattern: { peaks: 33.4, tiles: 6 },
        portrait: { noise: 0, grid: 0.5 },
      }),
      "Spoof",
      ["Screen_Replay_Attack"],
    ],
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

  it("doubts a card whose data nothing ties to its front, because its values were not checked", () => {
    const rows = ["EESTI", "VABARIIK", "ISIKUTUNNISTUS", "AJENO", "ROBERTO", "SUGU", "M"] as const;
    const mrz = [
      "I<PRT1234500674<<<<<<<<<<<<<<<",
      "8503127F3109111PRT<<<<<<<<<<<6",
      "PRUEBA<<ANNA<<<<<<<<<<<<<<<<<<",
    ];
    const diagnosed = (texts: readonly string[]) => {
      const front = printed(...texts.map((text, i) => [0.3, 0.05 + i * 0.07, text] as const));
      const reading = cardReading({ front, mrz });
      const { fields, declared, now, policy } = caseOf(reading, { country: "PRT", type: "ID_CARD" });
      const { decision, reasons } = diagnose(
        reading,
        decideDocument({ reading, fields }, declared, now, policy),
        undefined,
        policy,
      );
      return [decision, reasons];
    };
    expect(diagnosed(rows)).toEqual(["Doubtful", ["NOT_PROCESSED_DATA_CHECK"]]);
    expect(diagnosed(rows.slice(0, 1))).toEqual(["Doubtful", ["NOT_PROCESSED_DATA_CHECK"]]);
    expect(diagnosed([...rows, "123450067"])[0]).toBe("Doubtful");
    expect(diagnosed([...rows, "123450067", "12.03.1985"])[0]).toBe("Credible");
  });

  it.each([
    ["a passport", "PASSPORT", sideOf(read), false, [null, "Credible", []]],
    // The sides came in the wrong order, and the one that was sent as the front shows a face.
    ["a face before it", "PASSPORT", sideOf(read), true, [608, "Doubtful", ["NOT_PROCESSED_DATA_CHECK"]]],
    // The back of this card has an MRZ.
    [
      "print alone",
      "ID_CARD",
      sideOf({ lines: chile.front, attack: genuine }),
      false,
      [645, "Doubtful", ["NOT_PROCESSED_DATA_CHECK"]],
    ],
  ] as const)(
    "calls nothing credible that the validation refuses: %s",
    (_, type, front, swapped, expected) => {
      const reading = { ...readingOf(front, sideOf({ sha256: "cd".repeat(32) })), swapped };
      const { fields, declared, now, policy } = caseOf(reading, { country: "CHL", type });
      const decided = decideDocument({ reading, fields }, declared, now, policy);
      const { decision, reasons } = diagnose(reading, decided, undefined, policy);
      expect([decided.decision.reasonCode, decision, reasons]).toEqual(expected);
    },
  );

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
        attack: genuine,
        card: {
          corners,
          score: 1.2,
          outsideShare: 0,
          marginShare: 0.02,
          longSidePx: 1500,
          shortSidePx: 1050,
        },
      },
      "background",
    ],
  ] as const)("doubts an image that is %s and names the failed requirement", (_, front, requirement) => {
    const { decision, reasons, quality } = diagnosisOf(front);
    expect([decision, quality.passed]).toEqual(["Doubtful", false]);
    expect(reasons.filter((reason) => !reason.startsWith("NOT_PROCESSED"))).toEqual([]);
    expect(quality.front[requirement].passed).toBe(false);
  });

  it.each([
    ["is of another kind", read, { country: "CHL", type: "ID_CARD" }, "SECURITY_DATA_CHECK"],
    ["is of another country", read, { country: "PER", type: "PASSPORT" }, "SECURITY_DATA_CHECK"],
    [
      "is a specimen",
      { ...read, mrz: mrzOf(specimenLines) },
      { country: "UTO", type: "PASSPORT" },
      "SECURITY_DATA_CHECK",
    ],
    [
      "shows traces that are too weak to be named, and a band around it",
      withTrace({ pattern: { peaks: 28, tiles: 6 }, rim: { sides: 4, brightness: 240, width: 0.1 } }),
      { country: "CHL", type: "PASSPORT" },
      "Screen_Replay_Attack",
    ],
  ] as const)("doubts a document that %s, and gives the nearest reason", (_, change, declared, reason) => {
    const reading = readingOf(sideOf(change), sideOf({ sha256: "cd".repeat(32) }));
    const { fields, now, policy } = caseOf(reading);
    const decided = decideDocument({ reading, fields }, declared, now, policy);
    expect(diagnose(reading, decided, undefined, policy)).toMatchObject({
      decision: "Doubtful",
      reasons: [reason],
    });
  });

  it("calls credible what the validation approves, also with too little background around it", () => {
    const near = {
      ...read,
      card: { corners, score: 1.2, outsideShare: 0, marginShare: 0.02, longSidePx: 1500, shortSidePx: 1050 },
    };
    expect(diagnosisOf(near)).toMatchObject({ decision: "Credible", reasons: [], passed: false });
    expect(diagnosisOf(near, "other")).toMatchObject({ decision: "Doubtful" });
  });

  it("is no doubt about a document that is genuine and expired, or of a country that is not served", () => {
    const reading = readingOf(sideOf(read), sideOf({ sha256: "cd".repeat(32) }));
    const { fields, declared, policy } = caseOf(reading);
    const decisionOf = (now: Date, change: Partial<typeof policy>) => {
      const own = { ...policy, ...change };
      return diagnose(reading, decideDocument({ reading, fields }, declared, now, own), undefined, own);
    };
    expect(decisionOf(new Date("2040-01-01"), {})).toMatchObject({ decision: "Credible", reasons: [] });
    const unserved = decisionOf(new Date("2026-11-21"), { countries: ["PER"] });
    expect(unserved).toMatchObject({ decision: "Credible", reasons: [] });
  });

  it("never doubts without a reason or a requirement that an image misses, nor doubts what is approved, and gives no reason with Credible", () => {
    const sides = fc.record({
      mrz: fc.constantFrom(
        undefined,
        mrzOf(passportLines),
        mrzOf(brokenLines),
        mrzOf(specimenLines),
        mrzOf(passportLines, { accepted: false, clear: false }),
      ),
      quality: fc.constantFrom(sideOf().quality, small),
      faces: fc.constantFrom(0, 1),
      peaks: fc.integer({ min: 0, max: 90 }),
      second: fc.double({ min: 0.3, max: 3, noNaN: true }),
      noise: fc.double({ min: -4, max: 4, noNaN: true }),
      rim: fc.constantFrom(undefined, { sides: 4, brightness: 240, width: 0.1 }),
      marginShare: fc.constantFrom(0.02, 0.12),
    });
    fc.assert(
      fc.property(
        sides,
        fc.constantFrom<FaceAnswer | undefined>(undefined, "same", "other"),
        (drawn, face) => {
          const { mrz, quality, faces, peaks, second, noise, rim, marginShare } = drawn;
          const attack = {
            colour: spread(second),
            pattern: { peaks, tiles: 6 },
            portrait: { noise, grid: 0 },
            ...(rim && { rim }),
          };
          const card = { ...sideOf().card!, marginShare };
          const front = { quality, attack, card, ...(mrz && { mrz }) };
          const whole = faces === 0 ? faceless(front) : sideOf(front);
          const reading = readingOf(whole, sideOf({ sha256: "cd".repeat(32) }));
          const { fields, declared, now, policy } = caseOf(reading);
          const decided = decideDocument({ reading, fields }, declared, now, policy);
          const { decision, reasons, quality: report } = diagnose(reading, decided, face, policy);
          if (decision === "Doubtful") expect(reasons.length > 0 || !report.passed).toBe(true);
          if (decided.decision.code === 9001 && face !== "other") expect(decision).toBe("Credible");
          if (decision === "Credible") expect(reasons).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  // A named doubt about the portrait went with Credible and 9001 (decision 0079).
  it("names no trace of the portrait beside an approval", () => {
    expect(diagnosisOf(withTrace({ portrait: { noise: 2.1, grid: 0 } }))).toMatchObject({
      decision: "Credible",
      reasons: [],
    });
    const whole = { match: 1, information: 900 };
    const any = fc.record({
      noise: fc.constantFrom(0, 1.9, 2.1, 3),
      grid: fc.constantFrom(0, 0.35, 0.9),
      match: fc.constantFrom(0, 0.4, 1),
      lack: fc.constantFrom(0, 0.45, 1),
    });
    fc.assert(
      fc.property(any, ({ noise, grid, match, lack }) => {
        const { decision, reasons } = diagnosisOf(
          withTrace({
            portrait: { noise, grid },
            history: { portrait: whole, face: { match, information: 900 } },
            detail: { portrait: -lack, least: 0 },
          }),
        );
        const isNamed = reasons.some((reason) =>
          ["SECURITY_PHOTO_CHECK", "Photo_Replacement_Attack"].includes(reason),
        );
        expect([decision, isNamed]).toEqual(isNamed ? ["Doubtful", true] : ["Credible", false]);
      }),
    );
  });

  it("has a guide with every decision and every reason", () => {
    const guide = readFileSync(
      new URL("../../../../../docs/guides/understand/documents.md", import.meta.url),
      "utf8",
    );
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
      "Credible",
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
