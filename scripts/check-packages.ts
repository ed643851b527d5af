/**
 * Lists the packages with an install script, and why each works without it. Ends with 1 where one is not
 * known to, where scripts may run at an installation, and where an entry of the lock file holds no hash.
 *   node scripts/check-packages.ts
 */
import { existsSync, readFileSync } from "node:fs";
import { endWithHelp } from "./help.ts";
import {
  type InstalledPackage,
  installScriptsOf,
  scriptFaults,
  worksWithout,
} from "./packages/install-scripts.ts";

endWithHelp(import.meta.filename);

const root = new URL("../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

const lock: {
  readonly packages: Readonly<Record<string, { readonly integrity?: string; readonly link?: boolean }>>;
} = JSON.parse(read("package-lock.json"));
/** The packages of the registry: without this project and its own folder lab/, which is linked. */
const places = Object.keys(lock.packages).filter(
  (place) => place.startsWith("node_modules/") && lock.packages[place]?.link !== true,
);
/** Packages of other platforms stand in the lock file and not on the disk. */
const installed = places.filter((place) => existsSync(new URL(`${place}/package.json`, root)));
const packages = installed.map((place): InstalledPackage => {
  const { name, scripts = {} } = JSON.parse(read(`${place}/package.json`));
  return { place, name, scripts, hasGyp: existsSync(new URL(`${place}/binding.gyp`, root)) };
});

const found = installScriptsOf(packages);
for (const { place, name, runs } of found) {
  console.log(`${place}: ${runs}\n  works without it: ${worksWithout[name] ?? "not known"}`);
}
const faults = [
  ...scriptFaults(found, read(".npmrc")),
  ...places
    .filter((place) => lock.packages[place]?.integrity === undefined)
    .map((place) => `${place} has no hash in package-lock.json`),
];
for (const fault of faults) console.error(fault);
console.log(`${packages.length} packages, ${found.length} with an install script, ${faults.length} faults`);
if (faults.length > 0) process.exitCode = 1;
