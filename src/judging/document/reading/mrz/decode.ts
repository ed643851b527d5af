import { mrzAlphabet } from "./alphabet.ts";
import type { LineMask } from "./masks.ts";
import { classes, type Posterior } from "./posterior.ts";

/** The most likely text of a line that fits the format's grammar mask. */
export type DecodedLine = {
  readonly text: string;
  /** Log-likelihood of the Viterbi path, prior included. */
  readonly score: number;
  /**
   * Log-likelihood that the grammar mask costs, in nats: the best path without the mask minus the best path
   * with it.
   */
  readonly maskCost: number;
  /**
   * For each position the log score of every character of the alphabet, in and beside the columns of that
   * position.
   */
  readonly scores: readonly Float32Array[];
};

/*
 * Viterbi decoding over a CTC trellis with a grammar mask: every path must spell a text of the mask's length,
 * with allowed characters only. A beam around even spacing bounds the states of a column; all scores are in
 * nats.
 */

/** Log-likelihood of an impossible state. It replaces minus infinity. */
const logZero = -1e9;
/** Beam: the distance, in characters, that a path may deviate from even spacing. */
const beam = 8;
/**
 * Rows of the beam at one column: the character counts in the beam, and one more for a character that begins
 * there.
 */
const beamRows = 2 * beam + 3;
const characters = classes - 1;

/** Back pointers: how the path reached a state. */
const fromSame = 200;
const fromOther = 100;

/**
 * CTC trellis with states (characters begun, last class): class 0 is the blank after the n-th character,
 * class k > 0 is the n-th character itself. The forward pass keeps two columns of log-likelihoods, and back
 * pointers for the Viterbi path.
 */
type Trellis = {
  readonly posterior: Posterior;
  readonly mask: LineMask;
  readonly length: number;
  readonly back: Uint8Array;
  previous: Float32Array;
  current: Float32Array;
};

/** The lowest character count in the beam at a column. */
const beamStart = ({ length, posterior }: Trellis, column: number): number =>
  Math.max(0, Math.floor((column * length) / posterior.columns) - beam);

/** Offset of the back pointers for n characters at a column: only the beam's are stored. */
const backAt = (trellis: Trellis, column: number, n: number): number =>
  (column * beamRows + n - beamStart(trellis, column)) * classes;

/**
 * The two best classes of the n-th character in the previous column. Two are needed because CTC requires a
 * blank between two equal characters.
 */
type Leaders = { first: number; firstClass: number; second: number; secondClass: number };

const leadersAt = ({ previous, mask }: Trellis, n: number, out: Leaders): void => {
  out.first = logZero;
  out.second = logZero;
  out.firstClass = 0;
  out.secondClass = 0;
  if (n === 0) {
    return;
  }
  for (const code of mask.allowed[n - 1]!) {
    const value = previous[n * classes + code + 1]!;
    if (value > out.first) {
      out.second = out.first;
      out.secondClass = out.firstClass;
      out.first = value;
      out.firstClass = code + 1;
    } else if (value > out.second) {
      out.second = value;
      out.secondClass = code + 1;
    }
  }
};

/** Stays at the n-th character: a blank, or a repeat of its class. */
const extend = (trellis: Trellis, column: number, n: number, leaders: Leaders): void => {
  const { previous, current, back, mask, posterior } = trellis;
  const at = n * classes;
  const out = backAt(trellis, column, n);
  const scores = column * classes;
  const isBlank = previous[at]! >= leaders.first;
  current[at] = (isBlank ? previous[at]! : leaders.first) + posterior.data[scores]!;
  back[out] = isBlank ? 0 : leaders.firstClass;
  if (n === 0) {
    return;
  }
  for (const code of mask.allowed[n - 1]!) {
    const value = previous[at + code + 1]! + posterior.data[scores + code + 1]!;
    if (value > current[at + code + 1]!) {
      current[at + code + 1] = value;
      back[out + code + 1] = fromSame;
    }
  }
};

/** Starts the character after the n-th one. */
const begin = (trellis: Trellis, column: number, n: number, leaders: Leaders): void => {
  const { previous, current, back, mask, posterior } = trellis;
  const blank = previous[n * classes]!;
  const at = (n + 1) * classes;
  const out = backAt(trellis, column, n + 1);
  const prior = mask.prior[n];
  for (const code of mask.allowed[n]!) {
    const isLeader = leaders.firstClass === code + 1;
    const leader = isLeader ? leaders.second : leaders.first;
    const leaderClass = isLeader ? leaders.secondClass : leaders.firstClass;
    const before = leader > blank ? leader : blank;
    const value = before + posterior.data[column * classes + code + 1]! + (prior?.[code] ?? 0);
    if (value > current[at + code + 1]!) {
      current[at + code + 1] = value;
      back[out + code + 1] = fromOther + (leader > blank ? leaderClass : 0);
    }
  }
};

const start = (trellis: Trellis): void => {
  const { previous, mask, posterior } = trellis;
  previous.fill(logZero);
  previous[0] = posterior.data[0]!;
  for (const code of mask.allowed[0]!) {
    previous[classes + code + 1] = posterior.data[code + 1]! + (mask.prior[0]?.[code] ?? 0);
  }
};

