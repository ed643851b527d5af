import type { GreyImage } from "#machine/imaging/image";
import type { LineBand } from "../ocr/text-lines.ts";
import { allHold, type CheckResult, heldCount, judgeChecks } from "./checks.ts";
import { type DecodedLine, decodeLine, marginsOf } from "./decode.ts";
import type { Row, Rows } from "./find-rows.ts";
import { layouts, type MrzFormat } from "./formats.ts";
import { masks } from "./masks.ts";
import type { CropMargins, LineReader, ReadLine } from "./read-line.ts";

/** An MRZ read as one format. */
export type Hypothesis = {
  readonly format: MrzFormat;
  readonly decoded: readonly DecodedLine[];
  readonly lines: readonly string[];
  readonly margins: readonly (readonly number[])[];
  readonly checks: readonly CheckResult[];
  /** Mean log-likelihood per column. */
  readonly likelihood: number;
  /** Summed log-likelihood, with a bonus for each check digit that holds. */
  readonly score: number;
  readonly rows: readonly LineBand[];
  readonly mrz: Rows;
};

/** Measured on the development images (docs/measurements/documents.md). */
const limits = {
  /** A mean column log-likelihood above this means that text was read. */
  readable: -0.15,
  checkBonus: 2.3,
  /**
   * Nats of grammar cost that a longer format may have above a shorter one: each invented filler costs as
   * much.
   */
  surplusMaskCostMax: 15,
  /** Nats of grammar cost that a reading may have and still end the search. */
  settledMaskCostMax: 4,
  /** A row may have this many characters more than the format, as specks at its ends. */
  surplusMax: 4,
} as const;

const margins: CropMargins = { tall: 1.45, ends: 0.2 };

/** Longer formats first: a line of 44 characters read as 36 can hold every check digit of its format. */
const byLength = [
  ["TD3", "MRV-A"],
  ["TD2", "MRV-B", "FRA-ID"],
  ["TD1", "FRA-LICENCE", "CHE-LICENCE"],
] as const satisfies readonly (readonly MrzFormat[])[];

/** Reads each row once per length, however many formats ask for it. */
type Crops = (offset: number, length: number) => Promise<ReadLine>;

const cropsOf = (readLine: LineReader, image: GreyImage, mrz: Rows): Crops => {
  const cache = new Map<string, Promise<ReadLine>>();
  return (offset, length) => {
    const key = `${offset}:${length}`;
    const known = cache.get(key) ?? readLine(image, mrz.angle, lineOf(mrz, offset, length), margins);
    cache.set(key, known);
    return known;
  };
};

/** The row at an offset, cut for a number of characters; a missing row is placed at the row spacing. */
const lineOf = (mrz: Rows, offset: number, length: number): LineBand => {
  const row = mrz.rows.get(offset);
  const nearest = mrz.rows.get(offset + 1) ?? row;
  const across = row?.line.across ?? (nearest?.line.across ?? 0) - (mrz.spacing ?? 0);
  return {
    from: mrz.left - 0.85 * mrz.pitch,
    to: mrz.left + (length - 0.05) * mrz.pitch,
    across,
    pivot: row?.line.pivot ?? mrz.left,
    height: row?.line.height ?? nearest?.line.height ?? mrz.height,
    tilt: mrz.tilt,
  };
};

/** Offsets where a format's rows may begin. The short first line of the Swiss licence may be missing. */
const startsOf = (mrz: Rows, format: MrzFormat): readonly number[] => {
  const { lengths } = layouts[format];
  const mustExist = (start: number) =>
    lengths.every((length, i) => (length < 14 && mrz.spacing !== undefined) || mrz.rows.has(start + i));
  return [-3, -2, -1, 0, 1, 2].filter(mustExist);
};

const isTooLong = (mrz: Rows, format: MrzFormat, start: number): boolean => {
  const surplus = layouts[format].lengths.map((length, i) => {
    const row: Row | undefined = mrz.rows.get(start + i);
    return (row?.read.greedy.text.length ?? 0) - length;
  });
  return Math.min(...surplus) > limits.surplusMax;
};

