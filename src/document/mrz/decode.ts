import { mrzAlphabet } from "./alphabet.ts";
import type { LineMask } from "./masks.ts";
import { classes, type Posterior } from "./posterior.ts";

/** The likeliest text of a given form in a line. */
export type DecodedLine = {
  readonly text: string;
  /** Log likelihood of the best path, the prior included. */
  readonly score: number;
  /** How much likelier the best path without any form is, in nats: what the form had to overrule. */
  readonly strain: number;
  /** For each place the log score of every character of the alphabet near the columns where the place was read. */
  readonly scores: readonly Float32Array[];
};

const never = -1e9;
/** How far, in characters, a path may stray from even spacing. */
const band = 8;
/** Numbers of characters within the band of a column, and one more that begins there. */
const bandRows = 2 * band + 3;
const symbols = classes - 1;

/** Back pointers: how a state was reached. */
const fromSame = 200;
const fromOther = 100;

/** Trellis over (characters begun, last class): class 0 is a blank after the n-th character, k its symbol. */
type Trellis = {
  readonly posterior: Posterior;
  readonly mask: LineMask;
  readonly length: number;
  readonly back: Uint8Array;
  previous: Float32Array;
  current: Float32Array;
};

/** First number of characters that a path may have begun at a column. */
const bandStart = ({ length, posterior }: Trellis, column: number): number =>
  Math.max(0, Math.floor((column * length) / posterior.columns) - band);

/** Place of the pointers of n characters at a column: only those of the band are kept. */
const backAt = (trellis: Trellis, column: number, n: number): number =>
  (column * bandRows + n - bandStart(trellis, column)) * classes;

/** The two best symbols of the n-th character in the previous column: a repeat of the best one needs a blank between. */
type Leaders = { first: number; firstClass: number; second: number; secondClass: number };

const leadersAt = ({ previous, mask }: Trellis, n: number, out: Leaders): void => {
  out.first = never;
  out.second = never;
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

/** Blank and repetition of the n-th character. */
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

/** Begins the next character after n. */
const begin = (trellis: Trellis, column: number, n: number, leaders: Leaders): void => {
  const { previous, current, back, mask, posterior } = trellis;
  const blank = previous[n * classes]!;
  const at = (n + 1) * classes;
  const out = backAt(trellis, column, n + 1);
  const prior = mask.prior[n];
  for (const code of mask.allowed[n]!) {
    const isLeader = leaders.firstClass === code + 1;
    const symbol = isLeader ? leaders.second : leaders.first;
    const symbolClass = isLeader ? leaders.secondClass : leaders.firstClass;
    const before = symbol > blank ? symbol : blank;
    const value = before + posterior.data[column * classes + code + 1]! + (prior?.[code] ?? 0);
    if (value > current[at + code + 1]!) {
      current[at + code + 1] = value;
      back[out + code + 1] = fromOther + (symbol > blank ? symbolClass : 0);
    }
  }
};

const start = (trellis: Trellis): void => {
  const { previous, mask, posterior } = trellis;
  previous.fill(never);
  previous[0] = posterior.data[0]!;
  for (const code of mask.allowed[0]!) {
    previous[classes + code + 1] = posterior.data[code + 1]! + (mask.prior[0]?.[code] ?? 0);
  }
};

const runColumns = (trellis: Trellis): void => {
  const { posterior, length } = trellis;
  const leaders: Leaders = { first: never, firstClass: 0, second: never, secondClass: 0 };
  start(trellis);
  for (let column = 1; column < posterior.columns; column++) {
    const from = bandStart(trellis, column);
    const to = Math.min(length, column + 1, from + 2 * band + 1);
    trellis.current.fill(never, from * classes, (to + 2) * classes);
    for (let n = from; n <= to; n++) {
      leadersAt(trellis, n, leaders);
      extend(trellis, column, n, leaders);
      if (n < length) begin(trellis, column, n, leaders);
    }
    [trellis.previous, trellis.current] = [trellis.current, trellis.previous];
  }
};

/** Where each character was read. */
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

/** Best log score of every character in the columns of a place and one on each side, as far as no neighbour owns it. */
const scoresOf = ({ posterior, mask }: Trellis, { spans }: Path): readonly Float32Array[] =>
  spans.map(([first, last], place) => {
    const from = Math.max(0, first - 1, (spans[place - 1]?.[1] ?? -1) + 1);
    const to = Math.min(posterior.columns - 1, last + 1, (spans[place + 1]?.[0] ?? Infinity) - 1);
    const best = new Float32Array(symbols).fill(-12);
    for (let column = from; column <= to; column++) {
      for (let code = 0; code < symbols; code++) {
        best[code] = Math.max(best[code]!, posterior.data[column * classes + code + 1]!);
      }
    }
    const prior = mask.prior[place];
    return prior === undefined ? best : best.map((value, code) => value + prior[code]!);
  });

/** Log likelihood of the best path without any form: the best class of every column. */
const freeScore = ({ data, columns }: Posterior): number => {
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
 * Exact Viterbi search for the likeliest text of exactly the mask's length whose characters the mask allows. Undefined
 * when the line has too few columns for it.
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
    back: new Uint8Array(posterior.columns * bandRows * classes),
    previous: new Float32Array(states + classes).fill(never),
    current: new Float32Array(states + classes).fill(never),
  };
  runColumns(trellis);
  const [score, lastClass] = endOf(trellis);
  if (score < never / 10) {
    return undefined;
  }
  const path = trace(trellis, lastClass);
  return {
    text: path.codes.map((code) => mrzAlphabet[code]!).join(""),
    score,
    strain: freeScore(posterior) - score,
    scores: scoresOf(trellis, path),
  };
};

/** How much likelier each character is than the next one that the mask allows at its place, in nats. */
export const marginsOf = ({ text, scores }: DecodedLine, mask: LineMask): readonly number[] =>
  scores.map((row, place) => {
    const code = mrzAlphabet.indexOf(text[place]!);
    let other = -12;
    for (const candidate of mask.allowed[place]!) {
      if (candidate !== code) other = Math.max(other, row[candidate]!);
    }
    return row[code]! - other;
  });
