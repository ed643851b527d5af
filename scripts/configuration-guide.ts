/**
 * Writes docs/guides/operate/configuration.md from the schema in src/machine/config/config.ts; `--check` only
 * compares.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { describeConfiguration } from "./configuration-table.ts";
import { endWithHelp } from "./help.ts";

endWithHelp(import.meta.filename);

const file = new URL("../docs/guides/operate/configuration.md", import.meta.url);
const wanted = describeConfiguration();
if (!process.argv.includes("--check")) {
  writeFileSync(file, wanted);
} else if (readFileSync(file, "utf8") !== wanted) {
  console.error(
    "docs/guides/operate/configuration.md differs from src/machine/config/config.ts: run node scripts/configuration-guide.ts",
  );
  process.exitCode = 1;
}
