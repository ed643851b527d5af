import { describe, expect, it } from "vitest";
import { type InstalledPackage, installScriptsOf, scriptFaults, worksWithout } from "./install-scripts.ts";

const installed = (change: Partial<InstalledPackage>): InstalledPackage => ({
  place: `node_modules/${change.name ?? "one"}`,
  name: "one",
  scripts: {},
  hasGyp: false,
  ...change,
});
const npmrc = "# reason\nignore-scripts=true\nfund=false\n";
const listed = Object.keys(worksWithout).map((name) => installed({ name, scripts: { install: "x" } }));

describe("the install scripts of packages", () => {
  it("are those that npm runs at an installation", () => {
    const { runs } = installScriptsOf([
      installed({ scripts: { postinstall: "b", preinstall: "a", prepare: "c", test: "d" } }),
    ])[0]!;
    expect(runs).toBe("preinstall: a; postinstall: b");
    expect(installScriptsOf([installed({ scripts: { prepare: "c", build: "d" } })])).toEqual([]);
  });

  it("are also node-gyp for a binding.gyp without a script of its own", () => {
    expect(installScriptsOf([installed({ hasGyp: true })])[0]?.runs).toBe("node-gyp rebuild");
    expect(installScriptsOf([installed({ hasGyp: true, scripts: { install: "a" } })])[0]?.runs).toBe(
      "install: a",
    );
    expect(installScriptsOf([installed({ hasGyp: true, scripts: { preinstall: "a" } })])[0]?.runs).toBe(
      "preinstall: a",
    );
  });

  it("are no fault where each is known to be needless and none may run", () => {
    expect(scriptFaults(installScriptsOf(listed), npmrc)).toEqual([]);
  });

  it("are a fault where a package is new to the list, wherever it stands", () => {
    const nested = installed({ name: "new", place: "node_modules/a/node_modules/new", hasGyp: true });
    expect(scriptFaults(installScriptsOf([...listed, nested]), npmrc)).toEqual([
      expect.stringMatching(/^node_modules\/a\/node_modules\/new has an install script \(node-gyp rebuild\)/),
    ]);
  });

  it("are a fault where the list names a package that has none", () => {
    expect(scriptFaults(installScriptsOf(listed.slice(1)), npmrc)).toEqual([
      expect.stringContaining(`${listed[0]?.name} has no install script`),
    ]);
  });

  it.each(["", "ignore-scripts=false\n", "#ignore-scripts=true\n"])(
    "are a fault where npm may run them: %j",
    (text) => {
      expect(scriptFaults(installScriptsOf(listed), text)).toEqual([
        ".npmrc lacks the line ignore-scripts=true",
      ]);
    },
  );
});
