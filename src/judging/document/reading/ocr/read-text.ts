import type { GreyImage, Image, Imaging } from "#machine/imaging/image";
import type { QuarterRotations } from "../quarter-rotations.ts";
import { cropLine, type Strip } from "./crop-line.ts";
import type { DecodedLine } from "./ctc.ts";
import type { DetectText } from "./detect-text.ts";
import {
  bandOfLetter,
  type FindMissingValues,
  lettersAt,
  linesOfMissing,
  type MissingValue,
} from "./missing-values.ts";
import { printedBands } from "./printed-bands.ts";
import { type MarkReading, makeReadMarks } from "./read-marks.ts";
import type { ColourStrip, RecogniseColour } from "./recognise-added.ts";
import type { RecogniseLines } from "./recognise-lines.ts";
import type { TextBox } from "./text-box.ts";
import type { TextLine } from "./text-line.ts";
import type { LineBand } from "./text-lines.ts";
import { findTextRotation } from "./text-rotation.ts";

export type TextReader = {
  /** The printed lines of an upright side, top to bottom; lines at one height from the left. */
  readonly readLines: (side: Image) => Promise<readonly TextLine[]>;
  /** Quarter rotations that bring the image's text upright; undefined when there is too little text. */
  readonly findRotation: (image: Image) => Promise<QuarterRotations | undefined>;
  /**
   * Whether anything on the image looks like text, readable or not; costs nothing after either of the others.
   */
  readonly showsText: (image: Image) => Promise<boolean>;
  /** Large or slanted text across an upright side, in several readings. */
  readonly readMarks: (side: Image) => Promise<readonly MarkReading[]>;
};

export type TextReaderDeps = {
  readonly imaging: Pick<Imaging, "toGrey" | "resize">;
  readonly detect: DetectText;
  readonly recognise: RecogniseLines;
  /**
   * Reads the lines in place of `recognise`. The rotation still comes from `recognise`, whose limits were
   * measured with it.
   */
  readonly recogniseColour?: RecogniseColour | undefined;
  /** Finds values that the detector missed; absent: none is sought. */
  readonly findMissingValues?: FindMissingValues;
};

/** Longer side of the detector's input, px (docs/measurements/documents.md). */
const detectionSide = 736;
/**
 * Growth of the detector's box: at its own height the marks of capitals are cut (99.2 against 98.3 % exact).
 */
const cropGrowth = 0.15;
/** Boxes of noise are read as text with a low confidence. */
const confidenceMin = 0.3;
/** Many specks are no document. This number bounds the time. */
const linesMax = 150;

const cut = (grey: GreyImage, band: LineBand): Strip => {
  const growth = band.height * cropGrowth;
  return cropLine(
    grey,
    0,
    { ...band, from: band.from - growth / 2, to: band.to + growth / 2 },
    band.height + growth,
  );
};

/** The colour channels of an image, one by one. */
const coloursOf = ({ data, width, height }: Image): ColourStrip => {
  const colour = (place: number): GreyImage => {
    const plane = new Uint8Array(width * height);
    for (let i = 0, at = place; i < plane.length; i++, at += 3) plane[i] = data[at]!;
    return { width, height, data: plane };
  };
  return [colour(0), colour(1), colour(2)];
};

/** Reads bands of one side. */
type Reading = (bands: readonly LineBand[]) => Promise<readonly DecodedLine[]>;

/** Reads a side with the recogniser that the operator added, if there is one. */
const makeReadBands =
  ({ imaging, recognise, recogniseColour }: TextReaderDeps) =>
  (side: Image): Reading => {
    if (recogniseColour === undefined) {
      const grey = imaging.toGrey(side);
      return (bands) => recognise(bands.map((band) => cut(grey, band)));
    }
    const [red, green, blue] = coloursOf(side);
    return (bands) =>
      recogniseColour(bands.map((band) => [cut(red, band), cut(green, band), cut(blue, band)]));
  };

const share = (value: number): number => Math.min(1, Math.max(0, value));

