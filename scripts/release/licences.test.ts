import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { countLicences, isPermitted, licenceFaults, productionPackages } from "./licences.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe("an expression", () => {
  it.each(["MIT", "(MIT OR CC0-1.0)", "(AFL-2.1 OR BSD-3-Clause)", "Apache-2.0 AND MIT"])(
    "is permitted: %s",
    (one) => {
      expect(isPermitted(one)).toBe(true);
    },
  );

  it.each([
    "LGPL-3.0-or-later",
    "Apache-2.0 AND LGPL-3.0-or-later",
    "(AFL-2.1 OR GPL-3.0-only)",
    "",
    "UNLICENSED",
  ])("is not permitted: %s", (one) => {
    expect(isPermitted(one)).toBe(false);
  });
});

describe("the packages of a release", () => {
  const lock = {
    packages: {
      "": { version: "0.1.0", license: "Apache-2.0" },
      "node_modules/a": { version: "1.0.0", license: "MIT" },
      "node_modules/a/node_modules/@b/c": { version: "2.0.0", license: "GPL-3.0-only" },
      "node_modules/d": { version: "3.0.0" },
      "node_modules/e": { version: "4.0.0", license: "GPL-3.0-only", dev: true },
      "node_modules/f": { version: "5.0.0", license: "MIT", devOptional: true },
    },
  };

  it("are those that are not for development alone", () => {
    expect(productionPackages(lock).map(({ name, version }) => `${name} ${version}`)).toEqual([
      "a 1.0.0",
      "@b/c 2.0.0",
      "d 3.0.0",
      "f 5.0.0",
    ]);
  });

  it("are refused without a licence, and with another licence that NOTICE does not name", () => {
    const packages = productionPackages(lock);
    expect(licenceFaults(packages, "")).toEqual([
      "@b/c 2.0.0 (GPL-3.0-only) is not in NOTICE",
      "d 3.0.0 states no licence",
    ]);
    expect(licenceFaults(packages, "`@b/c`")).toEqual(["d 3.0.0 states no licence"]);
    expect(licenceFaults(packages, "`@b/*`")).toEqual(["d 3.0.0 states no licence"]);
    expect(licenceFaults(packages, "`@b/*` and `d`")).toEqual([]);
    expect(countLicences(packages)).toEqual(["    2  MIT", "    1  GPL-3.0-only", "    1  none"]);
  });
});

describe("the licences of this release", () => {
  it("are all permitted, and the others stand in NOTICE", () => {
    const packages = productionPackages(JSON.parse(read("package-lock.json")));
    expect(packages.length).toBeGreaterThan(100);
    expect(licenceFaults(packages, read("NOTICE"))).toEqual([]);
  });
});
