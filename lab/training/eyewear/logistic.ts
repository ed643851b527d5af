import type { LinearProbe } from "../../../src/judging/face/attributes/eyewear-probe.ts";

export type Example = {
  readonly vector: Float32Array;
  readonly isPositive: boolean;
  /** Weight of the example; the fit scales both classes to one half each. */
  readonly weight: number;
};

/** Steps of the descent; with 400 the area under the curve of the folds is the same to four digits. */
const rounds = 600;

/**
 * Logistic regression with a penalty on the squared weights (not on the bias), by Nesterov's accelerated
 * descent: vectors of unit length make the loss smooth with constant 1/2, so the step needs no search.
 */
export const fitLogistic = (examples: readonly Example[], penalty: number): LinearProbe => {
  const shares = classShares(examples);
  const size = examples[0]?.vector.length ?? 0;
  let here = new Float64Array(size + 1);
  let before = here;
  for (let round = 0; round < rounds; round++) {
    const momentum = round / (round + 3);
    const ahead = here.map((value, i) => value + momentum * (value - before[i]!));
    const slope = gradient(examples, shares, ahead, penalty);
    before = here;
    here = ahead.map((value, i) => value - slope[i]! / (0.5 + penalty));
  }
  return { weights: Float32Array.from(here.subarray(0, size)), bias: here[size]! };
};

const classShares = (examples: readonly Example[]) => {
  const total = (wanted: boolean): number =>
    examples.reduce((sum, { isPositive, weight }) => sum + (isPositive === wanted ? weight : 0), 0);
  return { positive: 0.5 / total(true), negative: 0.5 / total(false) };
};

const gradient = (
  examples: readonly Example[],
  shares: ReturnType<typeof classShares>,
  at: Float64Array,
  penalty: number,
): Float64Array => {
  const size = at.length - 1;
  const slope = at.map((value, i) => (i < size ? penalty * value : 0));
  for (const { vector, isPositive, weight } of examples) {
    let odds = at[size]!;
    for (let i = 0; i < size; i++) {
      odds += vector[i]! * at[i]!;
    }
    const share = weight * (isPositive ? shares.positive : shares.negative);
    const error = share * (1 / (1 + Math.exp(-odds)) - (isPositive ? 1 : 0));
    for (let i = 0; i < size; i++) {
      slope[i]! += error * vector[i]!;
    }
    slope[size]! += error;
  }
  return slope;
};