const runColumns = (trellis: Trellis): void => {
  const { posterior, length } = trellis;
  const leaders: Leaders = { first: logZero, firstClass: 0, second: logZero, secondClass: 0 };
  start(trellis);
  for (let column = 1; column < posterior.columns; column++) {
    const from = beamStart(trellis, column);
    const to = Math.min(length, column + 1, from + 2 * beam + 1);
    trellis.current.fill(logZero, from * classes, (to + 2) * classes);
    for (let n = from; n <= to; n++) {
      leadersAt(trellis, n, leaders);
      extend(trellis, column, n, leaders);
      if (n < length) begin(trellis, column, n, leaders);
    }
    [trellis.previous, trellis.current] = [trellis.current, trellis.previous];
  }
};

/** The Viterbi path: the characters, and the columns of each. */
type Path = { readonly codes: readonly number[]; readonly spans: readonly (readonly [number, number])[] };

const trace = (trellis: Trellis, lastClass: number): Path => {
  const { back, posterior, length } = trellis;
  const codes = Array.from({ length }, () => 0);
  const spans = Array.from({ length }, (): [number, number] => [Infinity, -1]);
  let [n, k] = [length, lastClass];
  for (let column = posterior.columns - 1; column >= 0; column--) {
    if (k > 0) {
      codes[n - 1] = k - 1;
      const span = spans[n - 1]!;
      spans[n - 1] = [Math.min(span[0], column), Math.max(span[1], column)];
    }
    const pointer = back[backAt(trellis, column, n) + k]!;
    if (k === 0) {
      k = column > 0 ? pointer : 0;
    } else if (column > 0 && pointer !== fromSame) {
      n--;
      k = pointer - fromOther;
    }
  }
  return { codes, spans };
};

/**
 * Best log score of every character in the columns of a position and one column on each side, without the
 * neighbours' columns.
 */
const scoresOf = ({ posterior, mask }: Trellis, { spans }: Path): readonly Float32Array[] =>
  spans.map(([first, last], place) => {
    const from = Math.max(0, first - 1, (spans[place - 1]?.[1] ?? -1) + 1);
    const to = Math.min(posterior.columns - 1, last + 1, (spans[place + 1]?.[0] ?? Infinity) - 1);
    const best = new Float32Array(characters).fill(-12);
    for (let column = from; column <= to; column++) {
      for (let code = 0; code < characters; code++) {
        best[code] = Math.max(best[code]!, posterior.data[column * classes + code + 1]!);
      }
    }
    const prior = mask.prior[place];
    return prior === undefined ? best : best.map((value, code) => value + prior[code]!);
  });

/** Log-likelihood of the best path without a mask: the best class of every column. */
const unmaskedScore = ({ data, columns }: Posterior): number => {
  let sum = 0;
  for (let from = 0; from < columns * classes; from += classes) {
    let best = data[from]!;
    for (let k = 1; k < classes; k++) best = Math.max(best, data[from + k]!);
    sum += best;
  }
  return sum;
};

const endOf = ({ previous, mask, length }: Trellis): readonly [score: number, lastClass: number] => {
  let best: readonly [number, number] = [previous[length * classes]!, 0];
  for (const code of mask.allowed[length - 1]!) {
    const value = previous[length * classes + code + 1]!;
    best = value > best[0] ? [value, code + 1] : best;
  }
  return best;
};

/**
 * Viterbi decoding over a CTC trellis with a grammar mask: finds the most likely text that has exactly the
 * mask's length and only characters that the mask allows at each position. The search is exact within the
 * beam. Undefined when the line has too few columns.
 */
export const decodeLine = (posterior: Posterior, mask: LineMask): DecodedLine | undefined => {
  const length = mask.allowed.length;
  if (posterior.columns < length) {
    return undefined;
  }
  const states = (length + 1) * classes;
  const trellis: Trellis = {
    posterior,
    mask,
    length,
    back: new Uint8Array(posterior.columns * beamRows * classes),
    previous: new Float32Array(states + classes).fill(logZero),
    current: new Float32Array(states + classes).fill(logZero),
  };
  runColumns(trellis);
  const [score, lastClass] = endOf(trellis);
  if (score < logZero / 10) {
    return undefined;
  }
  const path = trace(trellis, lastClass);
  return {
    text: path.codes.map((code) => mrzAlphabet[code]!).join(""),
    score,
    maskCost: unmaskedScore(posterior) - score,
    scores: scoresOf(trellis, path),
  };
};

/**
 * The margin of each character in nats: its log score minus the score of the next best character that the
 * mask allows.
 */
export const marginsOf = ({ text, scores }: DecodedLine, mask: LineMask): readonly number[] =>
  scores.map((row, place) => {
    const code = mrzAlphabet.indexOf(text[place]!);
    let other = -12;
    for (const candidate of mask.allowed[place]!) {
      if (candidate !== code) other = Math.max(other, row[candidate]!);
    }
    return row[code]! - other;
  });
