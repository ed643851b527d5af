import type { cohortEntry, eyewearEntry, Ledger, LedgerEntry } from "./ledger.ts";
import { modelNames } from "./model.ts";
import { modelHash } from "./model-files.ts";

const sourceOf = ({ npm }: LedgerEntry): string =>
  npm === undefined ? "this repository" : `npm \`${npm.name}\` ${npm.version}`;

const formOf: Readonly<Record<LedgerEntry["form"], string>> = {
  onnx: "ONNX, loaded as it is",
  "tensorflow-graph": "TensorFlow.js graph, converted to ONNX once",
  "dlib-weights": "face-api weights, network written out and converted to ONNX once",
};

const section = (name: string, entry: LedgerEntry): string =>
  [
    `## ${name}`,
    "",
    "| | |",
    "|---|---|",
    `| Slot | ${entry.slot} |`,
    `| Origin | ${entry.origin} |`,
    `| Source | ${sourceOf(entry)} |`,
    `| Form | ${formOf[entry.form]} |`,
    `| Licence | ${entry.licence} |`,
    ...(entry.unseen === undefined ? [] : [`| Never seen | ${entry.unseen} |`]),
    `| Training data | ${entry.trainingData} |`,
    `| Input | ${entry.input} |`,
    ...Object.entries(entry.outputs).map(([output, meaning]) => `| Output \`${output}\` | ${meaning} |`),
    ...entry.files.map(({ path, sha256 }) => `| File \`${path}\` | SHA-256 \`${sha256}\` |`),
    ...(entry.converted === undefined ? [] : [`| Converted file | SHA-256 \`${entry.converted}\` |`]),
    `| Hash in decisions | \`${modelHash(entry)}\` |`,
    "",
  ].join("\n");

const partSection = (
  name: string,
  meaning: string,
  { files, licence, origin, trainingData }: typeof cohortEntry | typeof eyewearEntry,
): string =>
  [
    `## ${name}`,
    "",
    meaning,
    "",
    "| | |",
    "|---|---|",
    `| Origin | ${origin} |`,
    `| Licence | ${licence} |`,
    `| Made from | ${trainingData} |`,
    ...files.map(({ path, sha256 }) => `| File \`${path}\` | SHA-256 \`${sha256}\` |`),
    "",
  ].join("\n");

/** Writes MODELS.md from the ledger, so that the page always agrees with the program. */
export const writeModelsPage = (
  ledger: Ledger,
  cohort: typeof cohortEntry,
  eyewear: typeof eyewearEntry,
): string =>
  [
    "# Models",
    "",
    "Every network that Idem loads. This page is written from `src/machine/networks/ledger.ts` by",
    "`node scripts/models-md.ts`; `--check` compares. A file whose SHA-256 is not the one below is not loaded:",
    "the start fails with an error that names the file and both hashes. Weights of other packages stay in those",
    "packages. Other formats are converted to ONNX, and the converted file stays in `node_modules/.cache` or in the",
    "image: a start that finds it there with the hash below does not read the package's file. `idem doctor` reads all.",
    "",
    "The weights are freely licensed; several of the data sets behind them are not, or were withdrawn, or were",
    "never published. Where a source gives no information, the page states that.",
    "",
    "A row 'Never seen' has the figure on images or drawings of people who did not build this project, and its",
    "95 % bound, for the code of 2026-11-27. Without such a row the figure is unknown. Figures beside training",
    "data are of our own drawings (`docs/measurements/by-kind.md`).",
    "",
    ...modelNames.map((name) => section(name, ledger[name])),
    partSection(
      "face-cohort",
      "Not a network: vectors for the cohort scores of the comparison (score normalisation).",
      cohort,
    ),
    partSection(
      "eyewear-probe",
      "Not a network: weights that detect eyewear in the descriptor of faceres.",
      eyewear,
    ),
    "## Usual heights of a face",
    "",
    "Not a network: `src/judging/face/motion/usual-face.generated.ts` holds the mean place of each landmark of facemesh, over 24 faces",
    "that `src/sandbox/specimen/drawn-person.ts` draws. `node lab/scripts/usual-face.ts` writes it. No image of a real person was used; what",
    "is stated of the data behind facemesh holds for them too.",
    "",
  ].join("\n");
