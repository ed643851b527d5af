/** P(X ≤ k) for X binomial(n, p), summed in logarithms so that large n does not underflow. */
const binomialCdf = (k: number, n: number, p: number): number => {
  let log = n * Math.log1p(-p);
  let sum = Math.exp(log);
  for (let i = 1; i <= k; i++) {
    log += Math.log((n - i + 1) / i) + Math.log(p / (1 - p));
    sum += Math.exp(log);
  }
  return Math.min(1, sum);
};

/** The p in (0, 1) at which a falling function crosses a level. */
const crossing = (value: (p: number) => number, level: number): number => {
  let [low, high] = [0, 1];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (value(middle) > level) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
};

/** Exact 95 % bounds of a rate of `hits` among `n` (Clopper and Pearson 1934); 0…1 when nothing was tried. */
export const clopperPearson = (hits: number, n: number): { readonly low: number; readonly high: number } => ({
  low: hits === 0 ? 0 : crossing((p) => binomialCdf(hits - 1, n, p), 0.975),
  high: hits === n ? 1 : crossing((p) => binomialCdf(hits, n, p), 0.025),
});
