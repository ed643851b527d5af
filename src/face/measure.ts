import { type Rate, rateOf } from "#statistics/rate";
import { areaUnderCurve, countBelow, thresholdAt } from "#statistics/scores";
import type { CueName } from "./cues/cue.ts";
import type { LivenessJudgement } from "./judge-liveness.ts";
import type { MeasuredPicture } from "./measurement.ts";

/** Operating points of a faces report. */
export const falseMatchRates = ["1e-1", "1e-2", "1e-3", "1e-4"] as const;
type FalseMatchRate = (typeof falseMatchRates)[number];

export type FacesReport = {
  readonly pairs: number;
  readonly genuinePairs: number;
  readonly impostorPairs: number;
  readonly failuresToEnrol: number;
  readonly pictures: number;
  readonly auc: number;
  readonly tarAtFmr: Readonly<Record<FalseMatchRate, number>>;
  /** Exact bounds of 1 - TAR at each operating point, and its threshold. */
  readonly fnmrAtFmr: Readonly<Record<FalseMatchRate, Rate & { readonly threshold: number }>>;
  readonly threshold: {
    readonly value: number;
    readonly fmr: number;
    readonly fnmr: number;
    readonly fmrBounds: Rate;
    readonly fnmrBounds: Rate;
  };
};

type FacesInput = {
  readonly genuine: Float64Array;
  readonly impostor: Float64Array;
  readonly pictures: number;
  readonly failuresToEnrol: number;
  /** The product's own threshold; a score from it on is a match. */
  readonly threshold: number;
};

/** One value a false-match rate. */
const byPoint = <Value>(value: (name: FalseMatchRate) => Value) => ({
  "1e-1": value("1e-1"),
  "1e-2": value("1e-2"),
  "1e-3": value("1e-3"),
  "1e-4": value("1e-4"),
});

/** Error rates of a set of fused scores. */
export const reportFaces = (input: FacesInput): FacesReport => {
  const impostor = input.impostor.toSorted();
  const genuine = input.genuine.toSorted();
  const points = falseMatchRates.map((name) => {
    const threshold = thresholdAt(impostor, Number(name));
    return [name, { ...rateOf(countBelow(genuine, threshold, true), genuine.length), threshold }] as const;
  });
  const falseMatches = impostor.length - countBelow(impostor, input.threshold, false);
  const fmr = rateOf(falseMatches, impostor.length);
  const fnmr = rateOf(countBelow(genuine, input.threshold, false), genuine.length);
  const at = (name: FalseMatchRate) => points.find(([point]) => point === name)![1];
  return {
    pairs: genuine.length + impostor.length,
    genuinePairs: genuine.length,
    impostorPairs: impostor.length,
    failuresToEnrol: input.failuresToEnrol,
    pictures: input.pictures,
    auc: areaUnderCurve(genuine, impostor),
    tarAtFmr: byPoint((name) => 1 - at(name).rate),
    fnmrAtFmr: byPoint(at),
    threshold: {
      value: input.threshold,
      fmr: fmr.rate,
      fnmr: fnmr.rate,
      fmrBounds: fmr,
      fnmrBounds: fnmr,
    },
  };
};

/** One labelled picture and what the product said of it. */
export type LivenessCase = {
  readonly label: "live" | "spoof";
  readonly attack: string;
  readonly judgement: LivenessJudgement;
  readonly picture?: MeasuredPicture;
};

export type LivenessReport = {
  readonly live: number;
  readonly spoof: number;
  /** Of the attack score, over the pictures that have one. NaN is written as null. */
  readonly auc: number;
  /** Attacks answered Live, over attacks that were judged (ISO/IEC 30107-3, 13.2). */
  readonly apcer: number;
  /** Live persons answered NoLive, over live persons that were judged. */
  readonly bpcer: number;
  /** Share of pictures that got no verdict. */
  readonly none: number;
  readonly bounds: {
    readonly apcer: Rate;
    readonly bpcer: Rate;
    readonly noneLive: Rate;
    readonly noneSpoof: Rate;
    readonly apcerByAttack: Readonly<Record<string, Rate>>;
  };
  readonly results: Readonly<Record<string, { readonly live: number; readonly spoof: number }>>;
  /** AUC of single numbers of the picture: a set on which they do well measures the set, not the method. */
  readonly nullScalars: Readonly<Record<string, number>>;
  readonly cues: Readonly<Partial<Record<CueName, { readonly live: number; readonly spoof: number }>>>;
};

