/**
 * Measures the product's own eyewear attribute on labelled images:
 *
 * ORT_DISABLE_TELEMETRY=1 node lab/training/eyewear/measure.ts CSV [ROOT]
 *
 * The list has the columns path, label (none, eye or sun) and, optionally, group. Nothing is fitted here.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { rateOf } from "../../../src/contract/statistics/rate.ts";
import { areaUnderCurve } from "../../../src/contract/statistics/scores.ts";
import { type Eyewear, judgeEyewear } from "../../../src/judging/face/attributes/eyewear.ts";
import { descriptorOf, unpackEyewearProbe } from "../../../src/judging/face/attributes/eyewear-probe.ts";
import { makeMeasureFace } from "../../../src/judging/face/engine/measure-face.ts";
import { unpackCohort } from "../../../src/judging/face/matching/cohort.ts";
import { defaultFacePolicy } from "../../../src/judging/face/policy.ts";
import { makeImaging } from "../../../src/machine/imaging/imaging.ts";
import { defaultImagingLimits } from "../../../src/machine/imaging/limits.ts";
import { cohortEntry, eyewearEntry, ledger } from "../../../src/machine/networks/ledger.ts";
import { modelHashes, readModelFiles } from "../../../src/machine/networks/model-files.ts";
import { openNetworks } from "../../../src/machine/networks/networks.ts";

type Case = {
  readonly label: string;
  readonly group: string;
  readonly answer: Eyewear | "unsure" | "no face";
  readonly worn: number;
};

const [list, root = path.dirname(list ?? ".")] = process.argv.slice(2);
if (list === undefined) {
  console.error("usage: node lab/training/eyewear/measure.ts CSV [ROOT]");
  process.exit(2);
}

const openMeasure = async () => {
  const [cohort] = await readModelFiles(cohortEntry);
  const [probe] = await readModelFiles(eyewearEntry);
  const { networks } = openNetworks(ledger);
  return makeMeasureFace({
    imaging: makeImaging({ limits: defaultImagingLimits }),
    networks,
    cohort: { ...unpackCohort(cohort!), hash: cohortEntry.files[0].sha256 },
    eyewear: {
      ...unpackEyewearProbe(probe!, descriptorOf(modelHashes(ledger))),
      hash: eyewearEntry.files[0].sha256,
    },
  });
};

const readCases = async (): Promise<readonly Case[]> => {
  const measure = await openMeasure();
  const cases: Case[] = [];
  const [header, ...rows] = (await readFile(list, "utf8"))
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  const cell = (row: readonly string[], name: string): string => row[header!.indexOf(name)] ?? "";
  for (const row of rows) {
    const measured = await measure(await readFile(path.resolve(root, cell(row, "path"))), {
      attributes: true,
    });
    const [face, odds] =
      measured.kind === "measured" ? [measured.face, measured.attributes?.eyewear] : [undefined, undefined];
    cases.push({
      label: cell(row, "label"),
      group: cell(row, "group"),
      answer:
        face && odds
          ? (judgeEyewear(odds, face.quality.eyeToSkin, defaultFacePolicy.attributes) ?? "unsure")
          : "no face",
      worn: odds?.worn ?? Number.NaN,
    });
  }
  return cases;
};

const share = (part: readonly Case[], has: (one: Case) => boolean): string => {
  const { rate, low, high, n } = rateOf(part.filter(has).length, part.length);
  return `${(100 * rate).toFixed(1)} % of ${n} (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;
};

const isWorn = ({ answer }: Case): boolean => answer === "clear" || answer === "dark";

const report = (name: string, cases: readonly Case[]): void => {
  const [worn, naked] = [
    cases.filter(({ label }) => label !== "none"),
    cases.filter(({ label }) => label === "none"),
  ];
  const oddsOf = (part: readonly Case[]) =>
    Float64Array.from(part, (one) => one.worn).filter(Number.isFinite);
  console.log(`${name}: ${cases.length} pictures`);
  console.log(`  AUC of any eyewear   ${areaUnderCurve(oddsOf(worn), oddsOf(naked)).toFixed(4)}`);
  const rightWorn = worn.filter((one) => one.worn > 0).length / worn.length;
  const rightNaked = naked.filter((one) => one.worn <= 0).length / naked.length;
  console.log(`  balanced accuracy    ${(50 * (rightWorn + rightNaked)).toFixed(1)} % at even odds`);
  console.log(`  eyewear called none  ${share(worn, ({ answer }) => answer === "none")}`);
  console.log(`  none called eyewear  ${share(naked, isWorn)}`);
  console.log(`  unsure               ${share(cases, ({ answer }) => answer === "unsure")}`);
  for (const label of ["none", "eye", "sun"]) {
    const part = cases.filter((one) => one.label === label);
    const counts = ["none", "clear", "dark", "unsure", "no face"].map(
      (answer) => `${answer} ${part.filter((one) => one.answer === answer).length}`,
    );
    console.log(`  labelled ${label.padEnd(5)}: ${counts.join(", ")}`);
  }
};

const cases = await readCases();
report("all", cases);
const groups = [...new Set(cases.map(({ group }) => group))].filter((group) => group !== "").toSorted();
for (const group of groups) {
  report(
    group,
    cases.filter((one) => one.group === group),
  );
}
