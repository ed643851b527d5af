import { readFile, writeFile } from "node:fs/promises";
import type { AttackPolicy } from "#document/attacks/attack-policy";
import type { FusedAttack } from "#document/attacks/fusion";
import type { AttackFusionContent } from "#document/attacks/fusion-file";
import type { AttackSample, FittedAttackFusion } from "#document/attacks/fusion-fit";
import type { AttackCase, AttacksReport } from "#document/attacks/report-attacks";
import type { Signal } from "#document/attacks/signal";
import { CommandError, parseOptions, UsageError } from "./command.ts";
import { checkFiguresFile } from "./figures-file.ts";
import { mapPictures } from "./list-file.ts";
import { describeAttacks } from "./measure-document-attacks.ts";
import { type Labelled, listPictures } from "./train-liveness.ts";

export type TrainDocumentAttacksDeps = {
  readonly judge: (bytes: Uint8Array) => Promise<FusedAttack>;
  readonly concurrency: number;
  readonly policy: AttackPolicy;
  readonly fit: (samples: readonly AttackSample[], policy: AttackPolicy) => FittedAttackFusion;
  /** For every sample the weights of a fit that did not see its document. */
  readonly crossFit: (
    samples: readonly AttackSample[],
    policy: AttackPolicy,
    folds: number,
  ) => readonly FittedAttackFusion[];
  readonly fuse: (signals: readonly Signal[], policy: AttackPolicy) => FusedAttack;
  readonly summarise: (cases: readonly AttackCase[]) => AttacksReport;
  readonly write: (content: AttackFusionContent) => string;
  readonly now: () => Date;
  readonly out: (line: string) => void;
  readonly progress: (line: string) => void;
};

const folds = 5;
const picturesMin = 30;
const documentsMin = 10;
const genuineFolder = "genuine";

/** `idem train document-attacks`. Answers 0. Throws UsageError for wrong words, CommandError for data that cannot be fitted. */
export const trainDocumentAttacks = async (
  argv: readonly string[],
  deps: TrainDocumentAttacksDeps,
): Promise<number> => {
  const { values } = parseOptions(argv, { data: { type: "string" }, out: { type: "string" } });
  const { data } = values;
  if (data === undefined) throw new UsageError("Say where the labelled pictures are: --data DIR");
  const file = values.out ?? "document-attacks.json";
  await checkFiguresFile("--out", file);
  const pictures = await listPictures(data);
  checkEnough(pictures);
  const samples = await judgeAll(pictures, deps);
  const fits = deps.crossFit(samples, deps.policy, folds);
  const before = deps.summarise(samples.map(caseOf));
  const after = deps.summarise(
    samples.map((sample, i) => {
      const fusion = { name: "fold", ...fits[i]! };
      return { ...caseOf(sample), fused: deps.fuse(sample.signals, { ...deps.policy, fusion }) };
    }),
  );
  const content = contentOf(deps, samples);
  await writeFile(file, deps.write(content));
  const lines = reportLines(content, before, after);
  const report = `${file.replace(/\.json$/, "")}.report.md`;
  await writeFile(report, `${lines.join("\n")}\n`);
  for (const line of lines) deps.out(line);
  deps.out(
    `Written: ${file} and ${report}. Try it: IDEM_DOCUMENT_ATTACKS=${file} idem measure document-attacks …`,
  );
  return 0;
};

const checkEnough = (pictures: readonly Labelled[]): void => {
  const genuine = pictures.filter(({ kind }) => kind === genuineFolder).length;
  const attacks = pictures.length - genuine;
  const documents = new Set(pictures.map(({ person }) => person)).size;
  if (genuine < picturesMin || attacks < picturesMin || documents < documentsMin) {
    throw new CommandError(
      `There are ${genuine} pictures in genuine/, ${attacks} in folders of attacks, of ${documents} documents. At least ${picturesMin}, ${picturesMin} and ${documentsMin} are needed. The document is what stands before the first _ of a file's name.`,
    );
  }
};

type Judged = AttackSample & { readonly fused: FusedAttack };

const judgeAll = async (
  pictures: readonly Labelled[],
  { judge, concurrency, progress }: TrainDocumentAttacksDeps,
): Promise<readonly Judged[]> => {
  const pace = { concurrency, every: 20, progress };
  const judged = await mapPictures(pictures, pace, async ({ path, kind, person }) => {
    const fused = await judge(await readFile(path)).catch((error: unknown) => {
      progress(`${path}: ${error instanceof Error ? error.message : "could not be read"}`);
      return undefined;
    });
    const isAttack = kind !== genuineFolder;
    return fused === undefined
      ? []
      : [{ signals: fused.signals, isAttack, kind: isAttack ? kind : "", document: person, fused }];
  });
  return judged.flat();
};

const caseOf = ({ isAttack, kind, document, fused }: Judged): AttackCase => ({
  label: isAttack ? "attack" : "genuine",
  kind,
  clip: `${kind}/${document}`,
  fused,
});

const contentOf = (
  { fit, now, policy }: TrainDocumentAttacksDeps,
  samples: readonly Judged[],
): AttackFusionContent => {
  const attacks = Map.groupBy(
    samples.filter(({ isAttack }) => isAttack),
    ({ kind }) => kind,
  );
  const { offset, scales } = fit(samples, policy);
  return {
    format: "idem-document-attacks",
    version: 1,
    madeAt: now().toISOString(),
    offset,
    scales: { ...scales },
    data: {
      documents: new Set(samples.map(({ document }) => document)).size,
      genuine: samples.filter(({ isAttack }) => !isAttack).length,
      attacks: Object.fromEntries([...attacks].map(([kind, own]) => [kind, own.length])),
    },
  };
};

const reportLines = (
  { offset, scales, data }: AttackFusionContent,
  before: AttacksReport,
  after: AttacksReport,
): readonly string[] => [
  "# Traces of attacks on documents",
  "",
  `Fitted on ${data.genuine} genuine pictures and ${Object.values(data.attacks).reduce((sum, n) => sum + n, 0)} attacks, of ${data.documents} documents.`,
  `Log odds before any trace: ${offset}. Each trace's own weight is multiplied by:`,
  ...Object.entries(scales).map(([name, scale]) => `  ${name.padEnd(24)} ${scale}`),
  "",
  `## With it, on documents that the fit did not see (${folds} folds)`,
  "",
  ...describeAttacks(after),
  "",
  "## Without it",
  "",
  ...describeAttacks(before),
];
