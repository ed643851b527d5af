import { type Draw, makeDraw } from "./draw.ts";
import type { AttackSettings } from "./settings.ts";
import type { Target } from "./target.ts";
import type { Watch } from "./watch.ts";

/** One attack on the service. */
export type AttackCase = {
  readonly name: string;
  /** Resolves with what is wrong with the service's answer; empty where the service is right. */
  readonly run: (target: Target) => Promise<readonly string[]>;
};

export type Attack = {
  readonly kind: string;
  /** Cases of every run. */
  readonly fixed: readonly AttackCase[];
  /** A case that the draws alone decide. */
  readonly generate: (draw: Draw) => AttackCase;
  /** Cases at once. Default 1. */
  readonly atOnce?: number;
};

/**
 * Most processor time of the service's main thread before it answers a probe. It holds the arrival and the
 * parsing of the largest bodies; the findings that this guards against took 470 ms to many seconds.
 */
const busyMsMax = 150;
/**
 * How often a case must hold the thread for longer. A collection of garbage or a busy machine holds it once.
 */
const busyTimes = 3;

/** Stops early where everything fails. */
const failuresMax = 20;

type Campaign = {
  readonly attack: Attack;
  readonly target: Target;
  readonly watch: Watch;
  readonly settings: AttackSettings;
  readonly seconds: number;
};

type Numbered = { readonly id: string; readonly one: AttackCase };

function* casesOf({ attack, settings, seconds }: Campaign): Generator<Numbered> {
  const { kind, fixed, generate } = attack;
  const numbered = (number: number) => ({
    id: `${kind}/${settings.seed}/${number}`,
    one: generate(makeDraw(settings.seed, number)),
  });
  if (settings.only !== undefined) {
    const [only, series, number = "0"] = settings.only.split("/");
    const one = fixed[Number(number)];
    if (only === kind && series !== "fixed") yield numbered(Number(number));
    if (only === kind && series === "fixed") {
      if (one === undefined) throw new Error(`${settings.only}: ${kind} has ${fixed.length} fixed cases`);
      yield { id: settings.only, one };
    }
    return;
  }
  yield* fixed.map((one, at) => ({ id: `${kind}/fixed/${at}`, one }));
  const until = performance.now() + seconds * 1000;
  for (
    let number = 0;
    settings.cases === undefined ? performance.now() < until : number < settings.cases;
    number++
  ) {
    yield numbered(number);
  }
}

type Seen = { readonly faults: readonly string[]; readonly busyMs: number };

/** Runs a case once: what is wrong, and how long the main thread was busy. */
const runOnce = async ({ target, watch }: Campaign, one: AttackCase): Promise<Seen> => {
  const faults = await one.run(target);
  const { failed, busyMsMax: busyMs } = await watch.look();
  return { faults: [...faults, ...(failed > 0 ? [`${failed} probes of /healthz failed`] : [])], busyMs };
};

const faultsOf = async (campaign: Campaign, { one }: Numbered): Promise<readonly string[]> => {
  const seen = [await runOnce(campaign, one)];
  const isBusy = (): boolean => seen.every(({ busyMs }) => busyMs > busyMsMax);
  while (seen.length < busyTimes && isBusy()) seen.push(await runOnce(campaign, one));
  const times = seen.map(({ busyMs }) => busyMs.toFixed(0)).join(", ");
  return [
    ...seen.flatMap(({ faults }) => faults),
    ...(isBusy() ? [`the main thread was busy for ${times} ms`] : []),
  ];
};

export type Outcome = {
  readonly cases: number;
  /** One line for each failing case, with the command that repeats it. */
  readonly failures: readonly string[];
};

/** Runs an attack's fixed cases, then generated ones until its time is over. */
export const runAttack = async (campaign: Campaign): Promise<Outcome> => {
  const { attack, target } = campaign;
  const waiting = casesOf(campaign);
  const failures: string[] = [];
  let cases = 0;
  let isDead = false;
  const noteDeath = async (): Promise<void> => {
    await target.service.ended;
    isDead = true;
  };
  void noteDeath();
  const work = async (): Promise<void> => {
    for (const numbered of waiting) {
      const faults = await faultsOf(campaign, numbered);
      cases += 1;
      if (isDead) failures.push(`${lineOf(numbered)}: the service has ended`);
      failures.push(...faults.map((fault) => `${lineOf(numbered)}: ${fault}`));
      if (isDead || failures.length >= failuresMax) return;
    }
  };
  await Promise.all(Array.from({ length: attack.atOnce ?? 1 }, work));
  return { cases, failures };
};

const lineOf = ({ id, one }: Numbered): string => `npm run test:attack -- --case ${id}   # ${one.name}`;
