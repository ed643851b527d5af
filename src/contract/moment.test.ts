import { describe, expect, it } from "vitest";
import { momentFault } from "./moment.ts";

describe("a point in time that bounds a list", () => {
  it.each([
    "2026-11-21",
    "2026-11-21T00:00Z",
    "2026-11-21T00:00:00Z",
    "2026-11-21T00:00:00.123456789Z",
    "2026-11-21T00:00:00-03:00",
  ])("may be %s", (text) => {
    expect(momentFault("from", text)).toEqual([]);
  });

  it.each([
    "2026-11-21T00:00:00",
    "2026-11-21T00:00:00.1234567890Z",
    "2026-13-01",
    "2026-11-32",
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
