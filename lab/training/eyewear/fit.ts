/**
 * Fits the probes that detect eyewear in a face descriptor, on the output of `samples.ts`:
 *
 * node lab/training/eyewear/fit.ts SAMPLES OUT
 *
 * Writes OUT/eyewear-probe.bin and OUT/eyewear-probe.training.json. The figures come from folds over faces: a
 * face, its degraded copies and the glasses drawn on it are in one fold. The hash goes into the ledger,
 * `src/machine/networks/ledger.ts`.
 */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { rateOf } from "../../../src/contract/statistics/rate.ts";
import { areaUnderCurve } from "../../../src/contract/statistics/scores.ts";
import {
  descriptorOf,
  type LinearProbe,
  logOdds,
  packEyewearProbe,
} from "../../../src/judging/face/attributes/eyewear-probe.ts";
import { defaultFacePolicy } from "../../../src/judging/face/policy.ts";
import { ledger } from "../../../src/machine/networks/ledger.ts";
import { modelHashes } from "../../../src/machine/networks/model-files.ts";
import { fitLogistic } from "./logistic.ts";
import type { Sample } from "./sample.ts";

const size = 1024;
const folds = 5;
/** The best of 1e-3 … 1e-6 on the folds, counted on generated glasses only; 1e-4 … 1e-6 hardly differ. */
const penalty = 1e-5;
/**
 * A drawn pair has half the weight: its glasses are simpler. On the folds 2.6 % of the generated glasses are
 * missed without drawn ones and .4 % with them, at any weight from .2 to 1.
 */
const drawnWeight = 0.5;

type Described = Sample & { readonly vector: Float32Array };
type Question = {
  readonly asks: (sample: Sample) => boolean;
  readonly isPositive: (sample: Sample) => boolean;
};

/** Tinted lenses are eyewear, but no example of clear or dark ones. */
const questions = {
  worn: { asks: () => true, isPositive: ({ label }) => label !== "none" },
  dark: {
    asks: ({ label }) => label === "eye" || label === "sun",
    isPositive: ({ label }) => label === "sun",
  },
} as const satisfies Record<string, Question>;

const readSamples = async (folder: string): Promise<readonly Described[]> => {
  const samples: readonly Sample[] = JSON.parse(await readFile(path.join(folder, "samples.json"), "utf8"));
  const { buffer, byteOffset } = await readFile(path.join(folder, "samples.f32"));
  return samples.map((sample, i) => ({
    ...sample,
    vector: new Float32Array(buffer.slice(byteOffset + 4 * size * i, byteOffset + 4 * size * (i + 1))),
  }));
};

const fit = (samples: readonly Described[], { asks, isPositive }: Question): LinearProbe =>
  fitLogistic(
    samples.filter(asks).map((sample) => ({
      vector: sample.vector,
      isPositive: isPositive(sample),
      weight: sample.isDrawn ? drawnWeight : 1,
    })),
    penalty,
  );

/** Every sample judged by a probe that has not seen its face. */
const judgeByFolds = (samples: readonly Described[], question: Question) =>
  Array.from({ length: folds }, (_, fold) => {
    const probe = fit(
      samples.filter(({ face }) => face % folds !== fold),
      question,
    );
    return samples
      .filter((sample) => sample.face % folds === fold && question.asks(sample))
      .map((sample) => ({ sample, odds: logOdds(probe, sample.vector) }));
  }).flat();

const shareOf = (odds: Float64Array, has: (odds: number) => boolean) => {
  const { rate, low, high, n } = rateOf(odds.filter(has).length, odds.length);
  return { rate: Number(rate.toFixed(4)), low: Number(low.toFixed(4)), high: Number(high.toFixed(4)), n };
};

const figuresOf = (judged: ReturnType<typeof judgeByFolds>, question: Question) => {
  const of = (wanted: boolean): Float64Array =>
    Float64Array.from(
      judged.filter(({ sample }) => question.isPositive(sample) === wanted),
      ({ odds }) => odds,
    );
  const [yes, no] = [of(true), of(false)];
  return {
    auc: Number(areaUnderCurve(yes, no).toFixed(4)),
    missed: shareOf(yes, (odds) => odds <= 0),
    false: shareOf(no, (odds) => odds > 0),
    falseAndSure: shareOf(no, (odds) => odds >= defaultFacePolicy.attributes.eyewearWornOddsMin),
  };
};

const reportOf = (samples: readonly Described[], question: Question) => {
  const judged = judgeByFolds(samples, question);
  const among = (has: (sample: Sample) => boolean) =>
    figuresOf(
      judged.filter(({ sample }) => has(sample)),
      question,
    );
  return {
    generated: among(({ isDrawn, isWorse }) => !isDrawn && !isWorse),
    generatedWorse: among(({ isDrawn, isWorse }) => !isDrawn && isWorse),
    drawn: among(({ isDrawn, label }) => isDrawn || label === "none"),
  };
};

const [folder, out] = process.argv.slice(2);
if (folder === undefined || out === undefined) {
  console.error("usage: node lab/training/eyewear/fit.ts SAMPLES OUT");
  process.exit(2);
}
const samples = await readSamples(folder);
const counts: Record<string, number> = {};
for (const { label, isDrawn, isWorse } of samples) {
  const name = `${label}${isDrawn ? ", drawn" : ""}${isWorse ? ", worse" : ""}`;
  counts[name] = (counts[name] ?? 0) + 1;
}
const packed = packEyewearProbe({
  descriptor: descriptorOf(modelHashes(ledger)),
  worn: fit(samples, questions.worn),
  dark: fit(samples, questions.dark),
});
const report = {
  sha256: createHash("sha256").update(packed).digest("hex"),
  faces: new Set(samples.map(({ face }) => face)).size,
  counts,
  penalty,
  drawnWeight,
  worn: reportOf(samples, questions.worn),
  dark: reportOf(samples, questions.dark),
};
await writeFile(path.join(out, "eyewear-probe.bin"), packed);
await writeFile(path.join(out, "eyewear-probe.training.json"), `${JSON.stringify(report, undefined, 2)}\n`);
console.log(JSON.stringify(report, undefined, 1));
