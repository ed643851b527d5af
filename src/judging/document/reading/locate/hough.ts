import type { Line } from "./geometry.ts";
import type { Edges, Gradient } from "./gradient.ts";

/** A line with the sum of the edge pixels that voted for it. */
export type VotedLine = Line & { readonly votes: number };

/** One degree per step: half a degree found no more cards and took twice the time. */
const angles = 180;
/** An edge votes only near its own normal: texture at other angles cannot add up to a line. */
const voteDegrees = 3;
/** Neighbourhood that each maximum suppresses. */
const suppressDegrees = 5;
const suppressPx = 6;

type Accumulator = { readonly votes: Float32Array; readonly reach: number };

/**
 * The strongest straight lines of an edge image (Hough transform): at most `count`, each with votes of at
 * least `votesMin` × the shorter side (docs/measurements/documents.md).
 */
export const findLines = (
  gradient: Gradient,
  edges: Edges,
  count: number,
  votesMin: number,
): readonly VotedLine[] => {
  const accumulator = smooth(vote(gradient, edges));
  const floor = Math.min(gradient.width, gradient.height) * votesMin;
  return takeMaxima(accumulator, count, floor);
};

const cosines = Float32Array.from({ length: angles }, (_, step) => Math.cos((step * Math.PI) / angles));
const sines = Float32Array.from({ length: angles }, (_, step) => Math.sin((step * Math.PI) / angles));

const vote = (gradient: Gradient, edges: Edges): Accumulator => {
  const { width, height, x: gx, y: gy, magnitude } = gradient;
  const reach = Math.ceil(Math.hypot(width, height));
  const votes = new Float32Array(angles * 2 * reach);
  for (let i = 0; i < edges.mask.length; i++) {
    if (edges.mask[i] === 0) {
      continue;
    }
    const x = i % width;
    const y = (i - x) / width;
    const normal = Math.round((Math.atan2(gy[i]!, gx[i]!) * angles) / Math.PI);
    const weight = 0.3 + Math.min(1, magnitude[i]! / (edges.threshold * 3));
    for (let away = -voteDegrees; away <= voteDegrees; away++) {
      const step = (normal + away + 2 * angles) % angles;
      const rho = Math.round(x * cosines[step]! + y * sines[step]!) + reach;
      votes[step * 2 * reach + rho]! += weight * (1 - 0.2 * Math.abs(away));
    }
  }
  return { votes, reach };
};

/** A line between two cells of rho splits its votes, so half of the neighbours is added. */
const smooth = ({ votes, reach }: Accumulator): Accumulator => {
  const smoothed = Float32Array.from(votes);
  for (let i = 1; i < votes.length - 1; i++) {
    smoothed[i] = votes[i]! + 0.5 * (votes[i - 1]! + votes[i + 1]!);
  }
  return { votes: smoothed, reach };
};

/** Takes the maxima one by one. It keeps the best of each angle, so a step costs 11 rows and not 180. */
const takeMaxima = (accumulator: Accumulator, count: number, floor: number): readonly VotedLine[] => {
  const { votes, reach } = accumulator;
  const best = Int32Array.from({ length: angles }, (_, step) => bestOfRow(accumulator, step));
  const lines: VotedLine[] = [];
  while (lines.length < count) {
    let step = 0;
    for (let i = 1; i < angles; i++) {
      if (votes[best[i]!]! > votes[best[step]!]!) {
        step = i;
      }
    }
    const strength = votes[best[step]!]!;
    if (strength < floor || strength === 0) {
      break;
    }
    const rho = (best[step]! % (2 * reach)) - reach;
    lines.push({
      angle: (step * Math.PI) / angles,
      cos: cosines[step]!,
      sin: sines[step]!,
      rho,
      votes: strength,
    });
    suppress(accumulator, best, step, rho);
  }
  return lines;
};

const bestOfRow = ({ votes, reach }: Accumulator, step: number): number => {
  let best = step * 2 * reach;
  for (let i = best + 1; i < (step + 1) * 2 * reach; i++) {
    if (votes[i]! > votes[best]!) {
      best = i;
    }
  }
  return best;
};

/** Suppresses the neighbourhood of a maximum. Beyond 180° a line continues with the opposite sign of rho. */
const suppress = (accumulator: Accumulator, best: Int32Array, step: number, rho: number): void => {
  const { votes, reach } = accumulator;
  for (let away = -suppressDegrees; away <= suppressDegrees; away++) {
    const raw = step + away;
    const wrapped = (raw + angles) % angles;
    const centre = (raw === wrapped ? rho : -rho) + reach;
    const from = wrapped * 2 * reach + Math.max(0, centre - suppressPx);
    const to = wrapped * 2 * reach + Math.min(2 * reach - 1, centre + suppressPx);
    votes.fill(0, from, to + 1);
    best[wrapped] = bestOfRow(accumulator, wrapped);
  }
};
