import { describe, expect, it } from "vitest";
import { justBelow } from "#support/contract/statistics/thresholds";
import { cardReading, chile } from "#support/document/national-cards";
import { caseOf, mrzOf, passportLines, readingOf, sideOf } from "#support/document/reading";
import type { ImageQuality } from "../../reading/reading.ts";
import type { FieldName } from "../../values/field-name.ts";
import type { DocumentFields } from "../fields.ts";
import type { DocumentCase, Finding, FindingRule } from "../finding.ts";
import type { DocumentModel } from "../models/document-model.ts";
import { readDocumentModels } from "../models/read-models.ts";
import type { FieldReading } from "../sources/field-reading.ts";
import { datesInOrderRule } from "./dates-in-order.ts";
import { expiryRule } from "./expiry.ts";
import { imagesRule } from "./images.ts";
import { numberCorroboratedRule } from "./number-corroborated.ts";
import { portraitRule } from "./portrait.ts";
import { specimenRule } from "./specimen.ts";
import { typeRule } from "./type.ts";
import { validityRule } from "./validity.ts";
import { vizNumberRule } from "./viz-number.ts";

type Value = NonNullable<DocumentFields["values"][FieldName]>;
const value = (text: string, change: Partial<Value> = {}): Value => ({
  value: text,
  sources: ["mrz"],
  confidence: 1,
  confirmedBy: [],
  readings: [],
  ...change,
});
const model = readDocumentModels().national.find(({ validity, issued }) => validity?.years && issued)!;

/** A document with these values and nothing else. */
const caseWith = (
  values: DocumentFields["values"],
  fields: Partial<DocumentFields> = {},
  change: Partial<DocumentCase> = {},
): DocumentCase => {
  const empty = caseOf(readingOf(sideOf()));
  return { ...empty, ...change, fields: { ...empty.fields, values, ...fields } };
};
const findIn = (rule: FindingRule, name: Finding["name"], document: DocumentCase): Finding => {
  const found = rule(document).find((one) => one.name === name);
  if (found === undefined) throw new Error(`The rule has no finding ${name}`);
  return found;
};

describe("dates out of order", () => {
  const holds = (birth?: string, issue?: string, expiry?: string, change: Partial<Value> = {}) =>
    findIn(
      datesInOrderRule,
      "dates-out-of-order",
      caseWith({
        ...(birth !== undefined && { dateOfBirth: value(birth, change) }),
        ...(issue !== undefined && { dateOfIssue: value(issue) }),
        ...(expiry !== undefined && { dateOfExpiry: value(expiry) }),
      }),
    ).holds;

  it.each([
    ["1990-01-01", "2020-01-01", "2030-01-01", false],
    ["1990-01-01", "1990-01-01", "1990-01-01", false],
    ["1990-01-02", "1990-01-01", "2030-01-01", true],
    ["1990-01-02", undefined, "1990-01-01", true],
    ["1990-01-01", "2020-01-02", "2020-01-01", true],
    ["1990-01-01", "2020-01-01", undefined, false],
    ["1990-01-01", "2026-11-22", undefined, false],
    ["1990-01-01", "2026-11-23", undefined, true],
    ["1990-01-01", undefined, undefined, "unknown"],
    [undefined, "2030-01-01", "2020-01-01", "unknown"],
  ] as const)("of birth %s, issue %s, expiry %s: %s", (birth, issue, expiry, expected) => {
    expect(holds(birth, issue, expiry)).toBe(expected);
  });

  it("are none where a date may have been misread", () => {
    expect(holds("1990-01-02", "1990-01-01", undefined, { confidence: 0.9 })).toBe(true);
    expect(holds("1990-01-02", "1990-01-01", undefined, { confidence: justBelow(0.9) })).toBe("unknown");
  });

  it("name every source once", () => {
    const document = caseWith({
      dateOfBirth: value("1990-01-01", { sources: ["mrz", "print"] }),
      dateOfExpiry: value("2030-01-01", { sources: ["print", "barcode"] }),
    });
    expect(findIn(datesInOrderRule, "dates-out-of-order", document)).toMatchObject({
      source: "mrz print barcode",
      code: 507,
      consequence: "review",
    });
  });
});