const tryFormat = async (
  crops: Crops,
  mrz: Rows,
  format: MrzFormat,
  start: number,
): Promise<Hypothesis | undefined> => {
  const layout = layouts[format];
  const decoded: DecodedLine[] = [];
  let [score, likelihood] = [0, 0];
  for (const [i, length] of layout.lengths.entries()) {
    const { posterior } = await crops(start + i, length);
    const line = decodeLine(posterior, masks[format][i]!);
    if (line === undefined) {
      return undefined;
    }
    decoded.push(line);
    score += line.score;
    likelihood += line.score / posterior.columns / layout.lengths.length;
  }
  const lines = decoded.map(({ text }) => text);
  const checks = judgeChecks(layout, lines);
  return {
    format,
    decoded,
    lines,
    margins: decoded.map((line, i) => marginsOf(line, masks[format][i]!)),
    checks,
    likelihood,
    score: score + limits.checkBonus * heldCount(checks),
    rows: layout.lengths.map((length, i) => lineOf(mrz, start + i, length)),
    mrz,
  };
};

const lengthOf = ({ format }: Hypothesis): number => Math.max(...layouts[format].lengths);

const maskCostOf = ({ decoded }: Hypothesis): number =>
  decoded.reduce((sum, { maskCost }) => sum + maskCost, 0);

/**
 * Whether the longer format wins. A line of 44 characters cut at 36 can hold every check digit, so the longer
 * one wins if the lines support its length.
 */
const longerWins = (long: Hypothesis, short: Hypothesis): boolean =>
  heldCount(long.checks) >= heldCount(short.checks) - 1 &&
  maskCostOf(long) <= maskCostOf(short) + limits.surplusMaskCostMax;

/**
 * Compares two hypotheses. If both are readable, the longer one wins, unless it loses two check digits or
 * costs too many nats. At equal length the likelier one wins.
 */
const isBetter = (a: Hypothesis, b: Hypothesis): boolean => {
  const isReadable = a.likelihood > limits.readable;
  if (isReadable !== b.likelihood > limits.readable) {
    return isReadable;
  }
  if (lengthOf(a) === lengthOf(b)) {
    return a.score > b.score;
  }
  if (!isReadable) {
    return a.likelihood > b.likelihood;
  }
  return lengthOf(a) > lengthOf(b) ? longerWins(a, b) : !longerWins(b, a);
};

/** Whether no shorter format can beat this reading. */
const isSettled = ({ checks, likelihood, margins: all }: Hypothesis, checksMin = 4): boolean =>
  checks.length >= checksMin &&
  allHold(checks) &&
  likelihood > limits.readable / 3 &&
  Math.min(...all.flat()) >= 2;

/**
 * Formats supported by the row widths alone (rows of about equal length), with their first row; no format is
 * longer.
 */
const likelyFormats = (mrz: Rows): readonly (readonly [MrzFormat, number])[] =>
  byLength.flatMap((formats) =>
    formats.flatMap((format) =>
      startsOf(mrz, format)
        .filter((start) => bearsOut(mrz, format, start))
        .map((start) => [format, start] as const),
    ),
  );

const bearsOut = (mrz: Rows, format: MrzFormat, start: number): boolean =>
  layouts[format].lengths.every((length, i) => {
    const read = mrz.rows.get(start + i)?.read.greedy.text.length ?? 0;
    return read >= length - 3 && read <= length + 1;
  });

/**
 * A reading at the length of the rows that leaves no doubt: all check digits hold, every margin is large and
 * the grammar costs nothing. It avoids the crops of the other lengths.
 */
export const settledHypothesis = async (
  readLine: LineReader,
  image: GreyImage,
  mrz: Rows,
): Promise<Hypothesis | undefined> => {
  const crops = cropsOf(readLine, image, mrz);
  for (const [format, start] of likelyFormats(mrz)) {
    const found = await tryFormat(crops, mrz, format, start);
    if (found !== undefined && isSettled(found, 3) && maskCostOf(found) <= limits.settledMaskCostMax)
      return found;
  }
  return undefined;
};

/** The best reading of the rows over all formats. */
export const bestHypothesis = async (
  readLine: LineReader,
  image: GreyImage,
  mrz: Rows,
): Promise<Hypothesis | undefined> => {
  const crops = cropsOf(readLine, image, mrz);
  let best: Hypothesis | undefined;
  for (const formats of byLength) {
    for (const format of formats) {
      for (const start of startsOf(mrz, format)) {
        const found = isTooLong(mrz, format, start) ? undefined : await tryFormat(crops, mrz, format, start);
        best = found !== undefined && (best === undefined || isBetter(found, best)) ? found : best;
      }
    }
    if (best !== undefined && isSettled(best)) {
      break;
    }
  }
  return best;
};
