/**
 * Wraps the comments of TypeScript files at 110 columns. Code, lists, tables, tags and quotations of code
 * stay as they are.
 *   node scripts/wrap-comments.ts [--check] [FILE...]
 * Without files it wraps all of them. --check writes nothing: it prints each comment that is too long, and
 * ends with 1.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { findWraps, wrapComments } from "./comments/wrap-comments.ts";
import { endWithHelp } from "./help.ts";

endWithHelp(import.meta.filename);

const { values, positionals } = parseArgs({
  options: { check: { type: "boolean", default: false } },
  allowPositionals: true,
});

const patterns = ["*.ts", ":!*.generated.ts", ":!*.d.ts"];

/** Files that no commit holds yet are wrapped too. */
const listFiles = (): readonly string[] =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...patterns], { encoding: "utf8" })
    .trim()
    .split("\n");

let count = 0;
for (const file of positionals.length > 0 ? positionals : listFiles()) {
  const text = readFileSync(file, "utf8");
  if (!/^.{111}/m.test(text)) continue;
  const wraps = findWraps(file, text);
  count += wraps.length;
  if (!values.check && wraps.length > 0) writeFileSync(file, wrapComments(file, text));
  if (!values.check) continue;
  for (const { start } of wraps) {
    console.log(`${file}:${text.slice(0, start).split("\n").length} comment of more than 110 columns`);
  }
}
if (values.check && count > 0) {
  console.log(`${count} comments are too long: npm run format`);
  process.exitCode = 1;
}
