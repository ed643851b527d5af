import { describe, expect, it } from "vitest";
import { momentFault, rangeFaults } from "./moment.ts";

describe("a point in time that bounds a list", () => {
  it.each([
    "2026-11-21",
    "2026-11-21T00:00Z",
    "2026-11-21T00:00:00Z",
    "2026-11-21T00:00:00.123456789Z",
    "2026-11-21T00:00:00-03:00",
    "2024-02-29",
    "0001-01-01",
    "9999-12-31",
  ])("may be %s", (text) => {
    expect(momentFault("from", text)).toEqual([]);
  });

  it.each([
    "2026-11-21T00:00:00",
    "2026-11-21T00:00:00.1234567890Z",
    "2026-13-01",
    "2026-11-32",
    "2026-02-30",
    "2026-02-29T00:00:00Z",
    "2026-11-31T23:00:00-03:00",
    "2026-11-21T25:00Z",
    "20261121",
    " 2026-11-21",
    "21 November 2026",
    "tomorrow",
    "0",
  ])("is refused where it has no offset, no such day or another form: %j", (text) => {
    expect(momentFault("from", text)).toEqual([
      { field: "from", message: "must be a date, or a time with its offset, in ISO 8601", code: 1104 },
    ]);
  });

  it("is absent where the text is empty, and another value is left to the schema", () => {
    for (const value of ["", undefined, null, 3, {}]) expect(momentFault("from", value)).toEqual([]);
  });
});

const noon = "2026-11-25T12:00:00Z";
const fieldsOf = (from: unknown, to: unknown): readonly string[] =>
  rangeFaults({ from, to }).map(({ field }) => field);

describe("a range of time", () => {
  it("is open at an end that is not given", () => {
    expect([fieldsOf(undefined, noon), fieldsOf(noon, undefined), fieldsOf(noon, "")]).toEqual([[], [], []]);
  });

  it("ends after its begin, whatever the offsets", () => {
    expect(fieldsOf(noon, "2026-11-25T12:00:00.001Z")).toEqual([]);
    expect(fieldsOf(noon, noon)).toEqual(["to"]);
    expect(fieldsOf(noon, "2026-11-25T13:00:00+02:00")).toEqual(["to"]);
    expect(fieldsOf("2026-11-25", "2026-11-25")).toEqual(["to"]);
    expect(fieldsOf("2026-11-25", "2026-11-26")).toEqual([]);
  });

  it("names each end that is no time", () => {
    expect(fieldsOf("yesterday", "2026-13-40")).toEqual(["from", "to"]);
  });
});
