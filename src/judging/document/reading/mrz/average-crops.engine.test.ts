import { beforeAll, describe, expect, it } from "vitest";
import type { GreyImage, Image } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { readOutlines, write } from "#sandbox/specimen/lettering";
import { sharedNetworks } from "#support/networks/shared-networks";
import { codeOf } from "./alphabet.ts";
import { averageCrops } from "./average-crops.ts";
import { type Row, type Rows, rowMargins } from "./find-rows.ts";
import { type Hypothesis, settledHypothesis } from "./hypotheses.ts";
import { type LineReader, makeReadLine } from "./read-line.ts";

const lines = [
  "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
  "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
];
const [pitch, left, spacing] = [12, 40, 30];

const imaging = makeImaging({ limits: defaultImagingLimits });
let grey: GreyImage;
let readLine: LineReader;
let found: Hypothesis;

const draw = (): Image => {
  const image = { width: 620, height: 120, data: new Uint8Array(620 * 120 * 3).fill(230) };
  const { ocrB } = readOutlines();
  for (const [i, line] of lines.entries()) {
    const place = { x: left - pitch / 2, baseline: 50 + i * spacing };
    write(image, ocrB, line, { ...place, emPx: pitch / 0.723, pitchPx: pitch, colour: [30, 30, 36] });
  }
  return image;
};

const rowAt = async (across: number): Promise<Row> => {
  const to = left + 43.7 * pitch;
  const line = { from: left - 0.7 * pitch, to, across, pivot: left, height: 16, tilt: 0 };
  const read = await readLine(grey, 0, line, rowMargins);
  return { line: { ...line, across: across + read.shift }, read };
};

/** The reading, with noise that favours another character at one position of the second line. */
const mistake = (place: number, character: string, by: number): Hypothesis => {
  const spoilt = found.decoded[1]!.scores.map((row) => row.slice());
  spoilt[place]![codeOf(character)] = Math.max(...spoilt[place]!) + by;
  const text = `${lines[1]!.slice(0, place)}${character}${lines[1]!.slice(place + 1)}`;
  const decoded = [found.decoded[0]!, { ...found.decoded[1]!, text, scores: spoilt }];
  return { ...found, decoded, lines: [lines[0]!, text] };
};

beforeAll(async () => {
  grey = imaging.toGrey(draw());
  readLine = makeReadLine(sharedNetworks().networks["mrz-line"]);
  const rows = new Map([
    [0, await rowAt(45)],
    [1, await rowAt(45 + spacing)],
  ]);
  const mrz: Rows = { angle: 0, left, pitch, spacing, tilt: 0, height: 16, rows };
  const settled = await settledHypothesis(readLine, grey, mrz);
  if (settled === undefined) {
    throw new Error("The drawn MRZ was not read");
  }
  found = settled;
});

describe("averageCrops", () => {
  it("keeps a clear reading unchanged", async () => {
    const again = await averageCrops(readLine, grey, found);
    expect(again.lines).toEqual(lines);
    expect(again.checks.every(({ holds }) => holds)).toBe(true);
    expect(Math.min(...again.margins.flat())).toBeGreaterThan(2);
  });

  it("corrects noise of a single crop, with the mean margin of all crops", async () => {
    const again = await averageCrops(readLine, grey, mistake(10, "M", 2));
    expect(again.lines).toEqual(lines);
    expect(again.margins[1]![10]).toBeLessThan((await averageCrops(readLine, grey, found)).margins[1]![10]!);
  });

  it("ignores crops that slipped: with too many differences, the first reading stays", async () => {
    const other = "D231458907UTO6903061F9406236ABCDEFGH<<<<<<<84";
    const strange = {
      ...found,
      lines: [lines[0]!, other],
      decoded: [found.decoded[0]!, { ...found.decoded[1]!, text: other }],
    };
    const again = await averageCrops(readLine, grey, strange);
    expect(again.decoded[1]!.scores).toEqual(found.decoded[1]!.scores);
  });
});
