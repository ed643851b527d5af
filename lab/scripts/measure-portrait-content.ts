/**
 * Measures what the sex and the age of a face tell about an exchanged portrait: false alarms on faces with
 * their own sex and age, and hits where each face has the sex and the age of every other one. The table of
 * docs/measurements/attacks.md, "The portrait's content against the rest".
 *
 * node lab/scripts/measure-portrait-content.ts GROUPS.csv
 *
 * The list has a line for each image: path (relative to the list), group (two letters, the second one M or
 * F), age in years.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { endWithHelp } from "../../scripts/help.ts";
import { rateOf } from "../../src/contract/statistics/rate.ts";
import { openFaceEngine } from "../../test/support/face/images.ts";

endWithHelp(import.meta.filename);

const [list] = process.argv.slice(2);
if (list === undefined) throw new Error("usage: node lab/scripts/measure-portrait-content.ts GROUPS.csv");

/** What a document states: sex and age at its issue. */
type Stated = { readonly group: string; readonly isMan: boolean; readonly ageYears: number };
type Seen = { readonly maleness: number; readonly ageYears: number };

const { measure } = openFaceEngine();
const faces: { readonly stated: Stated; readonly seen: Seen }[] = [];
const startedMs = process.cpuUsage().user / 1000;
for (const line of readFileSync(list, "utf8").split("\n").slice(1).filter(Boolean)) {
  const [path = "", group = "", age = ""] = line.trim().split(",");
  const measured = await measure(readFileSync(join(dirname(list), path)), { attributes: true });
  const seen = measured.kind === "measured" ? measured.attributes : undefined;
  if (seen !== undefined) {
    faces.push({ stated: { group, isMan: group.endsWith("M"), ageYears: Number(age) }, seen });
  }
}
const spentMs = process.cpuUsage().user / 1000 - startedMs;
console.log(`${faces.length} faces, ${Math.round(spentMs / faces.length)} ms of processor time each`);

/**
 * The face is of the other sex than stated, `margin` from undecided and more; its age is more than `years`
 * away.
 */
type Sign = { readonly name: string; readonly margin?: number; readonly years?: number };

const holds = ({ margin, years }: Sign, { isMan, ageYears }: Stated, seen: Seen): boolean =>
  (margin === undefined || (Math.abs(seen.maleness - 0.5) > margin && seen.maleness > 0.5 !== isMan)) &&
  (years === undefined || Math.abs(ageYears - seen.ageYears) > years);

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const report = (sign: Sign): void => {
  const alarms = faces.filter(({ stated, seen }) => holds(sign, stated, seen));
  const { low, high } = rateOf(alarms.length, faces.length);
  const pairs = faces.length * (faces.length - 1);
  const hits = faces.reduce(
    (sum, one) => sum + faces.filter((other) => other !== one && holds(sign, other.stated, one.seen)).length,
    0,
  );
  const groups = Map.groupBy(alarms, ({ stated }) => stated.group);
  const byGroup = [...groups].map(([group, own]) => `${group} ${own.length}`).join(", ");
  console.log(
    `${sign.name}: ${alarms.length} false alarms of ${faces.length} (${(100 * low).toFixed(2)} to ${(100 * high).toFixed(2)} %` +
      `${byGroup === "" ? "" : `; ${byGroup}`}), ${percent(hits / pairs)} of exchanged portraits`,
  );
};

for (const margin of [0, 0.3, 0.4, 0.45, 0.49, 0.499]) report({ name: `sex, margin ${margin}`, margin });
for (const years of [25, 30, 35, 40]) report({ name: `age, ${years} years`, years });
for (const margin of [0.3, 0.4]) {
  for (const years of [10, 15, 20]) {
    report({ name: `both, margin ${margin} and ${years} years`, margin, years });
  }
}
