import type { AssuranceLevel } from "#contract/liveness";
import { type Rate, rateOf } from "#contract/statistics/rate";
import { areaUnderCurve } from "#contract/statistics/scores";
import type { CueName } from "#judging/face/liveness/cues/cue";
import type { LivenessJudgement } from "#judging/face/liveness/judge-liveness";
import type { MeasuredImage } from "#judging/face/measurement";

/** One labelled image and the product's result. */
export type LivenessCase = {
  readonly label: "live" | "spoof";
  /**
   * Kind of the attack (ISO/IEC 30107-3: species of the presentation attack instrument); empty for live
   * images.
   */
  readonly attack: string;
  readonly judgement: LivenessJudgement;
  readonly image?: MeasuredImage;
};

/** The rates of one kind of attack against all live images. */
export type AttackFigures = {
  readonly pictures: number;
  /** Attacks answered Live, over those that got a verdict (ISO/IEC 30107-3, 13.2.2). */
  readonly apcer: Rate;
  /**
   * Share of all attacks that were answered None… (APNRR, 13.2.4). The service then asks for another image.
   */
  readonly none: Rate;
  /** AUC of the attack score. NaN is written as null. */
  readonly auc: number;
  /** AUC of single scalars of the image, the better of both directions. */
  readonly nullScalars: Readonly<Record<string, number>>;
};

export type LivenessReport = {
  readonly live: number;
  readonly spoof: number;
  readonly auc: number;
  /** Over all attacks together. It depends on the mix of the set, so the worst kind is the rate to report. */
  readonly apcer: number;
  /** Live persons answered NoLive, over live persons that got a verdict (BPCER, 13.3.2). */
  readonly bpcer: number;
  /** Share of images without a verdict. */
  readonly none: number;
  /** The kind with the highest APCER, as ISO/IEC 30107-3 requires. */
  readonly worst?: { readonly attack: string; readonly apcer: Rate };
  readonly bounds: {
    readonly apcer: Rate;
    readonly bpcer: Rate;
    readonly noneLive: Rate;
    readonly noneSpoof: Rate;
    readonly apcerByAttack: Readonly<Record<string, Rate>>;
  };
  readonly attacks: Readonly<Record<string, AttackFigures>>;
  readonly results: Readonly<Record<string, { readonly live: number; readonly spoof: number }>>;
  /**
   * AUC of single scalars of the image. If they separate a set well, the set measures itself and not the
   * method.
   */
  readonly nullScalars: Readonly<Record<string, number>>;
  readonly cues: Readonly<Partial<Record<CueName, { readonly live: number; readonly spoof: number }>>>;
  /** The number of answers per assurance level. */
  readonly assurance: Readonly<Partial<Record<AssuranceLevel, number>>>;
};

const scalars: Readonly<Record<string, (image: MeasuredImage) => number | undefined>> = {
  blackLevel: ({ cues }) => cues?.light.blackLevel,
  blownOut: ({ cues }) => cues?.light.blownOut,
  sharpness: ({ face }) => face?.quality.sharpness,
  brightness: ({ face }) => face?.quality.brightness,
};

/** Error rates of liveness judgements on labelled images, per kind of attack. */
export const reportLiveness = (cases: readonly LivenessCase[]): LivenessReport => {
  const of = (label: LivenessCase["label"]) => cases.filter((one) => one.label === label);
  const [live, spoof] = [of("live"), of("spoof")];
  const apcer = errorRate(spoof, "Live");
  const bpcer = errorRate(live, "NoLive");
  const attacks = Object.fromEntries(
    [...Map.groupBy(spoof, ({ attack }) => attack || "unnamed")].map(([name, some]) => [
      name,
      attackFigures(some, live),
    ]),
  );
  const worst = worstOf(attacks);
  return {
    live: live.length,
    spoof: spoof.length,
    auc: aucOf(spoof, live, scoreOf),
    apcer: apcer.rate,
    bpcer: bpcer.rate,
    none: noneRate(cases).rate,
    ...(worst && { worst }),
    bounds: {
      apcer,
      bpcer,
      noneLive: noneRate(live),
      noneSpoof: noneRate(spoof),
      apcerByAttack: Object.fromEntries(Object.entries(attacks).map(([name, own]) => [name, own.apcer])),
    },
    attacks,
    results: countResults(live, spoof),
    nullScalars: scalarsOf(spoof, live),
    cues: meanCues(live, spoof),
    assurance: countAssurance(cases),
  };
};

const attackFigures = (attacks: readonly LivenessCase[], live: readonly LivenessCase[]): AttackFigures => ({
  pictures: attacks.length,
  apcer: errorRate(attacks, "Live"),
  none: noneRate(attacks),
  auc: aucOf(attacks, live, scoreOf),
  nullScalars: scalarsOf(attacks, live),
});

const worstOf = (attacks: LivenessReport["attacks"]): LivenessReport["worst"] =>
  Object.entries(attacks)
    .filter(([, { apcer }]) => apcer.n > 0)
    .map(([attack, { apcer }]) => ({ attack, apcer }))
    .toSorted((a, b) => b.apcer.rate - a.apcer.rate)[0];

const scoreOf = ({ judgement }: LivenessCase): number | undefined => judgement.attackScore;

const scalarsOf = (
  spoof: readonly LivenessCase[],
  live: readonly LivenessCase[],
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(scalars).map(([name, scalar]) => {
      const auc = aucOf(spoof, live, ({ image }) => image && scalar(image));
      return [name, Math.max(auc, 1 - auc)];
    }),
  );

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

const countAssurance = (cases: readonly LivenessCase[]): LivenessReport["assurance"] => {
  const counts: Partial<Record<AssuranceLevel, number>> = {};
  for (const { judgement } of cases) counts[judgement.assurance] = (counts[judgement.assurance] ?? 0) + 1;
  return counts;
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
