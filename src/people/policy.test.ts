import { expect, it } from "vitest";
import { readConfig } from "../config.ts";
import { defaultPeoplePolicy, withSettings } from "./policy.ts";

it("names in its version what an operator set otherwise, and nothing else", () => {
  const versionOf = (environment: Record<string, string>): string =>
    withSettings(defaultPeoplePolicy, readConfig(environment).people).version;
  expect(versionOf({})).toBe(defaultPeoplePolicy.version);
  expect(versionOf({ IDEM_DUPLICATES: "refuse", IDEM_SEARCH_FALSE_HITS: "10" })).toBe(
    `${defaultPeoplePolicy.version}+duplicates=refuse+fpir=0.001`,
  );
  expect(versionOf({ IDEM_TEMPLATE_WITHOUT_PICTURE: "true" })).toBe(
    `${defaultPeoplePolicy.version}+no-picture`,
  );
});
