/**
 * Prints the parts of .ci/run that must run, one a line, and on standard error why each does or does not.
 * .ci/parts.json names the inputs of each part, .ci/proved.json the SHA-256 of the inputs with which it last
 * passed.
 *   node scripts/ci/proved.ts
 *   node scripts/ci/proved.ts --record PART     after the part passed here: states so in .ci/proved.json
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { endWithHelp } from "../help.ts";
import { chooseParts, hashInputs, type Part, type ReadFiles } from "./parts.ts";

endWithHelp(import.meta.filename);

const root = new URL("../../", import.meta.url);
const provedFile = new URL(".ci/proved.json", root);
const { values } = parseArgs({ options: { record: { type: "string" } } });
const parts: Readonly<Record<string, Part>> = JSON.parse(
  readFileSync(new URL(".ci/parts.json", root), "utf8"),
);
const proved: Readonly<Record<string, string>> = JSON.parse(readFileSync(provedFile, "utf8"));

/** `{a,b}` is no pattern of git. */
const unbraced = (pattern: string): readonly string[] => {
  const [whole = "", words = ""] = /\{([^}]*)\}/.exec(pattern) ?? [];
  return whole === ""
    ? [pattern]
    : words.split(",").flatMap((word) => unbraced(pattern.replace(whole, word)));
};

/**
 * Paths of the work tree, without what git ignores. Throws where there is none: the table names what was
 * moved.
 */
const listFiles = (pattern: string): readonly string[] => {
  const listed = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", `:(glob)${pattern}`],
    { cwd: fileURLToPath(root), encoding: "utf8", maxBuffer: 2 ** 26 },
  );
  const paths = listed.split("\0").filter((path) => path !== "" && existsSync(new URL(path, root)));
  if (paths.length === 0) throw new Error(`.ci/parts.json: no file is named ${pattern}`);
  return paths;
};

const readFiles: ReadFiles = (patterns) =>
  [...new Set(patterns.flatMap(unbraced).flatMap(listFiles))].map((path) => ({
    path,
    bytes: readFileSync(new URL(path, root)),
  }));

const hashes = Object.fromEntries(
  Object.entries(parts).map(([name, part]) => [name, hashInputs(part, readFiles)]),
);

const record = (name: string): void => {
  const hash = hashes[name];
  if (hash === undefined) throw new Error(`No part is named ${name}: ${Object.keys(parts).join(", ")}`);
  const kept = Object.keys(parts).flatMap((part): [string, string][] => {
    const value = part === name ? hash : proved[part];
    return value === undefined ? [] : [[part, value]];
  });
  writeFileSync(provedFile, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
};

if (values.record === undefined) {
  for (const { part, runs, reason } of chooseParts(hashes, proved, new Date().getUTCDay())) {
    console.error(`${part}: ${reason}`);
    if (runs) console.log(part);
  }
} else {
  record(values.record);
}
