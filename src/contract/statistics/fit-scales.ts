/**
 * A sample of one of two classes: the weight of each cue before calibration (natural log of a likelihood
 * ratio), and the share of the sample in all weight, 0…1.
 */
export type ScaledSample<Name extends string> = {
  readonly weights: ReadonlyMap<Name, number>;
  readonly isPositive: boolean;
  readonly share: number;
};

/** The factor of the weight of each cue, and an offset in log odds. */
export type Calibration<Name extends string> = {
  readonly offset: number;
  readonly scales: ReadonlyMap<Name, number>;
};

export type Bounds<Name extends string> = {
  readonly offset: readonly [low: number, high: number];
  /** The largest scale of a cue at this offset. */
  readonly scaleMaxOf: (name: Name, offset: number) => number;
};

/** Log odds of the positive class under a calibration, and which scales change them there. */
export type OddsOf<Name extends string> = (
  weights: ReadonlyMap<Name, number>,
  calibration: Calibration<Name>,
) => { readonly odds: number; readonly isMovedBy: (name: Name) => boolean };

/** The cues as independent evidence (naive Bayes with fitted weights). */
const sumOfEvidence = <Name extends string>(
  weights: ReadonlyMap<Name, number>,
  { offset, scales }: Calibration<Name>,
) => ({
  odds: [...weights].reduce((sum, [name, weight]) => sum + weight * (scales.get(name) ?? 1), offset),
  isMovedBy: () => true,
});

/** Pulls every scale towards 1, so that a rare cue keeps the weight that it has. */
const ridge = 0.001;

/**
 * Offset and scales with the least weighted log-loss (logistic regression with a ridge, by projected gradient
 * descent), from 0 to their bounds, so that no cue supports the other class.
 */
export const fitScales = <Name extends string>(
  samples: readonly ScaledSample<Name>[],
  names: readonly Name[],
  bounds: Bounds<Name>,
  steps: number,
  oddsOf: OddsOf<Name> = sumOfEvidence,
): Calibration<Name> => {
  let offset = bounds.offset[1];
  let scales: ReadonlyMap<Name, number> = new Map(names.map((name) => [name, 1]));
  for (let step = 0; step < steps; step++) {
    const slope = slopeAt(samples, { offset, scales }, oddsOf);
    offset = within(offset - slope.offset, bounds.offset);
    const before = scales;
    scales = new Map(
      names.map((name) => {
        const scale = before.get(name)!;
        const moved = scale - (slope.scales.get(name) ?? 0) - 2 * ridge * (scale - 1);
        return [name, within(moved, [0, bounds.scaleMaxOf(name, offset)])];
      }),
    );
  }
  return { offset, scales };
};

const slopeAt = <Name extends string>(
  samples: readonly ScaledSample<Name>[],
  calibration: Calibration<Name>,
  oddsOf: OddsOf<Name>,
): Calibration<Name> => {
  const scales = new Map<Name, number>();
  let offset = 0;
  for (const { weights, isPositive, share } of samples) {
    const { odds, isMovedBy } = oddsOf(weights, calibration);
    const error = share * (1 / (1 + Math.exp(-odds)) - (isPositive ? 1 : 0));
    offset += error;
    for (const [name, weight] of weights) {
      if (isMovedBy(name)) scales.set(name, (scales.get(name) ?? 0) + error * weight);
    }
  }
  return { offset, scales };
};

const within = (value: number, [low, high]: readonly [number, number]): number =>
  Math.min(high, Math.max(low, value));

/**
 * The share of each sample. The positive samples have `positiveShare` of all weight, the same for each kind.
 * The others have the rest.
 */
export const sharesOf = (
  samples: readonly { readonly isPositive: boolean; readonly kind: string }[],
  positiveShare: number,
): readonly number[] => {
  const kinds = Map.groupBy(
    samples.filter(({ isPositive }) => isPositive),
    ({ kind }) => kind,
  );
  const others = samples.filter(({ isPositive }) => !isPositive).length;
  return samples.map(({ isPositive, kind }) =>
    isPositive ? positiveShare / (kinds.size * kinds.get(kind)!.length) : (1 - positiveShare) / others,
  );
};

/**
 * For every item the result of `fit` on the items of the other folds, without its own group. Groups go to the
 * folds in the order of their first item.
 */
export const crossFit = <Item, Fit>(
  items: readonly Item[],
  groupOf: (item: Item) => string,
  folds: number,
  fit: (others: readonly Item[]) => Fit,
): readonly Fit[] => {
  const foldOf = new Map([...new Set(items.map(groupOf))].map((group, i) => [group, i % folds]));
  const foldOfItem = (item: Item): number => foldOf.get(groupOf(item))!;
  const fits = Array.from({ length: folds }, (_, fold) =>
    fit(items.filter((item) => foldOfItem(item) !== fold)),
  );
  return items.map((item) => fits[foldOfItem(item)]!);
};
