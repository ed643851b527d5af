import { readFile } from "node:fs/promises";
import type { CueEvidence } from "#face/liveness/cues/cue";
import type { FusionContent } from "#face/liveness/fusion-file";
import type { FittedFusion, FusionSample } from "#face/liveness/fusion-fit";
import type { LivenessJudgement } from "#face/liveness/judge-liveness";
import type { FaceEngine, FaceMeasurement, MeasuredPicture } from "#face/measurement";
import type { LivenessCase, LivenessReport } from "#face/measuring/report-liveness";
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

const training: Training = {
  genuineFolder: "live",
  of: "person",
  file: "liveness-fusion.json",
  lost: "got no verdict",
  variable: "IDEM_LIVENESS_FUSION",
  measure: "idem measure liveness",
};

/** `idem train liveness`. Answers 0. Throws UsageError for wrong words, CommandError for data that cannot be fitted. */
export const trainLiveness = async (argv: readonly string[], deps: TrainLivenessDeps): Promise<number> => {
  const { pictures, file } = await readTraining(argv, training);
  const cases = await judgeAll(pictures, deps);
  const samples = cases.flatMap(({ sample }) => sample ?? []);
  checkLeft(
    samples.map(({ isAttack, person }) => ({ isAttack, of: person })),
    cases.flatMap(({ sample, judgement }) => (sample === undefined ? [judgement.result] : [])),
    training,
  );
  const odds = deps.crossValidate(samples, folds);
  const content = contentOf(deps, samples, cases);
  const { offset, scales, data } = content;
  const attacks = Object.values(data.attacks).reduce((sum, n) => sum + n, 0);
  const report = {
    title: "Liveness fusion",
    fittedOn: `Fitted on ${data.live} live pictures and ${attacks} attacks that got a verdict, of ${data.persons} persons.`,
    sign: "cue",
    offset,
    scales,
    after: describeLiveness(deps.summarise(recast(cases, odds))),
    before: describeLiveness(deps.summarise(cases)),
  };
  await writeFit(file, deps.write(content), report, training, deps.out);
  return 0;
};

type Judged = LivenessCase & { readonly sample?: FusionSample };

const judgeAll = async (
  pictures: readonly LabelledPicture[],
  deps: TrainLivenessDeps,
): Promise<readonly Judged[]> => {
  return await mapPictures(pictures, { ...deps, every: 50 }, async ({ path, kind, isAttack, of: person }) => {
    const measured = await deps.measure(await readFile(path), { liveness: true });
    const judgement = await deps.judge(measured);
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
      attacks: { ...countKinds(samples) },
    },
    models: { ...cases.find(({ picture }) => picture !== undefined)?.picture?.models },
  };
};