const boxOf = (band: LineBand, { width, height }: Image): TextLine["box"] => {
  const x = share(band.from / width);
  const y = share((band.across - band.height / 2) / height);
  return {
    x,
    y,
    width: share(band.to / width) - x,
    height: share((band.across + band.height / 2) / height) - y,
  };
};

const longest = (bands: readonly LineBand[]): readonly LineBand[] =>
  bands.length <= linesMax
    ? bands
    : bands.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, linesMax);

const middleOf = ({ box }: TextLine): number => box.y + box.height / 2;

/** Rows from the top. Lines whose centres are within half a height form one row, from the left. */
const inRows = (lines: readonly TextLine[]): readonly TextLine[] => {
  const rows: TextLine[][] = [];
  for (const line of lines.toSorted((a, b) => middleOf(a) - middleOf(b))) {
    const row = rows.at(-1);
    const first = row?.[0];
    const isSameRow =
      row !== undefined &&
      first !== undefined &&
      middleOf(line) - middleOf(first) <= Math.min(line.box.height, first.box.height) / 2;
    if (isSameRow) row.push(line);
    else rows.push([line]);
  }
  return rows.flatMap((row) => row.sort((a, b) => a.box.x - b.box.x));
};

const trim = ({ text, confidence }: DecodedLine): DecodedLine => ({
  text: text.replaceAll(/ +/g, " ").trim(),
  confidence,
});

const linesOf = (
  side: Image,
  bands: readonly LineBand[],
  read: readonly DecodedLine[],
): readonly TextLine[] =>
  bands.flatMap((band, i): readonly TextLine[] => {
    const { text: trimmed, confidence } = trim(read[i]!);
    return trimmed === "" || confidence < confidenceMin
      ? []
      : [{ text: trimmed, confidence, box: boxOf(band, side) }];
  });

export const makeTextReader = (deps: TextReaderDeps): TextReader => {
  const { imaging, recognise, findMissingValues } = deps;
  const readBands = makeReadBands(deps);
  const readMissing = makeReadMissing(deps);
  const readMarks = makeReadMarks(deps);
  const detect = rememberingLast((image) => deps.detect(image, { longSide: detectionSide }));
  return {
    readLines: async (side) => {
      const bands = longest(printedBands(await detect(side)));
      const read = readBands(side);
      const lines = inRows(linesOf(side, bands, await read(bands)));
      const found = await readMissing(side, findMissingValues?.(lines) ?? [], read);
      return found.length === 0 ? lines : inRows([...lines, ...found]);
    },
    findRotation: async (image) => {
      return await findTextRotation(imaging.toGrey(image), await detect(image), recognise);
    },
    showsText: async (image) => (await detect(image)).length > 0,
    readMarks: async (side) => await readMarks(side, await detect(side)),
  };
};

/** Reads the letters that stand at the places of missing values. */
const makeReadMissing =
  ({ imaging }: TextReaderDeps) =>
  async (side: Image, missing: readonly MissingValue[], readBands: Reading): Promise<readonly TextLine[]> => {
    if (missing.length === 0) return [];
    const letters = lettersAt(imaging.toGrey(side), missing);
    const bands = letters.map(({ box }) => bandOfLetter(box));
    const read = await readBands(bands);
    return linesOfMissing(
      letters.map(({ of }, i) => ({ of, box: boxOf(bands[i]!, side), ...trim(read[i]!) })),
    );
  };

/** Remembers the last image: its rotation, its lines and whether it has text come from the same boxes. */
const rememberingLast = (
  detect: (image: Image) => Promise<readonly TextBox[]>,
): ((image: Image) => Promise<readonly TextBox[]>) => {
  let last: { readonly of: WeakRef<Image>; readonly boxes: Promise<readonly TextBox[]> } | undefined;
  return (image) => {
    if (last?.of.deref() !== image) {
      last = { of: new WeakRef(image), boxes: detect(image) };
    }
    return last.boxes;
  };
};
