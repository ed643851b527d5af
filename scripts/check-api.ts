/**
 * Compares api/openapi.yaml with the contract of the last release in api/released/ and prints every change
 * that breaks a caller. Ends with 1 where there is a break that scripts/contract/accepted-breaks.ts does not
 * name.
 */
import { readdirSync, readFileSync } from "node:fs";
import { acceptedBreaks } from "./contract/accepted-breaks.ts";
import { type Break, breakKinds } from "./contract/breaks.ts";
import { compareContracts } from "./contract/compare-contracts.ts";
import { compareVersions, judgeBreaks } from "./contract/judge-breaks.ts";
import { readContract } from "./contract/read-contract.ts";
import { endWithHelp } from "./help.ts";

endWithHelp(import.meta.filename);

const folder = new URL("../api/released/", import.meta.url);
const versions = readdirSync(folder)
  .filter((name) => /^\d+\.\d+\.\d+\.yaml$/.test(name))
  .map((name) => name.slice(0, -".yaml".length))
  .sort(compareVersions);
const last = versions.at(-1);
if (last === undefined) throw new Error("api/released/ holds no contract of a release");

const read = (url: URL) => readContract(readFileSync(url, "utf8"));
const former = read(new URL(`${last}.yaml`, folder));
const current = read(new URL("../api/openapi.yaml", import.meta.url));
const { refused, stale } = judgeBreaks(compareContracts(former, current), acceptedBreaks);

const line = ({ kind, operation, place, change }: Break): string =>
  `${operation} ${place}: ${change} [${kind}] ${breakKinds[kind]}`;
for (const one of refused) console.log(line(one));
for (const { kind, operation, place } of stale) {
  console.log(`accepted-breaks.ts names a break that there is not: ${operation} ${place} [${kind}]`);
}
if (refused.length + stale.length > 0) {
  console.error(
    `${refused.length} changes break callers of ${last}. docs/guides/extend/releasing.md says what to do.`,
  );
  process.exitCode = 1;
} else {
  console.log(`No change breaks a caller of ${last}: ${former.operations.length} operations compared.`);
}
