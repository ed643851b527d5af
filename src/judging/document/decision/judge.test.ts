import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printed } from "#support/document/printed-lines";
import {
  caseOf,
  mergeSources,
  mrzOf,
  now,
  passportLines,
  readingOf,
  sideOf,
} from "#support/document/reading";
import { type Barcode, barcodeOf } from "../reading/barcode/barcode.ts";
import { checkDigit } from "../reading/mrz/check-digit.ts";
import type { SideReading } from "../reading/reading.ts";
import { decideDocument, measurementsOf } from "./decide.ts";
import { type Finding, stages } from "./finding.ts";
import { findingNames } from "./finding-names.ts";
import { findAll } from "./findings/all-rules.ts";
import { judgeDocument } from "./judge.ts";
import { type DocumentPolicy, defaultDocumentPolicy } from "./policy.ts";
import { openResultOf, recordOf } from "./verification-record.ts";

type Declared = Parameters<typeof caseOf>[1];

const decide = (
  front: SideReading,
  declared?: Declared,
  policy: Partial<DocumentPolicy> = {},
  back?: SideReading,
) => {
  const document = caseOf(readingOf(front, back), declared, policy);
  return judgeDocument(findAll(document), document.policy);
};

const withLines = (lines: readonly string[], change: Partial<SideReading> = {}) =>
  sideOf({ mrz: mrzOf(lines), ...change });

const digit = (text: string) => text + checkDigit(text);

const personal = { number: "F12345678", names: "SOLIS<PRUEBA<<ANA<MARIA", sex: "F", nationality: "CHL" };

/** The example passport with other dates and correct check digits. */
const passport = (
  birth: string,
  expiry: string,
  issuer = "CHL",
  change: Partial<typeof personal> = {},
): readonly string[] => {
  const { number, names, sex, nationality } = { ...personal, nationality: issuer, ...change };
  const [numbered, born, ends] = [digit(number), digit(birth), digit(expiry)];
  const optional = "<".repeat(15);
  return [
    `P<${issuer}${names}`.padEnd(44, "<"),
    `${numbered}${nationality}${born}${sex}${ends}${optional}${checkDigit(numbered + born + ends + optional)}`,
  ];
};

/** A North American licence, as read from the barcode on its back. */
const licenceOf = (expiry: string): Barcode => {
  const text = `@\n\x1e\rANSI 636000080002DL00410278ZV03190008DLDAQX1234\rDCSPRUEBA\rDBB01151990\rDBA${expiry}\rDCGUSA\r`;
  return barcodeOf({ symbology: "PDF417", bytes: Buffer.from(text, "latin1") });
};

const good = withLines(passportLines);

describe("the unsealed measurements of a document", () => {
  it("have neither the issuing state nor whether the holder is old enough", () => {
    const reading = readingOf(withLines(passport("150101", "350101", "PER")));
    const { declared, policy } = caseOf(reading, { country: "CHL", type: "PASSPORT" }, { ageYearsMin: 18 });
    const { findings } = decideDocument(
      { reading, fields: mergeSources(reading, now) },
      declared,
      now,
      policy,
    );
    expect(findings.find(({ name }) => name === "too-young")?.holds).toBe(true);
    const kept = JSON.stringify(measurementsOf(reading, findings));
    expect(kept).toContain('"name":"country-differs","holds":true');
    expect(kept).toContain('{"name":"too-young"}');
    const decision = { ...judgeDocument(findings, policy), reasonCode: 533 as const };
    const open = openResultOf("scan", 1, recordOf(mergeSources(reading, now), declared.type, decision, now));
    expect(open).toMatchObject({ code: 9102, reasonCode: null });
    expect(JSON.stringify(open)).not.toContain("533");
    expect(kept).not.toContain("PER");
  });
});

const expiringYesterday = (day: string) => {
  const reading = readingOf(withLines(passport("900101", "261120")));
  const fields = mergeSources(reading, new Date(day));
  const declared = { country: "CHL", type: "PASSPORT" } as const;
  return decideDocument({ reading, fields }, declared, new Date(day), defaultDocumentPolicy).decision.code;
};

