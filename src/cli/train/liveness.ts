import { readFile } from "node:fs/promises";
import { type FittedFusion, probabilityOf } from "#contract/presentation-attack/fusion";
import type { LivenessSample } from "#evaluation/liveness/fit-liveness";
import type { LivenessCase, LivenessReport } from "#evaluation/liveness/report-liveness";
import type { CueEvidence, CueName } from "#judging/face/liveness/cues/cue";
import type { FusionContent } from "#judging/face/liveness/fusion-file";
import type { LivenessJudgement } from "#judging/face/liveness/judge-liveness";
import type { FaceEngine, FaceMeasurement, MeasuredImage } from "#judging/face/measurement";
import { mapImages } from "../kit/list-file.ts";
import { describeLiveness } from "../kit/measuring/describe-liveness.ts";
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

export type TrainLivenessDeps = {
  readonly measure: FaceEngine["measure"];
  readonly concurrency: number;
  /** The product's own judge, which also decides whether an image can be judged. */
  readonly judge: (measurement: FaceMeasurement) => Promise<LivenessJudgement>;
  readonly weigh: (image: MeasuredImage) => readonly CueEvidence[];
  readonly fit: (samples: readonly LivenessSample[]) => FittedFusion<CueName>;
  /** Log odds of an attack by fits that did not see the person. */
  readonly crossValidate: (samples: readonly LivenessSample[], folds: number) => readonly number[];
  readonly summarise: (cases: readonly LivenessCase[]) => LivenessReport;
  readonly write: (content: FusionContent) => string;
  readonly now: () => Date;
  readonly out: (line: string) => void;
  readonly progress: WorkProgress;
};

const training: Training = {
  genuineFolder: "live",
  of: "person",
  file: "liveness-fusion.json",
  lost: "got no verdict",
  variable: "IDEM_LIVENESS_FUSION",
  measure: "idem measure liveness",
};

/**
 * Runs `idem train liveness` and returns 0. Throws UsageError for wrong usage, CommandError for data that
 * cannot be fitted.
 */
export const trainLiveness = async (argv: readonly string[], deps: TrainLivenessDeps): Promise<number> => {
  const { images, file } = await readTraining(argv, training);
  const cases = await judgeAll(images, deps);
  const samples = cases.flatMap(({ sample }) => sample ?? []);
  checkLeft(
    samples.map(({ isAttack, group }) => ({ isAttack, of: group })),
    cases.flatMap(({ sample, judgement }) => (sample === undefined ? [judgement.result] : [])),
    training,
  );
  const odds = deps.crossValidate(samples, folds);
  const content = contentOf(deps, samples, cases);
  const { offset, scales, data } = content;
  const attacks = Object.values(data.attacks).reduce((sum, n) => sum + n, 0);
  const report = {
    title: "Liveness fusion",
    fittedOn: `Fitted on ${data.live} live images and ${attacks} attacks that got a verdict, of ${data.persons} persons.`,
    sign: "cue",
    offset,
    scales,
    after: describeLiveness(deps.summarise(recast(cases, odds))),
    before: describeLiveness(deps.summarise(cases)),
  };
  await writeFit(file, deps.write(content), report, training, deps.out);
  return 0;
};

type Judged = LivenessCase & { readonly sample?: LivenessSample };

const judgeAll = async (
  images: readonly LabelledImage[],
  deps: TrainLivenessDeps,
): Promise<readonly Judged[]> => {
  return await mapImages(images, deps, async ({ path, kind, isAttack, of: group }) => {
    const measured = await deps.measure(await readFile(path), { liveness: true });
    const judgement = await deps.judge(measured);
    const label = isAttack ? "spoof" : "live";
    const attack = isAttack ? kind : "";
    if (measured.kind !== "measured") return { label, attack, judgement };
    const isVerdict = judgement.result === "Live" || judgement.result === "NoLive";
    const sample = { evidence: deps.weigh(measured), isAttack, kind, group };
    return { label, attack, judgement, image: measured, ...(isVerdict && { sample }) };
  });
};

/** The same images with the answers of the cross-validated fits. */
const recast = (cases: readonly Judged[], odds: readonly number[]): readonly LivenessCase[] => {
  let next = 0;
  return cases.map((one) => {
    if (one.sample === undefined) return one;
    const value = odds[next++]!;
    const result = value > 0 ? "NoLive" : "Live";
    const attackScore = probabilityOf(value);
    return { ...one, judgement: { ...one.judgement, result, attackScore } };
  });
};

const contentOf = (
  { fit, now }: TrainLivenessDeps,
  samples: readonly LivenessSample[],
  cases: readonly Judged[],
): FusionContent => {
  const { offset, scales } = fit(samples);
  return {
    format: "idem-liveness-fusion",
    version: 1,
    madeAt: now().toISOString(),
    offset,
    scales: { ...scales },
    data: {
      persons: new Set(samples.map(({ group }) => group)).size,
      live: samples.filter(({ isAttack }) => !isAttack).length,
      attacks: { ...countKinds(samples) },
    },
    models: { ...cases.find(({ image }) => image !== undefined)?.image?.models },
  };
};
