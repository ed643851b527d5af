import { expect, it } from "vitest";
import { type ReleaseState, releaseFaults } from "./release-faults.ts";

const ready: ReleaseState = {
  versions: ["0.2.0", "0.2.0", "0.2.0"],
  changelog: "# Changelog\n\n## Unreleased\n\n## 0.2.0 – 2026-12-01\n\n- More.\n\n## 0.1.0 – 2026-11-23\n",
  contract: "openapi: 3.1.0",
  released: "openapi: 3.1.0",
  changes: "",
  licenceFaults: [],
};

it("finds no fault in a tree that is ready", () => {
  expect(releaseFaults(ready)).toEqual([]);
});

it.each([
  ["versions that differ", { versions: ["0.2.0", "0.1.0"] }, /The versions differ/],
  [
    "a version that is none",
    { versions: ["next"], changelog: "## next – 2026-12-01\n" },
    /The versions differ/,
  ],
  [
    "a changelog without the version",
    { changelog: "## Unreleased\n\n## 0.1.0 – 2026-11-23\n" },
    /no line "## 0\.2\.0/,
  ],
  ["a version without a date", { changelog: "## Unreleased\n\n## 0.2.0\n" }, /no line "## 0\.2\.0/],
  [
    "lines that were not moved",
    { changelog: "## Unreleased\n\n- Later.\n\n## 0.2.0 – 2026-12-01\n" },
    /still has lines under 'Unreleased'/,
  ],
  [
    "lines at the end",
    { changelog: "## 0.2.0 – 2026-12-01\n\n## Unreleased\n- Later.\n" },
    /still has lines/,
  ],
  ["no frozen contract", { released: undefined }, /cp api\/openapi\.yaml api\/released\/0\.2\.0\.yaml/],
  ["another frozen contract", { released: "openapi: 3.0.0" }, /differs from api\/openapi\.yaml/],
  ["files that no commit holds", { changes: " M README.md" }, /M README\.md/],
  ["a licence", { licenceFaults: ["a 1.0.0 states no licence"] }, /a 1\.0\.0 states no licence\./],
] as const)("refuses %s", (_title, change, fault) => {
  expect(releaseFaults({ ...ready, ...change })).toEqual([expect.stringMatching(fault)]);
});
