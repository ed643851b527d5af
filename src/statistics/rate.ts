/** Share of errors among comparisons, with its exact 95 % bounds. All rates are fractions of 1. */
export type Rate = { readonly rate: number; readonly low: number; readonly high: number; readonly n: number };

/** Two-sided 95 %. */
const tail = 0.025;

/** An observed share with Clopper and Pearson's exact bounds (1934). With n = 0 the rate is NaN, the bounds 0 and 1. */
export const rateOf = (events: number, n: number): Rate => ({
  rate: events / n,
  low: events === 0 ? 0 : betaQuantile(tail, events, n - events + 1),
  high: events === n ? 1 : betaQuantile(1 - tail, events + 1, n - events),
  n,
});

/** The x whose regularised incomplete beta function is `share`; by bisection, to 1e-12. */
const betaQuantile = (share: number, a: number, b: number): number => {
  let [low, high] = [0, 1];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (incompleteBeta(middle, a, b) < share) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return (low + high) / 2;
};

const incompleteBeta = (x: number, a: number, b: number): number => {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b;
};

/** Continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), by Lentz's method. */
const betaFraction = (x: number, a: number, b: number): number => {
  const tiny = 1e-300;
  const nonZero = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let step = 1;
    for (const term of [even, odd]) {
      d = 1 / nonZero(1 + term * d);
      c = nonZero(1 + term / c);
      step = d * c;
      fraction *= step;
    }
    if (Math.abs(step - 1) < 1e-13) break;
  }
  return fraction;
};

/** Lanczos' approximation, g = 7, n = 9: relative error under 1e-14. */
const lanczos = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

const logGamma = (z: number): number => {
  const x = z - 1;
  const sum = lanczos.reduce((total, value, i) => total + value / (x + i + 1), 0.99999999999980993);
  const t = x + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(sum);
};
