/**
 * Solves a square linear system: each row holds its coefficients, then the right side. Gauss and Jordan with
 * pivoting; undefined for a singular system. Changes the rows.
 */
export const solveLinear = (system: Float64Array[]): Float64Array | undefined => {
  const size = system.length;
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let row = column; row < size; row++) {
      if (Math.abs(system[row]![column]!) > Math.abs(system[pivot]![column]!)) pivot = row;
    }
    const kept = system[pivot]!;
    if (!(Math.abs(kept[column]!) > singularMax)) return undefined;
    system[pivot] = system[column]!;
    system[column] = kept;
    for (const [row, values] of system.entries()) {
      if (row === column) continue;
      const factor = values[column]! / kept[column]!;
      for (let i = column; i <= size; i++) values[i]! -= factor * kept[i]!;
    }
  }
  return Float64Array.from({ length: size }, (_, i) => system[i]![size]! / system[i]![i]!);
};

/** A smaller pivot counts as zero: the sums of callers are of the order of 1 to 1000. */
const singularMax = 1e-12;
