import type { PartReport } from "#app/store-check/store-check";
import { readConfig } from "#machine/config/config";
import { CommandError, opening, parseOptions, print, printTable, type Run, say } from "../command.ts";
import { makeProgress } from "../kit/progress.ts";
import { findMasterKey } from "../kit/store/development-master-key.ts";

export const runVerifyStore: Run = async (args) => {
  const { values } = parseOptions(args, { json: { type: "boolean", default: false } });
  const config = readConfig();
  const { verifyStore } = await import("#app/store-check/verify-store");
  const ready = await findMasterKey(config).catch((error: unknown) => {
    // A store without its key is checked as far as it goes, and a damaged one must not hide behind it.
    say(error instanceof Error ? error.message : String(error));
    return undefined;
  });
  const progress = makeProgress("Check");
  let current = "";
  const reports = await opening(
    verifyStore(ready ?? config, (part, done, total) => {
      if (part !== current) say(`Checking: ${part}`);
      current = part;
      progress.show(done, total);
    }),
  );
  progress.end();
  if (reports === undefined) {
    throw new CommandError(`Nothing is stored in ${config.dataDirectory} yet: is IDEM_DATA right?`);
  }
  return printParts(reports, values.json);
};

/** Prints the parts, then each fault with its place, and each way of repair once. Returns the exit code. */
export const printParts = (parts: readonly PartReport[], isJson: boolean): number => {
  const faultCount = parts.reduce((sum, part) => sum + part.faultCount, 0);
  const isWhole = faultCount === 0;
  if (isJson) {
    print(JSON.stringify({ isWhole, faultCount, parts }));
    return isWhole ? 0 : 1;
  }
  printTable([
    ["part", "checked", "result"],
    ...parts.map(({ part, checked, faultCount: count }) => [part, String(checked), wordOf(count)]),
  ]);
  for (const { part, faults, faultCount: count } of parts) {
    for (const { place, fault, tenant } of faults) {
      print(`${part}: ${place} ${fault}${tenant === undefined ? "" : ` (tenant ${tenant})`}`);
    }
    if (count > faults.length) print(`${part}: ${count - faults.length} more faults`);
  }
  for (const repair of new Set(parts.flatMap(({ faults }) => faults.map((fault) => fault.repair)))) {
    const where = parts.filter(({ faults }) => faults.some((fault) => fault.repair === repair));
    print(`-> ${where.map(({ part }) => part).join(", ")}: ${repair}`);
  }
  for (const { part, remarks } of parts) {
    for (const remark of remarks) say(`${part}: ${remark}`);
  }
  return isWhole ? 0 : 1;
};

const wordOf = (count: number): string => {
  if (count === 0) return "whole";
  return `${count} ${count === 1 ? "fault" : "faults"}`;
};