describe("a document's expiry", () => {
  const expiryOf = (expires: string | undefined, change: Partial<DocumentCase> = {}, fields = {}) =>
    findIn(
      expiryRule,
      "expired",
      caseWith(expires === undefined ? {} : { dateOfExpiry: value(expires) }, fields, change),
    );
  const at = (time: string) => ({ now: new Date(time) });

  it("is over when its day has ended everywhere on Earth, and not a millisecond before", () => {
    const holds = (time: string) => expiryOf("2026-11-20", at(time)).holds;
    expect(holds("2026-11-21T11:59:59.999Z")).toBe(false);
    expect(holds("2026-11-21T12:00:00.000Z")).toBe(true);
  });

  it("is prolonged by a decree of its own country, to the last day", () => {
    const policyWith = (country: string) => ({
      ...caseWith({}).policy,
      expiryGrace: [{ country, acceptedUntil: "2026-11-20" }],
    });
    const holds = (country: string, time: string) =>
      findIn(
        expiryRule,
        "expired",
        caseWith(
          { dateOfExpiry: value("2020-01-01"), issuer: value("CHL") },
          {},
          { ...at(time), policy: policyWith(country) },
        ),
      ).holds;
    expect(holds("CHL", "2026-11-21T11:59:59.999Z")).toBe(false);
    expect(holds("CHL", "2026-11-21T12:00:00.000Z")).toBe(true);
    expect(holds("PER", "2026-11-21T11:59:59.999Z")).toBe(true);
  });

  it("is exact where an accepted MRZ has it or two sources agree, else asks for a better image", () => {
    const accepted = { mrz: caseOf(readingOf(sideOf({ mrz: mrzOf(passportLines) }))).fields.mrz! };
    const of = (change: Partial<Value>, fields = {}) => {
      const { code, consequence, evidence } = findIn(
        expiryRule,
        "expired",
        caseWith({ dateOfExpiry: value("2020-01-01", change) }, fields),
      );
      return [code, consequence, evidence["isExact"], evidence["sources"]];
    };
    expect(of({}, accepted)).toEqual([511, "decline", true, "mrz"]);
    expect(of({ sources: ["barcode", "print"] })).toEqual([511, "decline", true, "barcode print"]);
    expect(of({ sources: ["barcode"] })).toEqual([620, "resubmit", false, "barcode"]);
    expect(of({})).toEqual([620, "resubmit", false, "mrz"]);
  });

  it("is open where it was not read, and none where the document says so", () => {
    expect(expiryOf(undefined)).toMatchObject({
      holds: "unknown",
      neededForApproval: true,
      evidence: { sources: "" },
    });
    expect(expiryOf(undefined, {}, { neverExpires: true }).holds).toBe(false);
    expect(expiryOf("2020-01-01", {}, { neverExpires: true }).holds).toBe(true);
  });

  it("of a generation ends with its last day, and is a hint where the day is not sure", () => {
    const issuedWith = (issued: DocumentModel["issued"]) => ({
      model: { ...model, ...(issued && { issued }) },
    });
    const ended = (acceptedUntil: string, sure: "O" | "?", time = "2026-11-21T12:00:00.000Z") =>
      findIn(expiryRule, "generation-ended", caseWith({}, issuedWith({ acceptedUntil, sure }), at(time)));
    expect(ended("2026-11-21", "O").holds).toBe(false);
    expect(ended("2026-11-20", "O")).toMatchObject({ holds: true, consequence: "resubmit", code: 620 });
    expect(ended("2026-11-20", "O")).not.toHaveProperty("isHint");
    expect(ended("2026-11-20", "?")).toMatchObject({ holds: true, consequence: "review", isHint: true });
    const open = findIn(expiryRule, "generation-ended", caseWith({}, issuedWith({ sure: "O" })));
    expect(open).toMatchObject({ holds: "unknown", consequence: "resubmit" });
    expect(findIn(expiryRule, "generation-ended", caseWith({}))).toMatchObject({
      holds: "unknown",
      isHint: true,
    });
  });
});

