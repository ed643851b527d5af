/**
 * The smallest value that at least a `share` (0…1) of all values does not exceed (nearest rank); undefined
 * without values.
 */
export const quantile = (values: readonly number[], share: number): number | undefined => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
};

/** The median; of two middle values the larger one. Needs at least one value. */
export const upperMedian = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1]!;
