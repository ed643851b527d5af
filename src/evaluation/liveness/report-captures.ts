import { type Rate, rateOf } from "#contract/statistics/rate";
import { areaUnderCurve } from "#contract/statistics/scores";
import type { ChallengeReason } from "#judging/face/challenge/challenge";

/** One labelled capture and the product's result. */
export type CaptureCase = {
  readonly label: "live" | "spoof";
  /** Kind of the attack; empty for live captures. */
  readonly attack: string;
  readonly device: string;
  readonly light: string;
  readonly result: "pass" | "again" | "fail";
  readonly reason?: ChallengeReason | undefined;
  /** From the first frame to the last, by the page's clock. */
  readonly spanMs?: number | undefined;
  /** Single numbers of the best image that know nothing of liveness; absent without a face. */
  readonly nullScalars: Readonly<Record<string, number | undefined>>;
};

export type CaptureReport = {
  readonly live: number;
  readonly spoof: number;
  /** Live captures that failed, over those with a verdict (ISO/IEC 30107-3, 13.3.2). */
  readonly bpcer: Rate;
  /** Live captures that must be taken again, over all. */
  readonly tryAgain: Rate;
  /**
   * By kind of attack: the share that passed among those with a verdict (13.2.2), and the share of all that
   * must be taken again.
   */
  readonly attacks: Readonly<Record<string, { readonly apcer: Rate; readonly tryAgain: Rate }>>;
  /** By device and light, of live captures. `medianMs` is null without times. */
  readonly conditions: Readonly<
    Record<string, { readonly bpcer: Rate; readonly tryAgain: Rate; readonly medianMs: number | null }>
  >;
  readonly reasons: Readonly<Record<string, { readonly live: number; readonly spoof: number }>>;
  /**
   * AUC of single numbers of the best image, the better of both directions. Where one does well, the set
   * measures itself.
   */
  readonly nullScalars: Readonly<Record<string, number>>;
};

/** Error rates of captures under a challenge, with exact bounds. */
export const reportCaptures = (cases: readonly CaptureCase[]): CaptureReport => {
  const [live, spoof] = (["live", "spoof"] as const).map((label) =>
    cases.filter((one) => one.label === label),
  );
  return {
    live: live!.length,
    spoof: spoof!.length,
    bpcer: verdictRateOf(live!, "fail"),
    tryAgain: tryAgainOf(live!),
    attacks: mapGroups(
      spoof!,
      ({ attack }) => attack || "unnamed",
      (some) => ({
        apcer: verdictRateOf(some, "pass"),
        tryAgain: tryAgainOf(some),
      }),
    ),
    conditions: mapGroups(
      live!,
      ({ device, light }) => `${device || "unnamed"}, ${light || "unnamed"}`,
      (some) => ({
        bpcer: verdictRateOf(some, "fail"),
        tryAgain: tryAgainOf(some),
        medianMs: medianOf(some.flatMap(({ spanMs }) => (spanMs === undefined ? [] : [spanMs]))),
      }),
    ),
    reasons: mapGroups(
      cases,
      ({ result, reason }) => (reason === undefined ? result : `${result} ${reason}`),
      (some) => ({
        live: some.filter(({ label }) => label === "live").length,
        spoof: some.filter(({ label }) => label === "spoof").length,
      }),
    ),
    nullScalars: nullScalarsOf(live!, spoof!),
  };
};

const mapGroups = <Figures>(
  cases: readonly CaptureCase[],
  nameOf: (one: CaptureCase) => string,
  figuresOf: (some: readonly CaptureCase[]) => Figures,
): Readonly<Record<string, Figures>> =>
  Object.fromEntries([...Map.groupBy(cases, nameOf)].map(([name, some]) => [name, figuresOf(some)]));

const verdictRateOf = (cases: readonly CaptureCase[], error: "pass" | "fail"): Rate =>
  rateOf(
    cases.filter(({ result }) => result === error).length,
    cases.filter(({ result }) => result !== "again").length,
  );

const tryAgainOf = (cases: readonly CaptureCase[]): Rate =>
  rateOf(cases.filter(({ result }) => result === "again").length, cases.length);

const medianOf = (values: readonly number[]): number | null =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;

const nullScalarsOf = (
  live: readonly CaptureCase[],
  spoof: readonly CaptureCase[],
): CaptureReport["nullScalars"] => {
  const names = new Set([...live, ...spoof].flatMap(({ nullScalars }) => Object.keys(nullScalars)));
  const valuesOf = (cases: readonly CaptureCase[], name: string) =>
    Float64Array.from(
      cases.map(({ nullScalars }) => nullScalars[name]).filter((value) => value !== undefined),
    );
  return Object.fromEntries(
    [...names].map((name) => {
      const area = areaUnderCurve(valuesOf(spoof, name), valuesOf(live, name));
      return [name, Math.max(area, 1 - area)];
    }),
  );
};