describe("the decision", () => {
  it("approves a clear, valid passport of the declared country with a portrait", () => {
    expect(decide(good)).toEqual({
      code: 9001,
      status: "Approved",
      reason: null,
      reasonCode: null,
      others: [],
    });
  });

  it("declines an expired passport with a correct MRZ: one exact signal (511)", () => {
    expect(decide(withLines(passport("900101", "240101")))).toMatchObject({ code: 9102, reasonCode: 511 });
  });

  it("counts the day of expiry, and the day after while it is still that day somewhere", () => {
    expect(expiringYesterday("2026-11-20T23:59:00Z")).toBe(9001);
    expect(expiringYesterday("2026-11-21T11:59:00Z")).toBe(9001);
    expect(expiringYesterday("2026-11-21T12:00:00Z")).toBe(9102);
  });

  it("honours a decree that prolongs a country's documents", () => {
    const expiryGrace = [{ country: "CHL", acceptedUntil: "2026-12-31" }];
    expect(decide(withLines(passport("900101", "240101")), undefined, { expiryGrace }).code).toBe(9001);
  });

  it("sends clear but wrong check digits to review (507): one signal never declines", () => {
    const broken = [passportLines[0], passportLines[1].replace("9001011", "9001012")];
    expect(decide(withLines(broken))).toMatchObject({ code: 9121, reasonCode: 507 });
  });

  it("resubmits (645) where the MRZ was not clear, and reports the image (204) where it is blurred", () => {
    const unclear = mrzOf(passportLines, { accepted: false, clear: false, weakestMargin: 0.4 });
    expect(decide(sideOf({ mrz: unclear }))).toMatchObject({ code: 9103, reasonCode: 645 });
    const quality = { ...sideOf().quality, sharpness: 0.1 };
    expect(decide(sideOf({ mrz: unclear, quality }))).toMatchObject({ code: 9103, reasonCode: 204 });
  });

  it("never turns a fault of the capture into a fraud finding", () => {
    const broken = [passportLines[0], passportLines[1].replace("9001011", "9001012")];
    const quality = { ...sideOf().quality, height: 600, width: 900 };
    expect(decide(withLines(broken, { quality }))).toMatchObject({ code: 9103, reasonCode: 204, others: [] });
  });

  it.each([
    ["an image under 720 px", { quality: { ...sideOf().quality, width: 719 } }, 204],
    ["a JPEG below quality 70", { quality: { ...sideOf().quality, jpegQuality: 69 } }, 204],
    ["a card cut by the frame", { card: { ...sideOf().card!, outsideShare: 0.05 } }, 614],
    ["no MRZ on a passport", { mrz: undefined }, 645],
  ] as const)("asks for a new image for %s", (_, { ...change }, reasonCode) => {
    const { mrz, ...rest } = { ...good, ...change };
    const front: SideReading = mrz === undefined ? rest : { ...rest, mrz };
    expect(decide(front)).toMatchObject({ code: 9103, reasonCode });
  });

  it("asks for the whole document (614) where its MRZ is too near to the border, and finds no fraud", () => {
    const broken = [passportLines[0], passportLines[1].replace("9001011", "9001012")];
    const { card: _, ...frame } = withLines(broken);
    const cut = (margin: number) => ({ ...frame, mrz: { ...frame.mrz!, margin } });
    expect(decide(cut(-0.03))).toMatchObject({ code: 9103, reasonCode: 614, others: [] });
    expect(decide({ ...cut(-0.03), card: sideOf().card! }).reasonCode).toBe(507);
    expect(decide(cut(0.02)).reasonCode).toBe(507);
    const { card: __, ...whole } = good;
    expect(decide({ ...whole, mrz: { ...good.mrz!, margin: -0.01 } }).code).toBe(9001);
  });

  it("asks for a new image of a back that is cut (615)", () => {
    const back = sideOf({ sha256: "cd", card: { ...sideOf().card!, outsideShare: 0.05 } });
    expect(decide(good, undefined, {}, back)).toMatchObject({ code: 9103, reasonCode: 615 });
  });

  it("asks for both sides of one document (642)", () => {
    const other = withLines(passport("900101", "350101", "CHL", { number: "F87654321" }), { sha256: "cd" });
    expect(decide(good, undefined, {}, other)).toMatchObject({ code: 9103, reasonCode: 642 });
  });

  it("asks for an image of one document alone (642)", () => {
    const crowded = { ...good, otherCards: 1 };
    expect(decide(crowded)).toMatchObject({ code: 9103, reasonCode: 642 });
    expect(decide({ ...good, otherPortraits: 1 })).toMatchObject({ code: 9103, reasonCode: 642 });
  });

  it.each([
    [625, passport("900101", "350101", "CHL", { names: "" })],
    [627, passport("901301", "350101")],
    [629, passport("900101", "351301")],
    [630, passport("900101", "350101", "CHL", { sex: "1" })],
    [631, passport("900101", "350101", "CHL", { number: "<<<<<<<<<" })],
    [633, passport("900101", "350101", "CHL", { nationality: "<<<" })],
  ] as const)("asks for a field that the MRZ carries and that was not read (%s)", (reasonCode, lines) => {
    const front = sideOf({ mrz: mrzOf(lines, { accepted: true }) });
    expect(decide(front)).toMatchObject({ code: 9103, reasonCode });
  });

  it("resubmits a licence that has expired by its barcode alone (620)", () => {
    const back = sideOf({ sha256: "cd", barcodes: [licenceOf("01012020")] });
    const declared = { country: "USA", type: "DRIVING_LICENSE" } as const;
    expect(decide(sideOf(), declared, {}, back)).toMatchObject({ code: 9103, reasonCode: 620 });
  });

  it("sends a card whose day of expiry was not read to review (620)", () => {
    const [first, dates] = [`IDFRA${digit("BAA000589")}`.padEnd(30, "<"), [digit("900101"), digit("351301")]];
    const middle = `${dates[0]}F${dates[1]}FRA`.padEnd(29, "<");
    const all = checkDigit(first.slice(5) + dates.join("") + middle.slice(18));
    const lines = [first, `${middle}${all}`, "PRUEBA<<ANA".padEnd(30, "<")];
    const declared = { country: "FRA", type: "ID_CARD" } as const;
    const front = sideOf({
      lines: printed([0.4, 0.2, "BAA000589"], [0.4, 0.3, "PRUEBA"], [0.4, 0.4, "ANA"]),
    });
    const back = { ...withLines(lines), sha256: "cd", faces: 0 };
    expect(decide(front, declared, {}, back)).toMatchObject({ code: 9121, reasonCode: 620 });
  });

  it("finds no document in an image without card, face or data (647)", () => {
    const { card: _, portrait: __, ...bare } = sideOf({ faces: 0 });
    expect(decide(bare)).toMatchObject({ code: 9103, reasonCode: 647 });
    const selfie = { ...bare, faces: 1 };
    expect(decide(selfie)).toMatchObject({ code: 9103, reasonCode: 647 });
    const lines = printed([0.4, 0.2, "Apellidos"]);
    expect(decide({ ...selfie, lines })).toMatchObject({ code: 9103, reasonCode: 645 });
  });

  it("takes an issuer that ICAO does not know for a sign of fraud, and not for another country (507)", () => {
    const forged = (issuer: string, nationality = issuer) => {
      const front = withLines(passport("900101", "350101", issuer, { nationality }));
      const document = caseOf(readingOf(front), { country: "NLD", type: "PASSPORT" });
      const findings = findAll(document);
      const { code, reasonCode, others } = judgeDocument(findings, document.policy);
      return [code, reasonCode, others, findings.find(({ name }) => name === "issuer-unknown")?.isHint];
    };
    expect(forged("NEL")).toEqual([9121, 507, [], undefined]);
    // One of two codes may be misread.
    expect(forged("NEL", "NLD")).toEqual([9121, 507, [], true]);
    expect(forged("NLD", "NEL")).toEqual([9121, 507, [], true]);
    expect(forged("NLD")).toEqual([9001, null, [], true]);
  });

  it("asks for the declared kind and country (602)", () => {
    expect(decide(good, { country: "CHL", type: "VISA" })).toMatchObject({ code: 9103, reasonCode: 602 });
    expect(decide(good, { country: "PER", type: "PASSPORT" })).toMatchObject({ code: 9103, reasonCode: 602 });
    const british = withLines(passport("900101", "350101", "GBD"));
    expect(decide(british, { country: "GBR", type: "PASSPORT" }).code).toBe(9001);
  });

  it("declines a country that the installation does not serve (510)", () => {
    expect(decide(good, undefined, { countries: ["PER"] })).toMatchObject({ code: 9102, reasonCode: 510 });
  });

  it.each([
    [13, "131122", 9102, 530],
    [14, "121122", 9102, 531],
    [16, "101122", 9102, 532],
    [18, "081122", 9102, 533],
    [18, "081121", 9001, null],
    [20, "061122", 9102, 534],
    [21, "051122", 9102, 535],
    [25, "020101", 9102, 536],
  ] as const)("judges an age limit of %d for a birth on %s", (ageYearsMin, birth, code, reasonCode) => {
    const front = withLines(passport(birth, "350101"));
    expect(decide(front, undefined, { ageYearsMin })).toMatchObject({ code, reasonCode });
  });

  it("takes the latest possible day of a birth date that the document leaves open", () => {
    const [ofYear, ofMonth] = ["08<<<<", "0811<<"].map((birth) => withLines(passport(birth, "350101")));
    expect(decide(ofYear!, undefined, { ageYearsMin: 18 })).toMatchObject({ code: 9102, reasonCode: 533 });
    expect(decide(ofMonth!, undefined, { ageYearsMin: 18 })).toMatchObject({ code: 9102, reasonCode: 533 });
    expect(decide(ofYear!).code).toBe(9001);
  });

  it("sends an age to review where print and MRZ differ by a hundred years", () => {
    const born = (year: string) => printed([0.36, 0.5, "Date of birth"], [0.36, 0.55, `22 NOV ${year}`]);
    const policy = { ageYearsMin: 18 } as const;
    const decidedFor = (year: string) => {
      const front = withLines(passport("111122", "350101"), { lines: born(year) });
      const { code, reasonCode } = decide(front, undefined, policy);
      return [code, reasonCode];
    };
    expect(decidedFor("2011")).toEqual([9102, 533]);
    expect(decidedFor("1911")).toEqual([9121, 533]);
  });

  it("sends a specimen of Utopia to review (508)", () => {
    const front = withLines(passport("900101", "350101", "UTO"));
    expect(decide(front, { country: "UTO", type: "PASSPORT" })).toMatchObject({
      code: 9121,
      reasonCode: 508,
    });
  });

  it("declines when two different sources contradict (507, 508)", () => {
    const withBrokenDigit = (lines: readonly string[]) => [
      lines[0]!,
      `${lines[1]!.slice(0, 9)}${(Number(lines[1]![9]) + 1) % 10}${lines[1]!.slice(10)}`,
    ];
    const broken = withBrokenDigit(passport("900101", "350101"));
    const word = printed([0.1, 0.3, "SPECIMEN"]);
    expect(decide(withLines(broken, { lines: word }))).toMatchObject({
      code: 9102,
      reasonCode: 507,
      others: [508],
    });
    // Both findings rest on the same MRZ, which may be misread: one source.
    const utopia = withBrokenDigit(passport("900101", "350101", "UTO"));
    expect(decide(withLines(utopia), { country: "UTO", type: "PASSPORT" })).toMatchObject({
      code: 9121,
      reasonCode: 507,
    });
  });

  it("sends faults that are only hints to review at the last attempt", () => {
    const at = (finding: Partial<Finding>) =>
      judgeDocument(
        [{ ...anySign, code: 630, consequence: "resubmit", stage: "capture", ...finding }],
        defaultDocumentPolicy,
        10,
      );
    expect(at({})).toMatchObject({ code: 9102, reasonCode: 539 });
    expect(at({ isHint: true })).toMatchObject({ code: 9121, reasonCode: 630 });
  });

  it("asks for a portrait that was not found (643)", () => {
    const { portrait: _, ...front } = good;
    expect(decide({ ...front, faces: 0 })).toMatchObject({ code: 9103, reasonCode: 643 });
  });

  it("asks for the back of a card (609) that is missing or the front again", () => {
    const card = { country: "CHL", type: "ID_CARD" } as const;
    expect(decide(sideOf(), card)).toMatchObject({ code: 9103, reasonCode: 609 });
    expect(decide(sideOf(), card, {}, sideOf())).toMatchObject({ code: 9103, reasonCode: 609 });
  });

  it("asks for the front (608) where both images show a back", () => {
    const mrz = mrzOf([
      "INCHLA123456784S51<<<<<<<<<<<<",
      "9001011F3501014CHL12345678<5<7",
      "SOLIS<PRUEBA<<ANA<MARIA<<<<<<<",
    ]);
    const card = { country: "CHL", type: "ID_CARD" } as const;
    const [one, other] = ["ab", "cd"].map((hash) => sideOf({ mrz: mrz, faces: 0, sha256: hash.repeat(32) }));
    expect(decide(one!, card, {}, other)).toMatchObject({ code: 9103, reasonCode: 608 });
    expect(decide(sideOf({ mrz: mrz }), card, {}, other).reasonCode).not.toBe(608);
  });

  it("does not take an image without a document as a back (609)", () => {
    const card = { country: "PAN", type: "ID_CARD" } as const;
    const { card: _, portrait: __, ...landscape } = sideOf({ faces: 0, sha256: "cd".repeat(32) });
    expect(decide(sideOf(), card, {}, landscape)).toMatchObject({ code: 9103, reasonCode: 609 });
    const print = { ...landscape, lines: printed([0.1, 0.1, "Domicilio"]) };
    expect(decide(sideOf(), card, {}, print).reasonCode).not.toBe(609);
    const blurred = { ...landscape, quality: { ...landscape.quality, sharpness: 0.05 } };
    expect(decide(sideOf(), card, {}, blurred)).toMatchObject({ code: 9103, reasonCode: 204 });
  });

  it("asks for the open page of a passport (657) without portrait and MRZ", () => {
    expect(decide(sideOf({ faces: 0 }))).toMatchObject({ code: 9103, reasonCode: 657 });
    expect(decide(sideOf())).toMatchObject({ code: 9103, reasonCode: 645 });
    const { card: _, portrait: __, ...frame } = sideOf({ faces: 0 });
    expect(decide({ ...frame, lines: printed([0.3, 0.6, "Pasaporte"]) })).toMatchObject({
      code: 9103,
      reasonCode: 657,
    });
  });

  it("sends a card without MRZ and without model to review (647)", () => {
    const decision = decide(sideOf(), { country: "PAN", type: "ID_CARD" }, {}, sideOf({ sha256: "cd" }));
    expect(decision).toMatchObject({ code: 9121, reasonCode: 647 });
  });

  it("declines at the last attempt instead of a resubmission (539), and keeps the faults for the operator", () => {
    const unclear = mrzOf(passportLines, { accepted: false, clear: false });
    const bad = caseOf(readingOf(sideOf({ mrz: unclear })));
    const at = (attempt: number, document = bad) =>
      judgeDocument(findAll(document), document.policy, attempt);
    expect(at(9)).toMatchObject({ code: 9103, reasonCode: 645, others: [] });
    expect(at(10)).toMatchObject({ code: 9102, reasonCode: 539, others: [540] });
    const { portrait: _, ...faceless } = good;
    expect(at(10, caseOf(readingOf({ ...faceless, faces: 0 })))).toMatchObject({
      reasonCode: 539,
      others: [537],
    });
    expect(at(10, caseOf(readingOf(good))).code).toBe(9001);
    const specimen = withLines(passport("900101", "350101", "UTO"));
    expect(at(10, caseOf(readingOf(specimen), { country: "UTO", type: "PASSPORT" })).code).toBe(9121);
  });

  it("reports a weak sign by its weak reason and a strong one by its strong reason", () => {
    const screen = { ...anySign, code: 636, strong: 504 } as const;
    expect(judge([{ ...screen, consequence: "resubmit" }])).toMatchObject({ code: 9103, reasonCode: 636 });
    expect(judge([{ ...screen, consequence: "review" }])).toMatchObject({ code: 9121, reasonCode: 504 });
    const forged = {
      ...anySign,
      name: "portrait-replaced",
      stage: "portrait",
      code: 506,
      source: "y",
    } as const;
    expect(
      judge([
        { ...screen, consequence: "review" },
        { ...forged, consequence: "review" },
      ]),
    ).toMatchObject({
      code: 9102,
      reasonCode: 504,
      others: [506],
    });
  });

  it("lets the policy change what a finding does", () => {
    const { portrait: _, ...front } = good;
    const ignore = { consequences: { "portrait-missing": "ignore" } } as const;
    expect(decide({ ...front, faces: 0 }, undefined, ignore).code).toBe(9001);
  });

  it("lets no policy decline for a reason that may not decline alone", () => {
    const { portrait: _, ...front } = good;
    const decline = {
      consequences: { "portrait-missing": "decline", "check-digits-wrong": "decline" },
    } as const;
    expect(decide({ ...front, faces: 0 }, undefined, decline)).toMatchObject({ code: 9103, reasonCode: 643 });
    const broken = [passportLines[0], passportLines[1].replace("9001011", "9001012")];
    expect(decide(withLines(broken), undefined, decline)).toMatchObject({ code: 9102, reasonCode: 507 });
  });
});

