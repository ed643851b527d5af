import { readFile } from "node:fs/promises";
import type { DocumentSample, FittedDocumentFusion } from "#evaluation/documents/fit-document-attacks";
import type { AttackCase, AttacksReport } from "#evaluation/documents/report-attacks";
import type { AttackPolicy } from "#judging/document/decision/attacks/attack-policy";
import type { DocumentCue } from "#judging/document/decision/attacks/cue";
import type { FusedAttack } from "#judging/document/decision/attacks/fusion";
import type { DocumentFusionContent } from "#judging/document/decision/attacks/fusion-file";
import { mapImages } from "../kit/list-file.ts";
import { describeAttacks } from "../kit/measuring/describe-attacks.ts";
import type { WorkProgress } from "../kit/progress.ts";
import {
  checkLeft,
  countKinds,
  folds,
  type LabelledImage,
  readTraining,
  type Training,
  writeFit,
} from "./labelled-folders.ts";

export type TrainDocumentAttacksDeps = {
  readonly judge: (bytes: Uint8Array) => Promise<FusedAttack>;
  readonly concurrency: number;
  readonly policy: AttackPolicy;
  readonly fit: (samples: readonly DocumentSample[], policy: AttackPolicy) => FittedDocumentFusion;
  /** For every sample the weights of a fit without its document. */
  readonly crossFit: (
    samples: readonly DocumentSample[],
    policy: AttackPolicy,
    folds: number,
  ) => readonly FittedDocumentFusion[];
  readonly fuse: (cues: readonly DocumentCue[], policy: AttackPolicy) => FusedAttack;
  readonly summarise: (cases: readonly AttackCase[]) => AttacksReport;
  readonly write: (content: DocumentFusionContent) => string;
  readonly now: () => Date;
  readonly out: (line: string) => void;
  readonly progress: WorkProgress;
};

const training: Training = {
  genuineFolder: "genuine",
  of: "document",
  file: "document-attacks.json",
  lost: "could not be read",
  variable: "IDEM_DOCUMENT_ATTACKS",
  measure: "idem measure document-attacks",
};

/**
 * Runs `idem train document-attacks` and returns 0. Throws UsageError for wrong usage, CommandError for data
 * that cannot be fitted.
 */
export const trainDocumentAttacks = async (
  argv: readonly string[],
  deps: TrainDocumentAttacksDeps,
): Promise<number> => {
  const { images, file } = await readTraining(argv, training);
  const { samples, reasons } = await judgeAll(images, deps);
  checkLeft(
    samples.map(({ isAttack, group }) => ({ isAttack, of: group })),
    reasons,
    training,
  );
  const fits = deps.crossFit(samples, deps.policy, folds);
  const after = samples.map((sample, i) => {
    const fusion = { name: "fold", ...fits[i]! };
    return { ...caseOf(sample), fused: deps.fuse(sample.cues, { ...deps.policy, fusion }) };
  });
  const content = contentOf(deps, samples);
  const { offset, scales, data } = content;
  const attacks = Object.values(data.attacks).reduce((sum, n) => sum + n, 0);
  const report = {
    title: "Traces of attacks on documents",
    fittedOn: `Fitted on ${data.genuine} genuine images and ${attacks} attacks, of ${data.documents} documents.`,
    sign: "trace",
    offset,
    scales,
    after: describeAttacks(deps.summarise(after)),
    before: describeAttacks(deps.summarise(samples.map(caseOf))),
  };
  await writeFit(file, deps.write(content), report, training, deps.out);
  return 0;
};

type Judged = DocumentSample & { readonly fused: FusedAttack };

/** `reasons`: why each unusable image could not be read. */
const judgeAll = async (
  images: readonly LabelledImage[],
  { judge, concurrency, progress }: TrainDocumentAttacksDeps,
): Promise<{ readonly samples: readonly Judged[]; readonly reasons: readonly string[] }> => {
  const pace = { concurrency, progress };
  const reasons: string[] = [];
  const judged = await mapImages(images, pace, async ({ path, kind, isAttack, of: group }) => {
    const fused = await judge(await readFile(path)).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : "could not be read";
      progress.note(`${path}: ${reason}`);
      reasons.push(reason);
      return undefined;
    });
    return fused === undefined
      ? []
      : [{ cues: fused.cues, isAttack, kind: isAttack ? kind : "", group, fused }];
  });
  return { samples: judged.flat(), reasons };
};

const caseOf = ({ isAttack, kind, group, fused }: Judged): AttackCase => ({
  label: isAttack ? "attack" : "genuine",
  kind,
  clip: `${kind}/${group}`,
  fused,
});

const contentOf = (
  { fit, now, policy }: TrainDocumentAttacksDeps,
  samples: readonly Judged[],
): DocumentFusionContent => {
  const { offset, scales } = fit(samples, policy);
  return {
    format: "idem-document-attacks",
    version: 1,
    madeAt: now().toISOString(),
    offset,
    scales: { ...scales },
    data: {
      documents: new Set(samples.map(({ group }) => group)).size,
      genuine: samples.filter(({ isAttack }) => !isAttack).length,
      attacks: { ...countKinds(samples) },
    },
  };
};
