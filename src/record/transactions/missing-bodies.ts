/** Positions from one to another, both included. */
export type Range = { readonly from: number; readonly through: number };

/**
 * Most separate ranges that are held: our choice, some 500 kB. Beyond it the last range grows over the bodies
 * between, so that memory stays bounded. One removal names one range, so only a chain that lost bodies singly
 * comes that far.
 */
const rangesMax = 10_000;

/**
 * The positions whose bodies are missing, as ranges, until an entry records their removal. Positions come in
 * ascending order.
 */
export const makeMissingBodies = () => {
  let open: Range[] = [];
  let explained = 0;
  return {
    add: (seq: number): void => {
      const last = open.at(-1);
      if (last !== undefined && (last.through === seq - 1 || open.length === rangesMax)) {
        open[open.length - 1] = { from: last.from, through: seq };
      } else {
        open.push({ from: seq, through: seq });
      }
    },
    /** An entry records the removal of the bodies in this range. */
    explain: (removed: Range): void => {
      open = open.flatMap((range) => {
        const from = Math.max(range.from, removed.from);
        const through = Math.min(range.through, removed.through);
        if (from > through) return [range];
        explained += through - from + 1;
        return [
          { from: range.from, through: from - 1 },
          { from: through + 1, through: range.through },
        ].filter((rest) => rest.from <= rest.through);
      });
    },
    ranges: (): readonly Range[] => open,
    explained: (): number => explained,
  };
};
