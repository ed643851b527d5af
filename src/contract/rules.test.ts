import { describe, expect, it } from "vitest";
import { isCalendarDate } from "./calendar-date.ts";
import { isCountryCode, isIsoCountry } from "./country.ts";
import { facialAuthenticationNumber } from "./facial-authentication.ts";
import { livenessNumber } from "./liveness.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { isGiven, knownCountry, requiredWhen } from "./request-rule.ts";
import { trackingOf } from "./tracking.ts";

describe("the outcome of a pair of results", () => {
  type Liveness = keyof typeof livenessNumber;
  const livenessNames = Object.keys(livenessNumber).filter(
    (name): name is Liveness => name in livenessNumber,
  );
  const withLiveness = (facial: keyof typeof facialAuthenticationNumber | undefined) =>
    livenessNames.map((name): readonly [Liveness, Outcome] => [
      name,
      outcomeOf({
        liveness: livenessNumber[name],
        ...(facial !== undefined && { facial: facialAuthenticationNumber[facial] }),
      }),
    ]);
  const [errors, attacks] = [
    ["NoneBecauseInternalError", "NoneBecauseLicenseError"],
    ["Spoof", "NoLive"],
  ];

  it.each([
    ["Positive", "approved", "retry"],
    [undefined, "approved", "retry"],
    ["Negative", "rejected", "rejected"],
    ["Uncertain", "retry", "retry"],
    ["None", "retry", "retry"],
    ["NoneBecausePoseExceed", "retry", "retry"],
    ["NoneBecauseInvalidExtractions", "retry", "retry"],
  ] as const)("with a face %s is %s when live, and %s when liveness is open", (facial, live, open) => {
    const expected = livenessNames.map((name) => {
      if (errors.includes(name)) return [name, "error"];
      if (attacks.includes(name)) return [name, "rejected"];
      return [name, name === "Live" ? live : open];
    });
    expect(withLiveness(facial)).toEqual(expected);
  });

  it("of a face alone is approved for a match only, and without any half there is none", () => {
    const alone = Object.entries(facialAuthenticationNumber).map(([name, facial]) => [
      name,
      outcomeOf({ facial }),
    ]);
    expect(alone).toEqual(
      Object.keys(facialAuthenticationNumber).map((name) => [
        name,
        name === "Positive" ? "approved" : name === "Negative" ? "rejected" : "retry",
      ]),
    );
    expect(outcomeOf({})).toBe("retry");
  });
});

describe("a calendar date", () => {
  it.each([
    ["1800-01-01", true],
    ["2199-12-31", true],
    ["1799-12-31", false],
    ["2200-01-01", false],
    ["2024-02-29", true],
    ["2023-02-29", false],
    ["2000-02-29", true],
    ["1900-02-29", false],
    ["2026-04-31", false],
    ["2026-13-01", false],
    ["2026-00-10", false],
    ["2026-01-00", false],
    ["2026-1-01", false],
    ["20260101", false],
    [" 2026-01-01", false],
    ["2026-01-01T00:00:00Z", false],
    ["", false],
  ])("%s is one: %s", (text, isDate) => {
    expect(isCalendarDate(text)).toBe(isDate);
  });
});

it("a code of a country is one of ISO 3166-1; a document may have one of ICAO too", () => {
  const codes = ["CHL", "UTO", "EUE", "ZZZ", "", "CHL USA"];
  expect(codes.map(isIsoCountry)).toEqual([true, false, false, false, false, false]);
  expect(codes.map(isCountryCode)).toEqual([true, true, true, false, false, false]);
});

describe("a rule of a request", () => {
  it("counts an empty text and null as absent, and 0 and false as given", () => {
    expect([undefined, null, "", 0, false, " ", []].map(isGiven)).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });

  it("requires a field only when it holds", () => {
    const faults = (fields: object, holds: boolean) =>
      requiredWhen({ ...fields }, holds, "name", "with a card");
    expect(faults({}, true)).toMatchObject([{ field: "name", message: "is required with a card" }]);
    expect(faults({ name: "" }, true)).toHaveLength(1);
    expect([faults({ name: "a" }, true), faults({}, false)]).toEqual([[], []]);
  });

  it("finds a country code that no table has, and leaves other shapes to the schema", () => {
    const faults = (country: unknown) => knownCountry({ country }, "country").length;
    expect(["CHL", "ZZZ", "AAA", "chl", "CH", "CHLL", "", 3, undefined].map(faults)).toEqual([
      0, 1, 1, 0, 0, 0, 0, 0, 0,
    ]);
    expect(knownCountry({ country: "ZZZ" }, "country")).toMatchObject([
      { field: "country", message: "is no ISO 3166-1 alpha-3 code" },
    ]);
  });
});

describe("the tracking of a request", () => {
  it("is read from its object first, then from beside it, and only as text", () => {
    expect(trackingOf({ tracking: { operationId: "a" }, operationId: "b", extraData: "c" })).toEqual({
      operationId: "a",
      extraData: "c",
    });
    for (const none of [
      null,
      3,
      "text",
      [],
      {},
      { tracking: [] },
      { tracking: { operationId: 3, extraData: null } },
    ]) {
      expect(trackingOf(none)).toBeUndefined();
    }
    expect(trackingOf({ operationId: ["a"], extraData: "c" })).toEqual({ extraData: "c" });
  });
});
