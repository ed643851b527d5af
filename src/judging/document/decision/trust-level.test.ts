import { describe, expect, it } from "vitest";
import { caseOf, mrzOf, passportLines, readingOf, sideOf } from "#support/document/reading";
import type { DocumentFields } from "./fields.ts";
import type { FieldReading, FieldSource } from "./sources/field-reading.ts";
import { isBirthDigital, isCorroborated, trustLevelOf } from "./trust-level.ts";

const fieldsWhere = (accepted: boolean): DocumentFields =>
  caseOf(readingOf(sideOf({ mrz: mrzOf(passportLines, { accepted }) }))).fields;

const readingWhere = (change: Partial<FieldReading>): FieldReading => ({
  name: "dateOfBirth",
  source: "print",
  side: "front",
  value: "1990-01-01",
  raw: "01.01.1990",
  confidence: 1,
  ...change,
});

describe("trust in a reading", () => {
  it.each([
    [{ source: "mrz", confidence: 0.95 }, "confirmed"],
    [{ source: "mrz", confidence: 0.94 }, "read"],
    [{ source: "barcode", confidence: 0.95 }, "confirmed"],
    [{ confidence: 1 }, "reliable"],
    [{ confidence: 0.95 }, "reliable"],
    [{ confidence: 0.94 }, "read"],
    [{ confidence: 0.97, confirmedBy: "calendar" }, "confirmed"],
    [{ confidence: 0.96, confirmedBy: "calendar" }, "reliable"],
    [{ confidence: 0.9, confirmedBy: "calendar" }, "reliable"],
    [{ confidence: 0.89, confirmedBy: "calendar" }, "read"],
    [{ confidence: 1, confirmedBy: "rule", isBroken: true }, "read"],
  ] as const)("of %j is %s", (change, level) => {
    expect(trustLevelOf(fieldsWhere(true), readingWhere(change))).toBe(level);
  });

  it("is the lowest for an MRZ that is not accepted", () => {
    expect(trustLevelOf(fieldsWhere(false), readingWhere({ source: "mrz" }))).toBe("read");
  });
});

describe("a birth date from", () => {
  const from = (accepted: boolean, sources: readonly FieldSource[]): DocumentFields => {
    const value = { value: "1990-01-01", sources, confidence: 1, confirmedBy: [], readings: [] };
    return { ...fieldsWhere(accepted), values: { dateOfBirth: value } };
  };

  it.each([
    [true, ["mrz"], true, true],
    [false, ["mrz"], false, false],
    [false, ["barcode"], false, true],
    [false, ["print"], false, false],
    [false, ["mrz", "print"], true, false],
    [false, ["barcode", "print"], true, true],
  ] as const)(
    "an MRZ (accepted: %j) and the sources %j is corroborated: %j, digital: %j",
    (accepted, sources, corroborated, digital) => {
      const fields = from(accepted, sources);
      expect([isCorroborated(fields, "dateOfBirth"), isBirthDigital(fields)]).toEqual([
        corroborated,
        digital,
      ]);
    },
  );
});
