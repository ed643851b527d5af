import { describe, expect, it } from "vitest";
import type { Image } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { printed } from "#support/document/printed-lines";
import { passportLines } from "#support/document/reading";
import { cardScore, type LocatedCard } from "./locate/located-card.ts";
import type { PassOptions } from "./mrz/passes.ts";
import type { MrzReading } from "./mrz/reading.ts";
import type { FoundFace } from "./portrait.ts";
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
  /** The MRZ that is there. */
  readonly mrz?: MrzReading;
  readonly card?: LocatedCard;
  readonly faces?: readonly FoundFace[];
};

/**
 * Reads the text of a side, and notes the distances of the MRZ searches and the readings of the printed
 * lines.
 */
const readText = async (search: MrzSearch, print: Print) => {
  const { lines = [], showsText = true, mrzAt, mrz: there = mrz, card, faces = [] } = print;
  const searches: string[] = [];
  const sides: Image[] = [];
  const deps = {
    imaging,
    readMrz: async (_image: unknown, { distance }: PassOptions = {}) => {
      const distanceOf = distance ?? "anywhere";
      searches.push(distanceOf);
      return distanceOf === mrzAt ? there : undefined;
    },
    findFaces: async () => faces,
    text: {
      findRotation: async () => undefined,
      readLines: async (side: Image) => {
        sides.push(side);
        return lines;
      },
      showsText: async () => showsText,
      readMarks: async () => [],
    },
  };
  const read = await readSideText(deps, opened, card, { mrz: search });
  return { read, searches, sides };
};

/** The distances of the MRZ searches, and whether an MRZ was found. */
const mrzSearches = async (search: MrzSearch, print: Print) => {
  const { read, searches } = await readText(search, print);
  return [searches, read.mrz === mrz];
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

describe("the printed lines of a side whose MRZ is found after them", () => {
  const anywhere = { lines: fillers, mrzAt: "anywhere" } as const;
  const [first, second, third, fourth] = mrz.quad;
  const upsideDown = { ...mrz, quad: [third, fourth, first, second] as const };
  const quad = [
    [2, 2],
    [57, 2],
    [57, 37],
    [2, 37],
  ] as const;

  it("are those that were read, where the MRZ shows the same rotation", async () => {
    const { read, sides } = await readText("fallback", anywhere);
    expect(sides).toEqual([read.side.image]);
    expect([read.side.rotations, read.side.rotationKnownBy]).toEqual([0, "mrz"]);
    expect(read.lines).toBe(fillers);
  });

  it("leave the faces to the rotation that the MRZ shows: a leaning one counts there", async () => {
    const leaning = { box: { x: 1, y: 1, width: 9, height: 9 }, score: 0.9, rollDegrees: 60 };
    const { read, sides } = await readText("fallback", { ...anywhere, faces: [leaning] });
    const direct = await readText("expected", { ...anywhere, faces: [leaning], mrzAt: "near" });
    expect(sides).toHaveLength(1);
    expect(read).toEqual(direct.read);
    expect(read.side.faces).toEqual([leaning]);
    expect((await readText("none", { ...anywhere, faces: [leaning] })).read.side.faces).toEqual([]);
  });

  it("are read again, where it shows another rotation", async () => {
    const { read, sides } = await readText("fallback", { ...anywhere, mrz: upsideDown });
    expect(sides).toHaveLength(2);
    expect(sides[1]).toBe(read.side.image);
    expect([read.side.rotations, read.side.rotationKnownBy]).toEqual([2, "mrz"]);
  });

  it("are read again on a usable card that the MRZ confirms, and not on another one", async () => {
    const usable = { quad, score: cardScore.usable };
    const onCard = await readText("fallback", { ...anywhere, card: usable });
    expect([onCard.read.quad, onCard.sides.length]).toEqual([quad, 2]);
    const weak = { quad, score: cardScore.usable - 0.001 };
    const onFrame = await readText("fallback", { ...anywhere, card: weak });
    expect([onFrame.read.quad, onFrame.sides.length]).toEqual([undefined, 1]);
  });
});