describe("a validity that is too long", () => {
  const validity = (years: number[] | undefined, sure: "O" | "?" = "O") => ({
    model: { ...model, validity: { noExpiry: false, sure, ...(years && { years }) } },
  });
  const judged = (issue: string, expiry: string, fields: Partial<DocumentFields>, confidence = 1) =>
    findIn(
      validityRule,
      "validity-too-long",
      caseWith({ dateOfIssue: value(issue), dateOfExpiry: value(expiry, { confidence }) }, fields),
    );

  it("is a whole year above the longest of its model", () => {
    const holds = (expiry: string) => judged("2020-06-15", expiry, validity([5, 10])).holds;
    expect(["2025-06-15", "2030-06-15", "2031-06-14", "2031-06-15"].map(holds)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it("is known only for sure dates of a model with years", () => {
    expect(judged("2020-06-15", "2040-06-15", validity([10]), 0.97).holds).toBe(true);
    expect(judged("2020-06-15", "2040-06-15", validity([10]), justBelow(0.97)).holds).toBe("unknown");
    expect(judged("2020-06-15", "2040-06-15", validity(undefined)).holds).toBe("unknown");
    expect(
      findIn(
        validityRule,
        "validity-too-long",
        caseWith({ dateOfIssue: value("2020-01-01") }, validity([10])),
      ),
    ).toMatchObject({ holds: "unknown", source: "mrz" });
  });

  it("is a hint where the years are not sure", () => {
    expect(judged("2020-06-15", "2040-06-15", validity([10]))).not.toHaveProperty("isHint");
    expect(judged("2020-06-15", "2040-06-15", validity([10], "?")).isHint).toBe(true);
  });
});

describe("a number that one weak source has", () => {
  const isUnconfirmed = (values: DocumentFields["values"], fields: Partial<DocumentFields> = {}) =>
    findIn(numberCorroboratedRule, "number-unconfirmed", caseWith(values, fields)).holds;
  const mrz = (clear: boolean) => ({
    mrz: caseOf(readingOf(sideOf({ mrz: mrzOf(passportLines, { clear, accepted: false }) }))).fields.mrz!,
  });

  it("is confirmed by a clear MRZ, or by two sources of either number", () => {
    const [one, two] = [value("1", { sources: ["print"] }), value("1", { sources: ["print", "barcode"] })];
    expect(isUnconfirmed({})).toBe(true);
    expect(isUnconfirmed({ documentNumber: one, personalNumber: one })).toBe(true);
    expect(isUnconfirmed({ documentNumber: two })).toBe(false);
    expect(isUnconfirmed({ personalNumber: two })).toBe(false);
    expect([isUnconfirmed({}, mrz(true)), isUnconfirmed({}, mrz(false))]).toEqual([false, true]);
  });
});

describe("a printed number with a wrong check digit", () => {
  const printed = (change: Partial<FieldReading>): FieldReading => ({
    name: "personalNumber",
    source: "print",
    side: "front",
    value: "1",
    raw: "1",
    confidence: 1,
    readConfidence: 1,
    ...change,
  });
  const judged = (...readings: readonly FieldReading[]) =>
    findIn(
      vizNumberRule,
      "printed-check-digit-wrong",
      caseWith({ personalNumber: value("1", { readings }) }),
    );

  it("was read with this confidence at least", () => {
    expect(judged(printed({ isBroken: true, readConfidence: 0.95 }))).toMatchObject({
      holds: true,
      evidence: { fields: "personalNumber" },
    });
    expect(judged(printed({ isBroken: true, readConfidence: justBelow(0.95) })).holds).toBe(false);
    const { readConfidence: _, ...unmeasured } = printed({ isBroken: true });
    expect(judged(unmeasured).holds).toBe(false);
  });

  it("is none where a right digit confirms the number, and open where nothing was checked", () => {
    expect(judged(printed({ confirmedBy: "check-digit" })).holds).toBe(false);
    expect(judged(printed({})).holds).toBe("unknown");
    expect(judged(printed({ source: "mrz", isBroken: true })).holds).toBe("unknown");
  });

  it("is a hint without a rule of its country that may decline", () => {
    expect(judged(printed({ isBroken: true })).isHint).toBe(true);
  });
});

describe("a specimen", () => {
  const judged = (text: string, values: DocumentFields["values"] = {}, side: "front" | "back" = "front") => {
    const withLine = sideOf({
      lines: [{ text, confidence: 0.99, box: { x: 0, y: 0, width: 1, height: 1 } }],
    });
    const reading = side === "front" ? readingOf(withLine) : readingOf(sideOf(), withLine);
    return findIn(specimenRule, "specimen", caseWith(values, {}, { reading }));
  };
  const chilean = { issuer: value("CHL"), nationality: value("CHL") };

  it.each([
    ["SPECIMEN", true],
    ["Espécimen", true],
    ["** MUESTRA **", true],
    ["CALLE MUESTRA 3", false],
    ["SAMPLE", true],
    ["MODELO", true],
    ["MODEL", false],
  ])("says %s in a line of its own: %s", (text, holds) => {
    expect(judged(text, chilean).holds).toBe(holds);
    expect(judged(text, chilean, "back").holds).toBe(holds);
  });

  it("carries a mark of one of its words at any angle, or a part of it, unless its holder is called so", () => {
    const marked = (text: string, values: DocumentFields["values"] = chilean) => {
      const reading = readingOf(sideOf({ marks: [{ text, confidence: 0.6 }] }));
      return findIn(specimenRule, "specimen", caseWith(values, {}, { reading })).holds;
    };
    expect(["SPECIMEN", "ECIMEN", "ANULA", "MUSTER"].map((text) => marked(text))).toEqual(
      Array(4).fill(true),
    );
    expect(["CHILE", "NUESTRA", "CIME"].map((text) => marked(text))).toEqual(Array(3).fill(false));
    const named = { name: "lastName", source: "print", side: "front", value: "MUSTER" } as const;
    const readings = [{ ...named, raw: "MUSTER", confidence: 1 }];
    const holder = { ...chilean, lastName: value("MUSTER", { readings }) };
    expect(["MUSTER", "MUSTFR"].map((text) => marked(text, holder))).toEqual([false, false]);
    const town = { ...named, value: "MODELLI", raw: "MODELLI", confidence: 1 };
    expect(marked("MODELL")).toBe(true);
    expect(marked("MODELLI", { ...chilean, lastName: value("MODELLI", { readings: [town] }) })).toBe(false);
  });

  it("has an invented name or number, or one that was published as a specimen's", () => {
    const stating = (
      name: "documentNumber" | "lastName",
      text: string,
      issuer = "CHL",
      specimens = caseWith({}).policy.specimens,
    ) => {
      const of = (own: FieldName, other: string) =>
        value(other, {
          readings: [{ name: own, source: "mrz", side: "front", value: other, raw: other, confidence: 1 }],
        });
      const values = { issuer: of("issuer", issuer), [name]: of(name, text) };
      const policy = { ...caseWith({}).policy, specimens };
      return findIn(specimenRule, "specimen", caseWith(values, {}, { policy })).holds;
    };
    expect([stating("lastName", "SPECIMEN"), stating("documentNumber", "SPECI2014")]).toEqual([true, true]);
    expect([stating("documentNumber", "C01X00T47", "DEU"), stating("documentNumber", "C01X00T47")]).toEqual([
      true,
      false,
    ]);
    expect([
      stating("documentNumber", "E00007730", "USA"),
      stating("documentNumber", "E-0000 7730", "USA"),
      stating("documentNumber", "E00007731", "USA"),
      stating("documentNumber", "E00007730", "CAN"),
    ]).toEqual([true, true, false, false]);
    const own = { numbers: ["F-1234.5678"], mrzTexts: [] };
    expect([
      stating("documentNumber", "F12345678", "CHL", own),
      stating("documentNumber", "F12345678"),
    ]).toEqual([true, false]);
    const ofMrz = (mrzTexts: readonly string[]) => {
      const document = caseOf(readingOf(sideOf({ mrz: mrzOf(passportLines) })));
      const policy = { ...document.policy, specimens: { numbers: [], mrzTexts } };
      return findIn(specimenRule, "specimen", { ...document, policy }).holds;
    };
    expect([ofMrz([]), ofMrz(["solis<prueba<<ana"])]).toEqual([false, true]);
  });

  it.each([
    ["NLD", "DE<BRUIJN<<WILLEKE<LISELOTTE", true],
    ["ESP", "ESPANOLA<ESPANOLA<<CARMEN", true],
    ["BEL", "DE<BRUIJN<<WILLEKE<LISELOTTE", false],
    ["NLD", "DE<BRUIJN<<WILLEKE<LISELOTTE<ANNA", false],
    ["ESP", "ESPANOLA<ESPANOLA<<CARMENCITA", false],
    ["NLD", "VAN<DE<BRUIJN<<WILLEKE<LISELOTTE", false],
    ["SWE", "ERIKSSON<<ANNA<MARIA", false],
    ["USA", "TRAVELER<<HAPPY", true],
    ["CAN", "TRAVELER<<HAPPY", false],
    ["USA", "TRAVELER<<HAPPY<ANNE", false],
  ])("has the whole name that its issuer published: %s %s is %s", (issuer, name, holds) => {
    const first = `P<${issuer}${name}`.padEnd(44, "<");
    const second = passportLines[1].replace("CHL", issuer);
    const document = caseOf(readingOf(sideOf({ mrz: mrzOf([first, second]) })));
    expect(document.fields.values.issuer?.value).toBe(issuer);
    expect(findIn(specimenRule, "specimen", document).holds).toBe(holds);
  });

  it("is issued by Utopia or for its nationals", () => {
    const holds = (values: DocumentFields["values"]) => judged("NOTHING", values).holds;
    expect(holds({ issuer: value("UTO") })).toBe(true);
    expect(holds({ issuer: value("CHL"), nationality: value("UTO") })).toBe(true);
    expect(holds(chilean)).toBe(false);
    expect(holds({})).toBe("unknown");
  });

  it("is none where a field of the document has the word as a name", () => {
    const surname = { name: "lastName", source: "print", side: "front", value: "PRUEBA MODELO" } as const;
    const readings = [{ ...surname, raw: "PRUEBA MODELO", confidence: 1 }];
    expect(judged("MODELO", { ...chilean, lastName: value("PRUEBA MODELO", { readings }) }).holds).toBe(
      false,
    );
    expect(judged("SPECIMEN", { ...chilean, lastName: value("SPECIMEN", { readings }) }).holds).toBe(true);
  });

  it("names its source", () => {
    expect(judged("SPECIMEN", chilean).source).toBe("print");
    expect(judged("NOTHING", { issuer: value("UTO", { sources: ["mrz", "barcode"] }) }).source).toBe(
      "mrz barcode",
    );
    expect(judged("NOTHING").source).toBe("issuer");
  });
});

describe("a document of another type or country", () => {
  const judged = (
    values: DocumentFields["values"],
    fields: Partial<DocumentFields>,
    change: Partial<DocumentCase>,
  ) =>
    Object.fromEntries(
      typeRule(caseWith(values, fields, change)).map(({ name, holds, evidence }) => [
        name,
        [holds, evidence],
      ]),
    );
  const read = (line: string, clear = true) => ({
    mrz: caseOf(readingOf(sideOf({ mrz: mrzOf([line.padEnd(44, "<"), passportLines[1]], { clear }) }))).fields
      .mrz!,
  });
  const declared = (type: DocumentCase["declared"]["type"], country = "CHL") => ({
    declared: { type, country },
  });

  it.each([
    ["P<CHLSOLIS<<ANA", "PASSPORT", "VISA"],
    ["V<CHLSOLIS<<ANA", "VISA", "PASSPORT"],
  ] as const)("has the type of its MRZ: %s is a %s", (line, type, other) => {
    const issuer = { issuer: value("CHL") };
    expect(judged(issuer, read(line), declared(type))["type-differs"]?.[0]).toBe(false);
    expect(judged(issuer, read(line), declared(other))["type-differs"]).toEqual([
      true,
      { declared: other, found: type },
    ]);
    expect(judged(issuer, read(line, false), declared(other))["type-differs"]?.[0]).toBe("unknown");
  });

  it("has the type of its model without an MRZ, and none without either", () => {
    const own = { model: { ...model, type: "ID_CARD" as const } };
    expect(judged({}, own, declared("ID_CARD"))["type-differs"]?.[0]).toBe(false);
    expect(judged({}, own, declared("PASSPORT"))["type-differs"]?.[0]).toBe(true);
    expect(judged({}, {}, declared("PASSPORT"))["type-differs"]?.[0]).toBe("unknown");
  });

  it("of an MRZ that a residence permit and an identity card share has the type that its model or its heading states", () => {
    const issuer = { issuer: value("CHL") };
    const { mrz: ofCard } = caseOf(cardReading(chile)).fields;
    const card = ofCard === undefined ? {} : { mrz: ofCard };
    expect(ofCard?.fields?.documentCode).toMatch(/^I/);
    const types = (of: object) =>
      (["ID_CARD", "RESIDENCE_PERMIT"] as const).map(
        (type) => judged(issuer, { ...card, ...of }, declared(type))["type-differs"]?.[0],
      );
    expect(types({})).toEqual([false, false]);
    expect(types({ model: { ...model, type: "ID_CARD" } })).toEqual([false, true]);
    expect(types({ model: { ...model, type: "RESIDENCE_PERMIT" } })).toEqual([true, false]);
    // A model for every country states no kind that the MRZ does not state, and neither does a heading of an
    // identity card.
    expect(types({ model: { ...model, type: "ID_CARD", country: "*" } })).toEqual([false, false]);
    expect(types({ headedKind: "ID_CARD" })).toEqual([false, false]);
    expect(types({ headedKind: "RESIDENCE_PERMIT" })).toEqual([true, false]);
    expect(types({ headedKind: "DRIVING_LICENSE" })).toEqual([false, false]);
  });

  it("has the country of its issuer, whose British codes are those of one country", () => {
    const differs = (issuer: string, country: string) =>
      judged({ issuer: value(issuer) }, {}, declared("PASSPORT", country))["country-differs"]?.[0];
    expect([differs("CHL", "CHL"), differs("PER", "CHL")]).toEqual([false, true]);
    expect(["GBD", "GBN", "GBO", "GBP", "GBS"].map((code) => differs(code, "GBR"))).toEqual(
      Array(5).fill(false),
    );
    expect(["GBD", "PER"].map((code) => differs(code, "CHL"))).toEqual([true, true]);
    // ICAO does not know it: 507.
    expect(differs("GBZ", "CHL")).toBe("unknown");
    expect(judged({}, {}, declared("PASSPORT"))["country-differs"]?.[0]).toBe("unknown");
    const unclear = judged({ issuer: value("PER") }, read("P<PERSOLIS<<ANA", false), declared("PASSPORT"));
    expect(unclear["country-differs"]).toEqual(["unknown", { declared: "CHL" }]);
  });

  it("is not served where the policy names other countries", () => {
    const isRefused = (countries: readonly string[]) =>
      judged({}, {}, { ...declared("PASSPORT"), policy: { ...caseWith({}).policy, countries } })[
        "country-not-served"
      ]?.[0];
    expect([isRefused([]), isRefused(["CHL"]), isRefused(["PER"]), isRefused(["PER", "CHL"])]).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });
});

it("a front without a portrait is missing it", () => {
  const { portrait: _, ...bare } = sideOf();
  const missing = (side: typeof bare) => findIn(portraitRule, "portrait-missing", caseOf(readingOf(side)));
  expect([missing(sideOf()).holds, missing(bare).holds]).toEqual([false, true]);
  expect(missing(bare)).toMatchObject({ code: 643, consequence: "resubmit", evidence: { faces: 1 } });
});

describe("a poor image", () => {
  const evidenceOf = (quality: Partial<ImageQuality>) => {
    const side = sideOf();
    const document = caseOf(readingOf({ ...side, quality: { ...side.quality, ...quality } }));
    return imagesRule(document).find(({ name }) => name === "front-picture-poor");
  };

  it.each([
    [
      { width: 640, height: 900 },
      { shortSidePx: 640, shortSidePxMin: 720 },
    ],
    [{ jpegQuality: 69 }, { jpegQuality: 69, jpegQualityMin: 70 }],
    [{ sharpness: 0.1 }, { sharpness: 0.1, sharpnessMin: 0.15 }],
    [{ overexposedShare: 0.5 }, { overexposedShare: 0.5, overexposedShareMax: 0.4 }],
    [{ brightness: 39 }, { brightness: 39, brightnessMin: 40 }],
  ])("names the limit that it breaks, beside its value: %j", (quality, evidence) => {
    const found = evidenceOf(quality);
    expect(found).toMatchObject({ holds: true, code: 204, evidence });
    expect(Object.keys(found?.evidence ?? {}).filter((name) => /M(?:in|ax)$/.test(name))).toHaveLength(1);
  });

  it("names no limit where it breaks none", () => {
    const found = evidenceOf({ width: 720, height: 900, jpegQuality: 70 });
    expect(found?.holds).toBe(false);
    expect(Object.keys(found?.evidence ?? {}).filter((name) => /M(?:in|ax)$/.test(name))).toEqual([]);
  });
});
