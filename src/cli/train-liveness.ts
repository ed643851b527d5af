import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CueEvidence } from "#face/liveness/cues/cue";
import type { FusionContent } from "#face/liveness/fusion-file";
import type { FittedFusion, FusionSample } from "#face/liveness/fusion-fit";
import type { LivenessJudgement } from "#face/liveness/judge-liveness";
import type { FaceEngine, FaceMeasurement, MeasuredPicture } from "#face/measurement";
import type { LivenessCase, LivenessReport } from "#face/measuring/report-liveness";
import { CommandError, parseOptions, UsageError } from "./command.ts";
import { checkFiguresFile } from "./figures-file.ts";
import { mapPictures } from "./list-file.ts";
import { describeLiveness } from "./measure-liveness.ts";

export type TrainLivenessDeps = {
  readonly measure: FaceEngine["measure"];
  readonly concurrency: number;
  /** The product's own judge, which says who may be judged at all. */
  readonly judge: (measurement: FaceMeasurement) => Promise<LivenessJudgement>;
  readonly weigh: (picture: MeasuredPicture) => readonly CueEvidence[];
  readonly fit: (samples: readonly FusionSample[]) => FittedFusion;
  /** Log odds of an attack by fits that did not see the person. */
  readonly crossValidate: (samples: readonly FusionSample[], folds: number) => readonly number[];
  readonly summarise: (cases: readonly LivenessCase[]) => LivenessReport;
  readonly write: (content: FusionContent) => string;
  readonly now: () => Date;
  readonly out: (line: string) => void;
  readonly progress: (line: string) => void;
};

const folds = 5;
/** Fewer tell nothing of five folds. */
const personsMin = 10;
const picturesMin = 30;
const livingFolder = "live";

/** `idem train liveness`. Answers 0. Throws UsageError for wrong words, CommandError for data that cannot be fitted. */
export const trainLiveness = async (argv: readonly string[], deps: TrainLivenessDeps): Promise<number> => {
  const { values } = parseOptions(argv, { data: { type: "string" }, out: { type: "string" } });
  const { data } = values;
  if (data === undefined) throw new UsageError("Say where the labelled pictures are: --data DIR");
  const file = values.out ?? "liveness-fusion.json";
  await checkFiguresFile("--out", file);
  const pictures = await listPictures(data);
  checkEnough(pictures);
  const cases = await judgeAll(pictures, deps);
  const samples = cases.flatMap(({ sample }) => sample ?? []);
  const odds = deps.crossValidate(samples, folds);
  const before = deps.summarise(cases);
  const after = deps.summarise(recast(cases, odds));
  const content = contentOf(deps, samples, cases);
  const text = deps.write(content);
  await writeFile(file, text);
  const lines = reportLines(content, before, after);
  const report = `${file.replace(/\.json$/, "")}.report.md`;
  await writeFile(report, `${lines.join("\n")}\n`);
  for (const line of lines) deps.out(line);
  deps.out(`Written: ${file} and ${report}. Try it: IDEM_LIVENESS_FUSION=${file} idem measure liveness …`);
  return 0;
};

/** A picture by the folder that it lies in, and who or what it is of. */
export type Labelled = { readonly path: string; readonly kind: string; readonly person: string };

/** JPEG and PNG of all folders; the person is what stands before the first `_` of a file's name. */
export const listPictures = async (root: string): Promise<readonly Labelled[]> => {
  const folders = await readdir(root, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`The folder ${root} cannot be read (${error.code ?? error.message}).`);
  });
  const found: Labelled[] = [];
  for (const folder of folders.filter((one) => one.isDirectory())) {
    const names = await readdir(join(root, folder.name));
    const pictures = names.filter((name) => /\.(jpe?g|png)$/i.test(name)).toSorted();
    found.push(
      ...pictures.map((name) => ({
        path: join(root, folder.name, name),
        kind: folder.name,
        person: name.split("_")[0]!,
      })),
    );
  }
  return found;
};

const checkEnough = (pictures: readonly Labelled[]): void => {
  const live = pictures.filter(({ kind }) => kind === livingFolder).length;
  const attacks = pictures.length - live;
  const persons = new Set(pictures.map(({ person }) => person)).size;
  if (live < picturesMin || attacks < picturesMin || persons < personsMin) {
    throw new CommandError(
      `There are ${live} pictures in live/, ${attacks} in folders of attacks, of ${persons} persons. At least ${picturesMin}, ${picturesMin} and ${personsMin} are needed. The person is what stands before the first _ of a file's name.`,
    );
  }
};

type Judged = LivenessCase & { readonly sample?: FusionSample };

const judgeAll = async (
  pictures: readonly Labelled[],
  deps: TrainLivenessDeps,
): Promise<readonly Judged[]> => {
  return await mapPictures(pictures, { ...deps, every: 50 }, async ({ path, kind, person }) => {
    const measured = await deps.measure(await readFile(path), { liveness: true });
    const judgement = await deps.judge(measured);
    const isAttack = kind !== livingFolder;
    const label = isAttack ? "spoof" : "live";
    const attack = isAttack ? kind : "";
    if (measured.kind !== "measured") return { label, attack, judgement };
    const isVerdict = judgement.result === "Live" || judgement.result === "NoLive";
    const sample = { evidence: deps.weigh(measured), isAttack, kind, person };
    return { label, attack, judgement, picture: measured, ...(isVerdict && { sample }) };
  });
};

/** The same pictures as the cross-validated fits would have answered. */
const recast = (cases: readonly Judged[], odds: readonly number[]): readonly LivenessCase[] => {
  let next = 0;
  return cases.map((one) => {
    if (one.sample === undefined) return one;
    const value = odds[next++]!;
    const result = value > 0 ? "NoLive" : "Live";
    const attackScore = 1 / (1 + Math.exp(-value));
    return { ...one, judgement: { ...one.judgement, result, attackScore } };
  });
};

const contentOf = (
  { fit, now }: TrainLivenessDeps,
  samples: readonly FusionSample[],
  cases: readonly Judged[],
): FusionContent => {
  const attacks = Map.groupBy(
    samples.filter(({ isAttack }) => isAttack),
    ({ kind }) => kind,
  );
  const { offset, scales } = fit(samples);
  return {
    format: "idem-liveness-fusion",
    version: 1,
    madeAt: now().toISOString(),
    offset,
    scales: { ...scales },
    data: {
      persons: new Set(samples.map(({ person }) => person)).size,
      live: samples.filter(({ isAttack }) => !isAttack).length,
      attacks: Object.fromEntries([...attacks].map(([kind, own]) => [kind, own.length])),
    },
    models: { ...cases.find(({ picture }) => picture !== undefined)?.picture?.models },
  };
};

const reportLines = (
  { offset, scales, data }: FusionContent,
  before: LivenessReport,
  after: LivenessReport,
): readonly string[] => [
  "# Liveness fusion",
  "",
  `Fitted on ${data.live} live pictures and ${Object.values(data.attacks).reduce((sum, n) => sum + n, 0)} attacks that got a verdict, of ${data.persons} persons.`,
  `Log odds before any cue: ${offset}. Each cue's own weight is multiplied by:`,
  ...Object.entries(scales).map(([name, scale]) => `  ${name.padEnd(24)} ${scale}`),
  "",
  `## With it, on persons that the fit did not see (${folds} folds)`,
  "",
  ...describeLiveness(after),
  "",
  "## Without it",
  "",
  ...describeLiveness(before),
];