const scalars: Readonly<Record<string, (picture: MeasuredPicture) => number | undefined>> = {
  blackLevel: ({ cues }) => cues?.light.blackLevel,
  blownOut: ({ cues }) => cues?.light.blownOut,
  sharpness: ({ face }) => face?.quality.sharpness,
  brightness: ({ face }) => face?.quality.brightness,
};

/** Error rates of liveness judgements on labelled pictures. */
export const reportLiveness = (cases: readonly LivenessCase[]): LivenessReport => {
  const of = (label: LivenessCase["label"]) => cases.filter((one) => one.label === label);
  const [live, spoof] = [of("live"), of("spoof")];
  const apcer = errorRate(spoof, "Live");
  const bpcer = errorRate(live, "NoLive");
  const [noneLive, noneSpoof] = [noneRate(live), noneRate(spoof)];
  const byAttack = Map.groupBy(spoof, ({ attack }) => attack || "unnamed");
  return {
    live: live.length,
    spoof: spoof.length,
    auc: aucOf(spoof, live, ({ judgement }) => judgement.attackScore),
    apcer: apcer.rate,
    bpcer: bpcer.rate,
    none: noneRate(cases).rate,
    bounds: {
      apcer,
      bpcer,
      noneLive,
      noneSpoof,
      apcerByAttack: Object.fromEntries([...byAttack].map(([name, some]) => [name, errorRate(some, "Live")])),
    },
    results: countResults(live, spoof),
    nullScalars: Object.fromEntries(
      Object.entries(scalars).map(([name, scalar]) => {
        const auc = aucOf(spoof, live, ({ picture }) => picture && scalar(picture));
        return [name, Math.max(auc, 1 - auc)];
      }),
    ),
    cues: meanCues(live, spoof),
  };
};

const isVerdict = ({ judgement }: LivenessCase): boolean =>
  judgement.result === "Live" || judgement.result === "NoLive";

const errorRate = (cases: readonly LivenessCase[], wrong: "Live" | "NoLive"): Rate =>
  rateOf(cases.filter(({ judgement }) => judgement.result === wrong).length, cases.filter(isVerdict).length);

const noneRate = (cases: readonly LivenessCase[]): Rate =>
  rateOf(cases.filter((one) => !isVerdict(one)).length, cases.length);

const aucOf = (
  high: readonly LivenessCase[],
  low: readonly LivenessCase[],
  value: (one: LivenessCase) => number | undefined,
): number => {
  const values = (cases: readonly LivenessCase[]) =>
    Float64Array.from(cases.map(value).filter((number) => number !== undefined));
  return areaUnderCurve(values(high), values(low));
};

const countResults = (
  live: readonly LivenessCase[],
  spoof: readonly LivenessCase[],
): LivenessReport["results"] => {
  const names = new Set([...live, ...spoof].map(({ judgement }) => judgement.result));
  const count = (cases: readonly LivenessCase[], name: string): number =>
    cases.filter(({ judgement }) => judgement.result === name).length;
  return Object.fromEntries(
    [...names].map((name) => [name, { live: count(live, name), spoof: count(spoof, name) }]),
  );
};

const meanCues = (live: readonly LivenessCase[], spoof: readonly LivenessCase[]): LivenessReport["cues"] => {
  const names = new Set(
    [...live, ...spoof].flatMap(({ judgement }) => judgement.evidence.map(({ cue }) => cue)),
  );
  const mean = (cases: readonly LivenessCase[], name: CueName): number => {
    const weights = cases.flatMap(({ judgement }) =>
      judgement.evidence.filter(({ cue }) => cue === name).map(({ weight }) => weight),
    );
    return weights.reduce((sum, weight) => sum + weight, 0) / Math.max(1, weights.length);
  };
  return Object.fromEntries(
    [...names].map((name) => [name, { live: mean(live, name), spoof: mean(spoof, name) }]),
  );
};
