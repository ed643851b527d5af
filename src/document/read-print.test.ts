import { describe, expect, it } from "vitest";
import { makeImaging } from "#imaging/imaging";
import { defaultImagingLimits } from "#imaging/limits";
import type { ZoneLook } from "./mrz/read-mrz.ts";
import type { MrzReading } from "./mrz/reading.ts";
import { readPrint } from "./read-print.ts";
import type { ZoneSearch } from "./read-side.ts";
import { printed } from "./testing/printed-lines.ts";
import { passportLines } from "./testing/reading.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });
const opened = await imaging.open(
  await imaging.encodeJpeg({ width: 60, height: 40, data: new Uint8Array(7200).fill(200) }, 90),
);
const zone: MrzReading = {
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
  turn: 0,
  pitchPx: 1,
};
const six = printed(...Array.from({ length: 6 }, (_, i) => [0.1, i / 10, `LINE ${i}`] as const));
const fillers = [...six, ...printed([0.1, 0.9, "I<UTOD231458907<<<<"])];

type Print = {
  readonly lines?: typeof six;
  readonly showsText?: boolean;
  readonly zoneAt?: NonNullable<ZoneLook["distance"]> | "anywhere";
};

/** From how far a zone was looked for, and whether one was found. */
const lookedFor = async (search: ZoneSearch, { lines = [], showsText = true, zoneAt }: Print) => {
  const looks: string[] = [];
  const eyes = {
    imaging,
    readMrz: async (_image: unknown, { distance }: ZoneLook = {}) => {
      const look = distance ?? "anywhere";
      looks.push(look);
      return look === zoneAt ? zone : undefined;
    },
    findFaces: async () => [],
    text: { findTurn: async () => undefined, readLines: async () => lines, showsText: async () => showsText },
  };
  const { zone: found } = await readPrint(eyes, opened, undefined, { zone: search });
  return [looks, found === zone];
};

describe("the zone of a side", () => {
  it("is expected nearby, and far away where the side was not understood without it", async () => {
    expect(await lookedFor("expected", { zoneAt: "near" })).toEqual([["near"], true]);
    expect(await lookedFor("expected", { lines: six })).toEqual([["near"], false]);
    expect(await lookedFor("expected", { zoneAt: "far" })).toEqual([["near", "far"], true]);
  });

  it("is looked for on the other side only where that was not understood, or prints fillers", async () => {
    expect(await lookedFor("unless understood", { lines: six, zoneAt: "anywhere" })).toEqual([[], false]);
    expect(await lookedFor("unless understood", { zoneAt: "anywhere" })).toEqual([["anywhere"], true]);
    expect(await lookedFor("unless understood", { lines: fillers, zoneAt: "anywhere" })).toEqual([
      ["anywhere"],
      true,
    ]);
  });

  it("is looked for nearby alone where nothing looks like text", async () => {
    expect(await lookedFor("expected", { showsText: false, zoneAt: "far" })).toEqual([["near"], false]);
    expect(await lookedFor("unless understood", { showsText: false, zoneAt: "anywhere" })).toEqual([
      [],
      false,
    ]);
  });

  it("is not looked for where the print alone is wanted", async () => {
    expect(await lookedFor("none", { zoneAt: "anywhere" })).toEqual([[], false]);
  });
});
