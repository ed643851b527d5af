import type { GreyImage } from "#imaging/image";
import type { LineBand } from "../text/text-lines.ts";
import { allHold, type CheckResult, heldCount, judgeChecks } from "./checks.ts";
import { type DecodedLine, decodeLine, marginsOf } from "./decode.ts";
import type { Row, Rows } from "./find-rows.ts";
import { layouts, type MrzFormat } from "./formats.ts";
import { masks } from "./masks.ts";
import type { CropMargins, LineReader, ReadLine } from "./read-line.ts";

/** A zone read as one format. */
export type Hypothesis = {
  readonly format: MrzFormat;
  readonly decoded: readonly DecodedLine[];
  readonly lines: readonly string[];
  readonly margins: readonly (readonly number[])[];
  readonly checks: readonly CheckResult[];
  /** Mean log likelihood of a column. */
  readonly likelihood: number;
  /** Summed log likelihood and a bonus for each check digit that holds. */
  readonly score: number;
  readonly rows: readonly LineBand[];
  readonly zone: Rows;
};

/** Measured on the development pictures (docs/measurements.md). */
const limits = {
  /** A mean column likelihood above this is a text that was read. */
  readable: -0.15,
  checkBonus: 2.3,
  /** Nats by which a longer format may overrule the lines more than a shorter one: invented fillers cost as much each. */
  surplusStrainMax: 15,
  /** Nats by which a format may overrule the lines of a reading that ends the search. */
  settledStrainMax: 4,
  /** A row may have this many characters more than the format, as specks at its ends. */
  surplusMax: 4,
} as const;

const margins: CropMargins = { tall: 1.45, ends: 0.2 };

/** Longer formats first: a line of 44 read as 36 can hold every check digit of its format. */
const byLength = [
  ["TD3", "MRV-A"],
  ["TD2", "MRV-B", "FRA-ID"],
  ["TD1", "FRA-LICENCE", "CHE-LICENCE"],
] as const satisfies readonly (readonly MrzFormat[])[];

/** Reads each row once for each length, however many formats ask. */
type Crops = (offset: number, length: number) => Promise<ReadLine>;

const cropsOf = (readLine: LineReader, image: GreyImage, zone: Rows): Crops => {
  const cache = new Map<string, Promise<ReadLine>>();
  return (offset, length) => {
    const key = `${offset}:${length}`;
    const known = cache.get(key) ?? readLine(image, zone.angle, lineOf(zone, offset, length), margins);
    cache.set(key, known);
    return known;
  };
};

/** The row at an offset, cut for a number of characters; a row that was not found is put at the spacing's distance. */
const lineOf = (zone: Rows, offset: number, length: number): LineBand => {
  const row = zone.rows.get(offset);
  const nearest = zone.rows.get(offset + 1) ?? row;
  const across = row?.line.across ?? (nearest?.line.across ?? 0) - (zone.spacing ?? 0);
  return {
    from: zone.left - 0.85 * zone.pitch,
    to: zone.left + (length - 0.05) * zone.pitch,
    across,
    pivot: row?.line.pivot ?? zone.left,
    height: row?.line.height ?? nearest?.line.height ?? zone.height,
    tilt: zone.tilt,
  };
};

/** Offsets at which a format's rows may begin. The short first line of the Swiss licence need not have been found. */
const startsOf = (zone: Rows, format: MrzFormat): readonly number[] => {
  const { lengths } = layouts[format];
  const mustExist = (start: number) =>
    lengths.every((length, i) => (length < 14 && zone.spacing !== undefined) || zone.rows.has(start + i));
  return [-3, -2, -1, 0, 1, 2].filter(mustExist);
};

const isTooLong = (zone: Rows, format: MrzFormat, start: number): boolean => {
  const surplus = layouts[format].lengths.map((length, i) => {
    const row: Row | undefined = zone.rows.get(start + i);
    return (row?.read.greedy.text.length ?? 0) - length;
  });
  return Math.min(...surplus) > limits.surplusMax;
};

const tryFormat = async (
  crops: Crops,
  zone: Rows,
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
    rows: layout.lengths.map((length, i) => lineOf(zone, start + i, length)),
    zone,
  };
};

const lengthOf = ({ format }: Hypothesis): number => Math.max(...layouts[format].lengths);

const strainOf = ({ decoded }: Hypothesis): number => decoded.reduce((sum, { strain }) => sum + strain, 0);

/** A line of 44 cut at 36 can hold every check digit, so the longer wins if the lines truly bear its length. */
const longerWins = (long: Hypothesis, short: Hypothesis): boolean =>
  heldCount(long.checks) >= heldCount(short.checks) - 1 &&
  strainOf(long) <= strainOf(short) + limits.surplusStrainMax;

/** Of readable ones the longer wins unless it loses two check digits or strains; of equal length the likelier. */
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

/** A reading that no shorter format can beat. */
const isSettled = ({ checks, likelihood, margins: all }: Hypothesis, checksMin = 4): boolean =>
  checks.length >= checksMin &&
  allHold(checks) &&
  likelihood > limits.readable / 3 &&
  Math.min(...all.flat()) >= 2;

/** The formats that the rows bear out by themselves, with the row at which they begin: each about as long, none longer. */
const likelyFormats = (zone: Rows): readonly (readonly [MrzFormat, number])[] =>
  byLength.flatMap((formats) =>
    formats.flatMap((format) =>
      startsOf(zone, format)
        .filter((start) => bearsOut(zone, format, start))
        .map((start) => [format, start] as const),
    ),
  );

const bearsOut = (zone: Rows, format: MrzFormat, start: number): boolean =>
  layouts[format].lengths.every((length, i) => {
    const read = zone.rows.get(start + i)?.read.greedy.text.length ?? 0;
    return read >= length - 3 && read <= length + 1;
  });

/**
 * A reading of the length that the rows show, when it leaves nothing open: all check digits hold, every character
 * stands out and the format overrules nothing. Spares the crops of the other lengths.
 */
export const settledHypothesis = async (
  readLine: LineReader,
  image: GreyImage,
  zone: Rows,
): Promise<Hypothesis | undefined> => {
  const crops = cropsOf(readLine, image, zone);
  for (const [format, start] of likelyFormats(zone)) {
    const found = await tryFormat(crops, zone, format, start);
    if (found !== undefined && isSettled(found, 3) && strainOf(found) <= limits.settledStrainMax)
      return found;
  }
  return undefined;
};

/** The best reading of the rows over all formats. */
export const bestHypothesis = async (
  readLine: LineReader,
  image: GreyImage,
  zone: Rows,
): Promise<Hypothesis | undefined> => {
  const crops = cropsOf(readLine, image, zone);
  let best: Hypothesis | undefined;
  for (const formats of byLength) {
    for (const format of formats) {
      for (const start of startsOf(zone, format)) {
        const found = isTooLong(zone, format, start)
          ? undefined
          : await tryFormat(crops, zone, format, start);
        best = found !== undefined && (best === undefined || isBetter(found, best)) ? found : best;
      }
    }
    if (best !== undefined && isSettled(best)) {
      break;
    }
  }
  return best;
};
