import { type Figure, type Promised, type Proof, type State, stateOf } from "./promise.ts";

/** The tests of a file; undefined where there is no such file. */
export type ReadTests = (file: string) => readonly string[] | undefined;

const faultOf = ({ number }: Promised, { file, test }: Proof, readTests: ReadTests): readonly string[] => {
  const tests = readTests(file);
  if (tests === undefined) return [`promise ${number}: there is no file ${file}`];
  return tests.includes(test) ? [] : [`promise ${number}: ${file} has no test "${test}"`];
};

/** What is wrong with the table: tests that do not exist, and promises without test and without gap. */
export const faultsOf = (promises: readonly Promised[], readTests: ReadTests): readonly string[] =>
  promises.flatMap((one) => {
    const { number, tests, missing, figures = [] } = one;
    const isBare = tests.length === 0 && missing === undefined;
    const isUnproven = tests.length === 0 && figures.length > 0;
    return [
      ...(isBare ? [`promise ${number}: names neither a test nor what is missing`] : []),
      ...(isUnproven ? [`promise ${number}: has a figure, but no test`] : []),
      ...tests.flatMap((proof) => faultOf(one, proof, readTests)),
    ];
  });

const lanes: Readonly<Record<string, string>> = {
  engine: "npm test",
  db: "npm test",
  http: "npm test",
  system: "npm test",
  browser: "npm test",
  services: "npm run test:services",
  attack: "npm run test:attack",
};

/** The commands that run a file. A suite runs with each store that it is given. */
const commandsOf = (file: string): readonly string[] => {
  if (file.endsWith("-suite.ts")) return ["npm test", "npm run test:services"];
  return [lanes[/\.(\w+)\.test\.ts$/.exec(file)?.[1] ?? ""] ?? "npm test"];
};

const words: Readonly<Record<State, string>> = {
  tested: "tested",
  "in part": "in part",
  "not in this release": "**not in this release**",
};

const proofLine = ({ file, test }: Proof): string =>
  [`- \`${test}\`: [${file}](../${file})`, ...commandsOf(file).map((command) => `\`${command}\``)].join(", ");

const figureLine = ({ value, n, command, date }: Figure): string =>
  `- ${value} n: ${n}. \`${command}\`, ${date}.`;

const listed = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ["", title, "", ...lines];

const section = (one: Promised): string =>
  [
    `## ${one.number} ${one.title}`,
    "",
    one.text,
    ...listed("Tests:", one.tests.map(proofLine)),
    ...listed("Measured:", (one.figures ?? []).map(figureLine)),
    ...(one.missing === undefined ? [] : ["", `Not in this release: ${one.missing}`]),
  ].join("\n");

const anchorOf = ({ number, title }: Promised): string =>
  `${number} ${title}`
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(" ", "-");

const intro = `# Promises

What an operator and an integrator can rely on, and the test that holds each promise. \`npm run golden\` writes this page from
[promises.yaml](promises.yaml); \`npm run check\` compares it, and fails if a named test does not exist.

'Tested' means that running tests hold the promise as it stands. 'In part' means that the section names a gap. 'Not in this
release' means that nothing is promised yet.`;

/** The page of promises in Markdown. Throws with every fault of the table. */
export const writePromisesPage = (promises: readonly Promised[], readTests: ReadTests): string => {
  const faults = faultsOf(promises, readTests);
  if (faults.length > 0) throw new Error(`docs/promises.yaml:\n${faults.join("\n")}`);
  const rows = promises.map(
    (one) => `| ${one.number} | [${one.title}](#${anchorOf(one)}) | ${words[stateOf(one)]} |`,
  );
  const table = ["| | Promise | State |", "|---|---|---|", ...rows].join("\n");
  return `${[intro, table, ...promises.map(section)].join("\n\n")}\n`;
};
