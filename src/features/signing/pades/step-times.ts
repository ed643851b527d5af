/** Milliseconds of each step of a signing, by its name; a repeated step is summed. */
export type Timings = Readonly<Record<string, number>>;

/** A stop-watch: `endStep` ends a step. Its times are for measurements alone, no result depends on them. */
export const makeStepTimes = (now: () => number = () => performance.now()) => {
  const timings: Record<string, number> = {};
  let since = now();
  return {
    endStep: (step: string): void => {
      const at = now();
      timings[step] = (timings[step] ?? 0) + at - since;
      since = at;
    },
    timings,
  };
};
