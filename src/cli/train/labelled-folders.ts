import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandError, parseOptions, UsageError } from "../command.ts";
import { checkFiguresFile } from "../kit/figures-file.ts";

/** An image with its folder and its subject: the part of the file name before the first `_`. */
export type LabelledImage = {
  readonly path: string;
  readonly kind: string;
  readonly isAttack: boolean;
  readonly of: string;
};

/** The parameters of a training command: folder of genuine images, kind of subject, and output file. */
export type Training = {
  readonly genuineFolder: string;
  readonly of: "person" | "document";
  readonly file: string;
  /** The failure of an image that cannot be used. */
  readonly lost: string;
  /** The setting that takes the file, and the command that measures with it. */
  readonly variable: string;
  readonly measure: string;
};

/** Cross-validation: the number of folds. Each fit is judged on the fold that it did not see. */
export const folds = 5;
/** Fewer subjects make five folds meaningless. */
const ofMin = 10;
const imagesMin = 30;

/**
 * Reads the images of `--data` (a folder of genuine images and one folder for each kind of attack) and checks
 * `--out`. Throws UsageError for wrong usage, CommandError where a folder cannot be read, the images are too
 * few, or the file cannot be written.
 */
export const readTraining = async (
  argv: readonly string[],
  training: Training,
): Promise<{ readonly images: readonly LabelledImage[]; readonly file: string }> => {
  const { values } = parseOptions(argv, { data: { type: "string" }, out: { type: "string" } });
  const { data, out: file = training.file } = values;
  if (data === undefined) throw new UsageError("Name the folder of labelled images: --data DIR");
  await checkFiguresFile("--out", file);
  const images = await listImages(data, training);
  checkEnough(images, training);
  return { images, file };
};

const listImages = async (root: string, { genuineFolder }: Training): Promise<readonly LabelledImage[]> => {
  const folders = await readdir(root, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`The folder ${root} cannot be read (${error.code ?? error.message}).`);
  });
  const found: LabelledImage[] = [];
  for (const { name: kind } of folders.filter((one) => one.isDirectory())) {
    const names = (await readdir(join(root, kind))).filter((name) => /\.(jpe?g|png)$/i.test(name));
    for (const name of names.toSorted()) {
      const of = name.split("_")[0]!;
      found.push({ path: join(root, kind, name), kind, isAttack: kind !== genuineFolder, of });
    }
  }
  return found;
};

type Labels = Pick<LabelledImage, "isAttack" | "of">;

/** The shortage, in words; undefined where the images suffice. */
const findLack = (images: readonly Labels[], { genuineFolder, of }: Training): string | undefined => {
  const attacks = images.filter(({ isAttack }) => isAttack).length;
  const genuine = images.length - attacks;
  const count = new Set(images.map((image) => image.of)).size;
  return genuine < imagesMin || attacks < imagesMin || count < ofMin
    ? `${genuine} images in ${genuineFolder}/, ${attacks} in folders of attacks, of ${count} ${of}s. At least ${imagesMin}, ${imagesMin} and ${ofMin} are needed.`
    : undefined;
};

const checkEnough = (images: readonly LabelledImage[], training: Training): void => {
  const lack = findLack(images, training);
  if (lack === undefined) return;
  throw new CommandError(
    `There are ${lack} The ${training.of} is the part of a file's name before the first _.`,
  );
};

/** Throws CommandError where too few images are left to fit. `reasons`: why each other image was lost. */
export const checkLeft = (left: readonly Labels[], reasons: readonly string[], training: Training): void => {
  const lack = findLack(left, training);
  if (lack === undefined) return;
  const counts = [...Map.groupBy(reasons, (reason) => reason)].map(
    ([reason, { length }]) => [reason, length] as const,
  );
  const [most = "", times = 0] = counts.toSorted(([, a], [, b]) => b - a)[0] ?? [];
  throw new CommandError(
    `${reasons.length} of ${reasons.length + left.length} images ${training.lost}, mostly: ${most} (${times}). That leaves ${lack} Nothing was written.`,
  );
};

/** The number of images of each kind of attack. */
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
  /** The data of the fit, in a sentence. */
  readonly fittedOn: string;
  /** The kind of input that gets a weight: a cue, a trace. */
  readonly sign: string;
  readonly offset: number;
  readonly scales: Readonly<Record<string, number>>;
  /** Report lines: figures on unseen data with the fit, and without it. */
  readonly after: readonly string[];
  readonly before: readonly string[];
};

/** Writes the fit and a report beside it, and prints the report. */
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
