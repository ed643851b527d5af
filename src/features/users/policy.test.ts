import { expect, it } from "vitest";
import { readConfig } from "#machine/config/config";
import { figuresOf } from "#support/contract/statistics/thresholds";
import { defaultUserPolicy, matchesMax, withSettings } from "./policy.ts";

it("the standard policy of users has these figures under this version", () => {
  expect(defaultUserPolicy.version).toBe("people-2");
  expect(figuresOf(defaultUserPolicy)).toEqual([
    // NIST SP 800-63B-4, 3.2.3: 30 seconds or more after 5 failures in a row, disabled after 50.
    ["throttle.pauseFrom", 5],
    ["throttle.pauseMs", 30_000],
    ["throttle.disableAt", 50],
    // docs/decisions/0057-several-references.md.
    ["references.max", 1],
    ["references.falseMatchRate", 1e-4],
    ["references.apartMs", 86_400_000],
    // docs/decisions/0016-one-to-many-search.md.
    ["search.fpir.review", 0.1],
    ["search.fpir.refusal", 0.01],
  ]);
  expect([defaultUserPolicy.templateWithoutImage, defaultUserPolicy.search.duplicates]).toEqual([
    "refused",
    "off",
  ]);
  expect(matchesMax).toBe(10);
});

it("names only the operator's changes in its version", () => {
  const versionOf = (environment: Record<string, string>): string =>
    withSettings(defaultUserPolicy, readConfig(environment).users).version;
  expect(versionOf({})).toBe(defaultUserPolicy.version);
  expect(versionOf({ IDEM_DUPLICATES: "refuse", IDEM_SEARCH_FALSE_HITS: "10" })).toBe(
    `${defaultUserPolicy.version}+duplicates=refuse+fpir=0.001`,
  );
  expect(versionOf({ IDEM_USER_REFERENCES: "3" })).toBe(`${defaultUserPolicy.version}+references=3`);
  expect(versionOf({ IDEM_TEMPLATE_WITHOUT_PICTURE: "true" })).toBe(
    `${defaultUserPolicy.version}+no-picture`,
  );
});
