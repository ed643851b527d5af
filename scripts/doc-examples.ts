/**
 * Writes the examples of doc comments (`@example` with quoted TypeScript) into .doc-examples/, where the
 * check of types reads them: an example that does not compile fails `npm run check`. A file has the name of
 * its source and its line.
 *   node scripts/doc-examples.ts
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { examplesIn } from "./comments/doc-examples.ts";
import { endWithHelp } from "./help.ts";

endWithHelp(import.meta.filename);

const folder = ".doc-examples";
const patterns = ["src/**.ts", "widget/**.ts"];

const files = execFileSync("git", ["grep", "-l", "--untracked", "@example", "--", ...patterns], {
  encoding: "utf8",
});

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const file of files.trim().split("\n")) {
  for (const { line, code } of examplesIn(file, readFileSync(file, "utf8"))) {
    writeFileSync(join(folder, `${file.replace(/\.ts$/, "").replaceAll("/", ".")}-${line}.ts`), `${code}\n`);
  }
}
