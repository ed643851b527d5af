import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const textAt = (fileName, { start, end }) => {
  const lines = readFileSync(fileName, "utf8")
    .split("\n")
    .slice(start.line, end.line + 1);
  const last = lines.length - 1;
  lines[last] = lines[last].slice(0, end.column);
  lines[0] = lines[0].slice(start.column);
  return lines.join(" ");
};

const print = (text) => void process.stdout.write(`${text}\n`);
const short = (text) => text.replaceAll(/\s+/g, " ").slice(0, 120);

const countsOf = (rows) => {
  const counts = {};
  for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** Prints the counts of each file, what survived or did not end, and the score of the mutants that tests reach. */
export const printReport = (folder) => {
  const job = JSON.parse(readFileSync(resolve(folder, "job.json"), "utf8"));
  const rows = readFileSync(job.results, "utf8").split("\n").filter(Boolean);
  const statusOf = new Map(rows.map((line) => JSON.parse(line)).map(({ id, status }) => [id, status]));
  const mutants = job.mutants.map((mutant) => ({ ...mutant, status: statusOf.get(mutant.id) ?? "NotRun" }));
  for (const [fileName, own] of Map.groupBy(mutants, (mutant) => mutant.fileName)) {
    print(`${fileName} ${JSON.stringify(countsOf(own))}`);
    for (const { status, location, mutatorName, replacement } of own) {
      if (status !== "Survived" && status !== "Timeout") continue;
      const place = `${location.start.line + 1}:${location.start.column + 1}`;
      const change = `${short(textAt(fileName, location))} => ${short(replacement)}`;
      print(`  ${status} ${place} ${mutatorName} | ${change}`);
    }
  }
  const { Killed = 0, Timeout = 0, Survived = 0, ...others } = countsOf(mutants);
  const score = (100 * (Killed + Timeout)) / (Killed + Timeout + Survived);
  print(JSON.stringify({ Killed, Timeout, Survived, ...others, scoreOfReached: score.toFixed(1) }));
};
