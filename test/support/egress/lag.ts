/**
 * The longest time that this thread did not get to its timers: on a busy machine a test waits so much longer.
 */
export const makeLagMeter = (): { readonly stop: () => number } => {
  const everyMs = 20;
  let lastMs = performance.now();
  let lagMs = 0;
  const look = (): void => {
    const nowMs = performance.now();
    lagMs = Math.max(lagMs, nowMs - lastMs - everyMs);
    lastMs = nowMs;
  };
  const timer = setInterval(look, everyMs);
  return {
    stop: () => {
      look();
      clearInterval(timer);
      return lagMs;
    },
  };
};
