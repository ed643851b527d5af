/**
 * A precondition of serving: `check` rejects when it is not met, and `missing` describes that, by the reason
 * where it matters.
 */
export type Need = {
  readonly missing: string | ((error: unknown) => string);
  readonly check: () => Promise<void>;
};

export type ReadinessTimes = {
  /** A check that takes longer counts as failed: a probe must not hang with the storage. */
  readonly checkMsMax: number;
  /** How long a result is valid, so that the probes of many balancers cost one check. */
  readonly validMs: number;
};

const standardTimes: ReadinessTimes = { checkMsMax: 2_000, validMs: 1_000 };

/** Reports to the operator: a precondition when it becomes unmet, once; and once when all are met again. */
export type ReadinessNews = {
  readonly onMissing: (sentence: string, error: unknown) => void;
  readonly onReadyAgain: () => void;
};

/**
 * The unmet preconditions, one sentence each. Checks run in parallel, one round at a time. If a check
 * hangs, the next round waits for it and does not start it again.
 */
export const makeFindUnmet = (
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
      const sentence = typeof missing === "string" ? missing : missing(error);
      if (!known.has(sentence)) onMissing(sentence, error);
      return [sentence];
    }
  };
  const askAll = async (): Promise<readonly string[]> => {
    const unmet = (await Promise.all(checks.map(ask))).flat();
    if (unmet.length === 0 && known.size > 0) onReadyAgain();
    known.clear();
    for (const sentence of unmet) known.add(sentence);
    return unmet;
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

/** Shares one running piece of work between all callers. */
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
