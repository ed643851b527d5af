/** Calls of an honest caller, one after the other from each caller, until they stop. */
export type GoodCallers = {
  /** `good`: answered with 200. */
  readonly counts: { good: number; bad: number };
  readonly stop: () => Promise<void>;
};

export const startCallers = (
  call: () => Promise<{ readonly status: number }>,
  count: number,
): GoodCallers => {
  const counts = { good: 0, bad: 0 };
  const state = { isEnding: false };
  const work = async (): Promise<void> => {
    while (!state.isEnding) {
      const { status } = await call().catch(() => ({ status: 0 }));
      if (status === 200) counts.good++;
      else counts.bad++;
    }
  };
  const running = Promise.all(Array.from({ length: count }, work));
  return {
    counts,
    stop: async () => {
      state.isEnding = true;
      await running;
    },
  };
};
