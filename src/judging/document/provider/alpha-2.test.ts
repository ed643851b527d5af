import { expect, it } from "vitest";
import { isCountryCode } from "#contract/country";
import { alpha2Of, alpha3Of } from "./alpha-2.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");

it("has one alpha-2 code for each alpha-3 code", () => {
  const known = letters.flatMap((one) =>
    letters.flatMap((other) => {
      const alpha3 = alpha3Of(one + other);
      return alpha3 === undefined ? [] : [[one + other, alpha3] as const];
    }),
  );
  expect(known).toHaveLength(250);
  for (const [alpha2, alpha3] of known) {
    expect(isCountryCode(alpha3), alpha3).toBe(true);
    expect(alpha2Of(alpha3)).toBe(alpha2);
    expect(new Intl.DisplayNames("en", { type: "region", fallback: "none" }).of(alpha2)).toBeDefined();
  }
});

it("has no code for an organisation", () => {
  expect(alpha2Of("UNO")).toBeUndefined();
  expect(alpha3Of("ZZ")).toBeUndefined();
});
