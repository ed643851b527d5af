import { expect, it } from "vitest";
import type { Image } from "#machine/imaging/image";
import { type MarkView, markViews, openMarkViews, plainViews } from "#support/document/mark-sweep";
import { openReader } from "#support/document/reader";
import { specimenMarkOf, specimenWordOf } from "../../values/specimen-word.ts";

const patientMs = 600_000;

const { imaging, text } = await openReader();
const draw = await openMarkViews(imaging);

/** As the rule of specimens reads them: a printed line that is the word, or a mark. */
const hasWord = async (side: Image): Promise<boolean> =>
  (await text.readLines(side)).some((line) => specimenWordOf(line.text) !== undefined) ||
  (await text.readMarks(side)).some((mark) => specimenMarkOf(mark.text) !== undefined);

const countFound = async (views: readonly MarkView[]): Promise<number> => {
  let found = 0;
  for (const view of views) found += (await hasWord(await draw(view))) ? 1 : 0;
  return found;
};

/** Two less than on the machine of the measurement (decision 0046): processors differ in the last digits. */
const leastOf21 = { solid: 18, outlined: 15, dotted: 8, pale: 13 } as const;

/** No number of the reader was chosen with the views of this seed. */
const views = markViews(5);

it.each(Object.entries(leastOf21))(
  "finds %s words of five languages, at three sizes and seven angles, %d of 21 times",
  async (style, least) => {
    const own = views.filter(({ mark }) => mark?.style === style);
    expect(own).toHaveLength(21);
    expect(await countFound(own)).toBeGreaterThanOrEqual(least);
  },
  patientMs,
);

it(
  "finds none on the same sides without a word",
  async () => expect(await countFound(plainViews)).toBe(0),
  patientMs,
);
