import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { headOf, helpFor } from "./help.ts";

const scriptsIn = (folder: string): readonly string[] =>
  readdirSync(join(import.meta.dirname, "..", folder))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== "help.ts")
    .map((name) => `${folder}/${name}`);
const scripts = [...scriptsIn("scripts"), ...scriptsIn("lab/scripts")];
const sourceOf = (name: string): string => readFileSync(join(import.meta.dirname, "..", name), "utf8");

it("the help of a script is the comment at its head, in either form", () => {
  expect(headOf("/** Writes a page; `--check` compares. */\nimport x")).toBe(
    "Writes a page; `--check` compares.",
  );
  expect(headOf("/**\n * Draws.\n *\n *   node a.ts N\n */\nlet x; /** y */")).toBe(
    "Draws.\n\n  node a.ts N",
  );
  expect(headOf("// Draws.\n//   node a.ts N\nlet x;\n// y\n")).toBe("Draws.\n  node a.ts N");
  expect(headOf("let x;\n/** y */")).toBe("");
});

it("every script that works when it is called answers --help first, and has a head that is a help", () => {
  const runnable = scripts.filter(
    (name) => !/^export /m.test(sourceOf(name)) || /process\.argv/.test(sourceOf(name)),
  );
  expect(runnable.length).toBeGreaterThan(20);
  // These two stand in the image without this file.
  const without = runnable.filter(
    (name) => !/\n\nendWithHelp\(import\.meta\.filename\);\n/.test(sourceOf(name)),
  );
  expect(without).toEqual(["scripts/keep-networks.ts", "scripts/trim-install.ts"]);
  expect(runnable.filter((name) => headOf(sourceOf(name)).length < 40)).toEqual([]);
});

it.each([
  [["--help"], "Draws."],
  [["7", "-h"], "Draws."],
  [["--helpful"], undefined],
  [[], undefined],
] as const)("a script called with %j prints %s", (words, help) => {
  expect(helpFor(words, () => "/** Draws. */\n")).toBe(help);
});
