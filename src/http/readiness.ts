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

/** What the operator hears: of a need when it goes missing, not again while it is; once when none is missing any more. */
export type ReadinessNews = {
  readonly onMissing: (sentence: string, error: unknown) => void;
  readonly onReadyAgain: () => void;
};

/**
 * What hinders serving, in words: one sentence for each need that is missing. Checks run side by side, one round at a
 * time; one that hangs is waited for again in the next round, and no second one is started beside it.
 */
export const makeFindHindrances = (
  needs: readonly Need[],
  { onMissing, onReadyAgain }: ReadinessNews,
  clock: () => Date,
  { checkMsMax, validMs }: ReadinessTimes = standardTimes,
): (() => Promise<readonly string[]>) => {
  let round: { readonly answer: Promise<readonly string[]>; untilMs: number } | undefined;
  const known = new Set<string>();
  const checks = needs.map(({ missing, check }) => ({ missing, check: oneAtATime(check) }));
  const ask = async ({ missing, check }: Need): Promise<readonly string[]> => {
    try {
      await within(check(), checkMsMax);
      return [];
    } catch (error) {
      if (!known.has(missing)) onMissing(missing, error);
      return [missing];
    }
  };
  const askAll = async (): Promise<readonly string[]> => {
    const hindrances = (await Promise.all(checks.map(ask))).flat();
    if (hindrances.length === 0 && known.size > 0) onReadyAgain();
    known.clear();
    for (const sentence of hindrances) known.add(sentence);
    return hindrances;
  };
  const begin = (): Promise<readonly string[]> => {
    const started = { answer: askAll(), untilMs: Infinity };
    round = started;
    const settle = () => {
      started.untilMs = clock().getTime() + validMs;
    };
    void started.answer.then(settle);
    return started.answer;
  };
  return () => (round !== undefined && clock().getTime() < round.untilMs ? round.answer : begin());
};

/** The same work, joined by who asks while it runs. */
const oneAtATime = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
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
