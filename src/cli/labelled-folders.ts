import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandError, parseOptions, UsageError } from "./command.ts";
import { checkFiguresFile } from "./figures-file.ts";

/** A picture by the folder that it lies in, and who or what it is of: what stands before the first `_` of its name. */
export type LabelledPicture = {
  readonly path: string;
  readonly kind: string;
  readonly isAttack: boolean;
  readonly of: string;
};

/** A training command's own words: the folder of genuine pictures, what they are of, and the file that is written. */
export type Training = {
  readonly genuineFolder: string;
  readonly of: "person" | "document";
  readonly file: string;
  /** What befell a picture that nothing can be fitted on. */
  readonly lost: string;
  /** The setting that takes the file, and the command that measures with it. */
  readonly variable: string;
  readonly measure: string;
};

/** Fits are judged on data that they did not see: so many times, each on its own part. */
export const folds = 5;
/** Fewer tell nothing of five folds. */
const ofMin = 10;
const picturesMin = 30;

/**
 * The pictures of `--data`, a folder of genuine ones and one for each kind of attack, and where `--out` wants the fit. Throws
 * UsageError for wrong words, CommandError where a folder cannot be read, there are too few, or the file has no place.
 */
export const readTraining = async (
  argv: readonly string[],
  training: Training,
): Promise<{ readonly pictures: readonly LabelledPicture[]; readonly file: string }> => {
  const { values } = parseOptions(argv, { data: { type: "string" }, out: { type: "string" } });
  const { data, out: file = training.file } = values;
  if (data === undefined) throw new UsageError("Say where the labelled pictures are: --data DIR");
  await checkFiguresFile("--out", file);
  const pictures = await listPictures(data, training);
  checkEnough(pictures, training);
  return { pictures, file };
};

const listPictures = async (
  root: string,
  { genuineFolder }: Training,
): Promise<readonly LabelledPicture[]> => {
  const folders = await readdir(root, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`The folder ${root} cannot be read (${error.code ?? error.message}).`);
  });
  const found: LabelledPicture[] = [];
  for (const { name: kind } of folders.filter((one) => one.isDirectory())) {
    const names = (await readdir(join(root, kind))).filter((name) => /\.(jpe?g|png)$/i.test(name));
    for (const name of names.toSorted()) {
      const of = name.split("_")[0]!;
      found.push({ path: join(root, kind, name), kind, isAttack: kind !== genuineFolder, of });
    }
  }
  return found;
};

type Labels = Pick<LabelledPicture, "isAttack" | "of">;

/** What there is too little of, in words; undefined where it is enough. */
const findLack = (pictures: readonly Labels[], { genuineFolder, of }: Training): string | undefined => {
  const attacks = pictures.filter(({ isAttack }) => isAttack).length;
  const genuine = pictures.length - attacks;
  const count = new Set(pictures.map((picture) => picture.of)).size;
  return genuine < picturesMin || attacks < picturesMin || count < ofMin
    ? `${genuine} pictures in ${genuineFolder}/, ${attacks} in folders of attacks, of ${count} ${of}s. At least ${picturesMin}, ${picturesMin} and ${ofMin} are needed.`
    : undefined;
};

const checkEnough = (pictures: readonly LabelledPicture[], training: Training): void => {
  const lack = findLack(pictures, training);
  if (lack === undefined) return;
  throw new CommandError(
    `There are ${lack} The ${training.of} is what stands before the first _ of a file's name.`,
  );
};

/** Throws CommandError where too little is left to fit on. `reasons`: why each of the other pictures is lost. */
export const checkLeft = (left: readonly Labels[], reasons: readonly string[], training: Training): void => {
  const lack = findLack(left, training);
  if (lack === undefined) return;
  const counts = [...Map.groupBy(reasons, (reason) => reason)].map(
    ([reason, { length }]) => [reason, length] as const,
  );
  const [most = "", times = 0] = counts.toSorted(([, a], [, b]) => b - a)[0] ?? [];
  throw new CommandError(
    `${reasons.length} of ${reasons.length + left.length} pictures ${training.lost}, mostly: ${most} (${times}). That leaves ${lack} Nothing was written.`,
  );
};

/** How many of each kind of attack there are. */
export const countKinds = (
  samples: readonly { readonly isAttack: boolean; readonly kind: string }[],
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [
      ...Map.groupBy(
        samples.filter(({ isAttack }) => isAttack),
        ({ kind }) => kind,
      ),
    ].map(([kind, own]) => [kind, own.length]),
  );

export type FitReport = {
  readonly title: string;
  /** What it was fitted on, in a sentence. */
  readonly fittedOn: string;
  /** A cue, a trace: what the scales are of. */
  readonly sign: string;
  readonly offset: number;
  readonly scales: Readonly<Record<string, number>>;
  /** Figures as lines, with the fit on what it did not see, and without it. */
  readonly after: readonly string[];
  readonly before: readonly string[];
};

/** Writes the fit and, beside it, a report, and prints that. */
export const writeFit = async (
  file: string,
  text: string,
  report: FitReport,
  { of, variable, measure }: Training,
  out: (line: string) => void,
): Promise<void> => {
  await writeFile(file, text);
  const lines = [
    `# ${report.title}`,
    "",
    report.fittedOn,
    `Log odds before any ${report.sign}: ${report.offset}. Each ${report.sign}'s own weight is multiplied by:`,
    ...Object.entries(report.scales).map(([name, scale]) => `  ${name.padEnd(24)} ${scale}`),
    "",
    `## With it, on ${of}s that the fit did not see (${folds} folds)`,
    "",
    ...report.after,
    "",
    "## Without it",
    "",
    ...report.before,
  ];
  const page = `${file.replace(/\.json$/, "")}.report.md`;
  await writeFile(page, `${lines.join("\n")}\n`);
  for (const line of lines) out(line);
  out(`Written: ${file} and ${page}. Try it: ${variable}=${file} ${measure} …`);
};
