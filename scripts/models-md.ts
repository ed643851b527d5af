/** Writes MODELS.md from the model ledger; with --check it compares and ends with 1 on a difference. */
import { readFile, writeFile } from "node:fs/promises";
import { cohortEntry, eyewearEntry, ledger } from "#machine/networks/ledger";
import { writeModelsPage } from "#machine/networks/models-page";
import { endWithHelp } from "./help.ts";

endWithHelp(import.meta.filename);

const file = new URL("../MODELS.md", import.meta.url);
const page = writeModelsPage(ledger, cohortEntry, eyewearEntry);

if (process.argv.includes("--check")) {
  const found = await readFile(file, "utf8").catch(() => "");
  if (found !== page) {
    console.error("MODELS.md differs from src/machine/networks/ledger.ts: run node scripts/models-md.ts");
    process.exitCode = 1;
  }
} else {
  await writeFile(file, page);
}
