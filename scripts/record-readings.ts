/**
 * Draws and measures with the real readers, engines and networks what the records of the engine lane lack, or
 * hold of other sources, and writes it to them (test/support/networks/open-record.ts). Run it after a change
 * of the drawings, the readers, the networks or the packages. It takes some five minutes on an idle machine;
 * without a file it runs the whole lane.
 *
 * node scripts/record-readings.ts [file of tests ...]
 */
import { spawnSync } from "node:child_process";
import { endWithHelp } from "./help.ts";

endWithHelp(import.meta.filename);

const { status } = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "--project", "engine", ...process.argv.slice(2)],
  { stdio: "inherit", env: { ...process.env, RECORD: "1" } },
);
process.exitCode = status ?? 1;
