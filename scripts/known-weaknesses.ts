/**
 * Asks the public database OSV what is known of the packages in package-lock.json: names and versions go out,
 * nothing else. It needs the internet. Ends with 0 where nothing is known, 1 where something is, 3 where the
 * database could not be asked: then nothing is known of any package.
 *   node scripts/known-weaknesses.ts [--all] [--url URL]
 * --all also asks for the packages of developers; --url names another server of the same interface.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { endWithHelp } from "./help.ts";
import { findWeaknesses, osvUrl } from "./packages/known-weaknesses.ts";
import { productionPackages } from "./release/licences.ts";

endWithHelp(import.meta.filename);

const { values } = parseArgs({
  options: { all: { type: "boolean", default: false }, url: { type: "string", default: osvUrl } },
});
const lock = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"));
const withTools = Object.fromEntries(
  Object.entries(lock.packages).map(([place, entry]) => [place, { ...Object(entry), dev: false }]),
);
const packages = productionPackages(values.all ? { packages: withTools } : lock);

try {
  const found = await findWeaknesses(packages, values.url);
  for (const { name, version, ids } of found) {
    console.log(`${name} ${version}: ${ids.map((id) => `https://osv.dev/vulnerability/${id}`).join(" ")}`);
  }
  console.log(`${packages.length} packages asked, ${found.length} with a known weakness`);
  process.exitCode = found.length === 0 ? 0 : 1;
} catch (error) {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
  const reason = error instanceof Error ? `${error.message}${cause}` : String(error);
  console.error(`The database could not be asked, so nothing is known: ${reason}`);
  process.exitCode = 3;
}
