/** One thing that serving needs: `check` rejects when it is missing, and `missing` says so in words. */
export type Need = {
  readonly missing: string;
  readonly check: () => Promise<void>;
};

export type ReadinessTimes = {
  /** A check that takes longer counts as failed: a probe must not hang where the storage does. */
  readonly checkMsMax: number;
  /** How long an answer stands, so that probes of many balancers cost one check. */
  readonly validMs: number;
};

const standardTimes: ReadinessTimes = { checkMsMax: 2_000, validMs: 3_000 };

/**
 * What hinders serving, in words: one sentence for each need that is missing. Checks run side by side, one round at a
 * time. `onMissing` hears of a need when it goes missing, not again while it is.
 */
export const makeFindHindrances = (
  needs: readonly Need[],
  onMissing: (sentence: string, error: unknown) => void,
  clock: () => Date,
  { checkMsMax, validMs }: ReadinessTimes = standardTimes,
): (() => Promise<readonly string[]>) => {
  let round: { readonly answer: Promise<readonly string[]>; untilMs: number } | undefined;
  const known = new Set<string>();
  const ask = async ({ missing, check }: Need): Promise<readonly string[]> => {
    try {
      await within(check(), checkMsMax);
      known.delete(missing);
      return [];
    } catch (error) {
      if (!known.has(missing)) onMissing(missing, error);
      known.add(missing);
      return [missing];
    }
  };
  const begin = (): Promise<readonly string[]> => {
    const started = { answer: Promise.all(needs.map(ask)).then((all) => all.flat()), untilMs: Infinity };
    round = started;
    const settle = () => {
      started.untilMs = clock().getTime() + validMs;
    };
    void started.answer.then(settle);
    return started.answer;
  };
  return () => (round !== undefined && clock().getTime() < round.untilMs ? round.answer : begin());
};

const within = async (work: Promise<void>, msMax: number): Promise<void> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`No answer within ${msMax} ms`)), msMax);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};
