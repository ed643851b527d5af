/**
 * The value at a rank (0 = smallest) of the first `count` values, which it reorders. Needs `rank` < `count`
 * and no NaN. Hoare, Algorithm 65: Find (1961): a median needs no sort.
 */
export const selectRank = (values: Float64Array, count: number, rank: number): number => {
  let [low, high] = [0, count - 1];
  while (low < high) {
    const pivot = values[(low + high) >> 1]!;
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const kept = values[i]!;
      values[i++] = values[j]!;
      values[j--] = kept;
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else break;
  }
  return values[rank]!;
};
