/**
 * Writes the software bill of materials (CycloneDX 1.5) and prints the licences of all packages. Ends with 1
 * where a package has no licence, or one that NOTICE must name and does not.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { endWithHelp } from "./help.ts";
import { writeBillOfMaterials } from "./release/bill-of-materials.ts";
import { countLicences, licenceFaults, productionPackages } from "./release/licences.ts";

endWithHelp(import.meta.filename);

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

const { name, version } = JSON.parse(read("package.json"));
const packages = productionPackages(JSON.parse(read("package-lock.json")));
const file = `release/${name}-${version}.cdx.json`;

mkdirSync(new URL("../release/", import.meta.url), { recursive: true });
writeFileSync(new URL(`../${file}`, import.meta.url), await writeBillOfMaterials(name, packages));

for (const line of countLicences(packages)) console.log(line);
const faults = licenceFaults(packages, read("NOTICE"));
for (const fault of faults) console.error(fault);
console.log(`written: ${file} with ${packages.length} packages`);
if (faults.length > 0) process.exitCode = 1;
