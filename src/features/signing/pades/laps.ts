/** Milliseconds of each step of a signing, by its name; a repeated step is summed. */
export type Timings = Readonly<Record<string, number>>;

/** A stop-watch: `lap` ends a step. Its times are for measurements alone, no result depends on them. */
export const makeLaps = (now: () => number = () => performance.now()) => {
  const timings: Record<string, number> = {};
  let since = now();
  return {
    lap: (step: string): void => {
      const at = now();
      timings[step] = (timings[step] ?? 0) + at - since;
      since = at;
    },
    timings,
  };
};