const anySign = {
  name: "screen",
  stage: "recapture",
  holds: true,
  source: "x",
  neededForApproval: false,
  evidence: {},
} as const;

const anyFinding: fc.Arbitrary<Finding> = fc.record({
  name: fc.constantFrom(...findingNames),
  stage: fc.constantFrom(...stages),
  holds: fc.constantFrom(true, false, "unknown" as const),
  code: fc.constantFrom(204 as const, 507 as const, 511 as const, 602 as const),
  consequence: fc.constantFrom("decline" as const, "resubmit" as const, "review" as const),
  source: fc.constantFrom("x", "y"),
  neededForApproval: fc.boolean(),
  evidence: fc.constant({}),
});

const judge = (findings: readonly Finding[]) => judgeDocument(findings, defaultDocumentPolicy);

describe("any findings", () => {
  it("are approved only when none holds and every needed answer is no", () => {
    fc.assert(
      fc.property(fc.array(anyFinding, { maxLength: 8 }), (findings) => {
        const isClean = findings.every(
          ({ holds, neededForApproval }) => holds === false || (holds === "unknown" && !neededForApproval),
        );
        expect(judge(findings).code === 9001).toBe(isClean);
      }),
    );
  });

  it("decline only for an exact finding or for contradictions from two sources", () => {
    fc.assert(
      fc.property(fc.array(anyFinding, { maxLength: 8 }), (findings) => {
        const holding = findings.filter(({ holds }) => holds === true);
        const sources = new Set(
          holding
            .filter(
              ({ stage, consequence }) =>
                ["contradiction", "recapture", "portrait"].includes(stage) && consequence === "review",
            )
            .map(({ source }) => source),
        );
        const mayDecline = holding.some(({ consequence }) => consequence === "decline") || sources.size > 1;
        expect(judge(findings).code === 9102 && !mayDecline).toBe(false);
      }),
    );
  });

  it("carry a reason exactly when they do not approve", () => {
    fc.assert(
      fc.property(fc.array(anyFinding, { maxLength: 8 }), (findings) => {
        const { code, reason, reasonCode } = judge(findings);
        expect([reason === null, reasonCode === null]).toEqual([code === 9001, code === 9001]);
      }),
    );
  });
});

it("counts from the moment of the case, never from the clock", () => {
  const front = withLines(passport("300101", "350101"));
  const bornBy = (day: string) => mergeSources(readingOf(front), new Date(day)).values.dateOfBirth?.value;
  expect([bornBy("2029-12-31"), bornBy("2030-01-01")]).toEqual(["1930-01-01", "2030-01-01"]);
});
