import { readFile } from "node:fs/promises";
import type { AttackPolicy } from "#document/attacks/attack-policy";
import type { FusedAttack } from "#document/attacks/fusion";
import type { AttackFusionContent } from "#document/attacks/fusion-file";
import type { AttackSample, FittedAttackFusion } from "#document/attacks/fusion-fit";
import type { AttackCase, AttacksReport } from "#document/attacks/report-attacks";
import type { Signal } from "#document/attacks/signal";
import {
  checkLeft,
  countKinds,
  folds,
  type LabelledPicture,
  readTraining,
  type Training,
  writeFit,
} from "./labelled-folders.ts";
import { mapPictures } from "./list-file.ts";
import { describeAttacks } from "./measure-document-attacks.ts";

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

const training: Training = {
  genuineFolder: "genuine",
  of: "document",
  file: "document-attacks.json",
  lost: "could not be read",
  variable: "IDEM_DOCUMENT_ATTACKS",
  measure: "idem measure document-attacks",
};

/** `idem train document-attacks`. Answers 0. Throws UsageError for wrong words, CommandError for data that cannot be fitted. */
export const trainDocumentAttacks = async (
  argv: readonly string[],
  deps: TrainDocumentAttacksDeps,
): Promise<number> => {
  const { pictures, file } = await readTraining(argv, training);
  const { samples, reasons } = await judgeAll(pictures, deps);
  checkLeft(
    samples.map(({ isAttack, document }) => ({ isAttack, of: document })),
    reasons,
    training,
  );
  const fits = deps.crossFit(samples, deps.policy, folds);
  const after = samples.map((sample, i) => {
    const fusion = { name: "fold", ...fits[i]! };
    return { ...caseOf(sample), fused: deps.fuse(sample.signals, { ...deps.policy, fusion }) };
  });
  const content = contentOf(deps, samples);
  const { offset, scales, data } = content;
  const attacks = Object.values(data.attacks).reduce((sum, n) => sum + n, 0);
  const report = {
    title: "Traces of attacks on documents",
    fittedOn: `Fitted on ${data.genuine} genuine pictures and ${attacks} attacks, of ${data.documents} documents.`,
    sign: "trace",
    offset,
    scales,
    after: describeAttacks(deps.summarise(after)),
    before: describeAttacks(deps.summarise(samples.map(caseOf))),
  };
  await writeFit(file, deps.write(content), report, training, deps.out);
  return 0;
};

type Judged = AttackSample & { readonly fused: FusedAttack };

/** `reasons`: why each picture that is no sample could not be read. */
const judgeAll = async (
  pictures: readonly LabelledPicture[],
  { judge, concurrency, progress }: TrainDocumentAttacksDeps,
): Promise<{ readonly samples: readonly Judged[]; readonly reasons: readonly string[] }> => {
  const pace = { concurrency, every: 20, progress };
  const reasons: string[] = [];
  const judged = await mapPictures(pictures, pace, async ({ path, kind, isAttack, of: document }) => {
    const fused = await judge(await readFile(path)).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : "could not be read";
      progress(`${path}: ${reason}`);
      reasons.push(reason);
      return undefined;
    });
    return fused === undefined
      ? []
      : [{ signals: fused.signals, isAttack, kind: isAttack ? kind : "", document, fused }];
  });
  return { samples: judged.flat(), reasons };
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
      attacks: { ...countKinds(samples) },
    },
  };
};
