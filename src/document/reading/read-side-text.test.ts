import { describe, expect, it } from "vitest";
import { makeImaging } from "#imaging/imaging";
import { defaultImagingLimits } from "#imaging/limits";
import { printed } from "../testing/printed-lines.ts";
import { passportLines } from "../testing/reading.ts";
import type { PassOptions } from "./mrz/passes.ts";
import type { MrzReading } from "./mrz/reading.ts";
import { readSideText } from "./read-side-text.ts";
import type { MrzSearch } from "./side-task.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });
const opened = await imaging.open(
  await imaging.encodeJpeg({ width: 60, height: 40, data: new Uint8Array(7200).fill(200) }, 90),
);
const mrz: MrzReading = {
  format: "TD3",
  lines: passportLines,
  margins: [],
  weakestMargin: 6,
  checks: [],
  checksHold: true,
  clear: true,
  accepted: true,
  quad: [
    [5, 5],
    [55, 5],
    [55, 15],
    [5, 15],
  ],
  rotation: 0,
  pitchPx: 1,
};
const six = printed(...Array.from({ length: 6 }, (_, i) => [0.1, i / 10, `LINE ${i}`] as const));
const fillers = [...six, ...printed([0.1, 0.9, "I<UTOD231458907<<<<"])];

type Print = {
  readonly lines?: typeof six;
  readonly showsText?: boolean;
  readonly mrzAt?: NonNullable<PassOptions["distance"]> | "anywhere";
};

/** The distances of the MRZ searches, and whether an MRZ was found. */
const mrzSearches = async (search: MrzSearch, { lines = [], showsText = true, mrzAt }: Print) => {
  const searches: string[] = [];
  const deps = {
    imaging,
    readMrz: async (_image: unknown, { distance }: PassOptions = {}) => {
      const distanceOf = distance ?? "anywhere";
      searches.push(distanceOf);
      return distanceOf === mrzAt ? mrz : undefined;
    },
    findFaces: async () => [],
    text: {
      findRotation: async () => undefined,
      readLines: async () => lines,
      showsText: async () => showsText,
      readMarks: async () => [],
    },
  };
  const { mrz: found } = await readSideText(deps, opened, undefined, { mrz: search });
  return [searches, found === mrz];
};

describe("the MRZ of a side", () => {
  it("is searched near, and far only when the side was not understood without it", async () => {
    expect(await mrzSearches("expected", { mrzAt: "near" })).toEqual([["near"], true]);
    expect(await mrzSearches("expected", { lines: six })).toEqual([["near"], false]);
    expect(await mrzSearches("expected", { mrzAt: "far" })).toEqual([["near", "far"], true]);
  });

  it("is searched on the other side only when that side was not understood, or prints fillers", async () => {
    expect(await mrzSearches("fallback", { lines: six, mrzAt: "anywhere" })).toEqual([[], false]);
    expect(await mrzSearches("fallback", { mrzAt: "anywhere" })).toEqual([["anywhere"], true]);
    expect(await mrzSearches("fallback", { lines: fillers, mrzAt: "anywhere" })).toEqual([
      ["anywhere"],
      true,
    ]);
  });

  it("is searched near only when nothing looks like text", async () => {
    expect(await mrzSearches("expected", { showsText: false, mrzAt: "far" })).toEqual([["near"], false]);
    expect(await mrzSearches("fallback", { showsText: false, mrzAt: "anywhere" })).toEqual([[], false]);
  });

  it("is not searched when only the printed lines are needed", async () => {
    expect(await mrzSearches("none", { mrzAt: "anywhere" })).toEqual([[], false]);
  });
});
