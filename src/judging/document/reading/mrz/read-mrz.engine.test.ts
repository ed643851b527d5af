import { beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "#contract/statistics/random";
import type { Image, Quad } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { type Outlines, readOutlines, write } from "#sandbox/specimen/lettering";
import { expose, lay } from "#sandbox/specimen/photograph";
import { openRecord } from "#support/networks/open-record";
import { sharedNetworks } from "#support/networks/shared-networks";
import { makeReadMrz, type ReadMrz } from "./read-mrz.ts";
import type { MrzReading } from "./reading.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });
let outlines: Outlines;
let readMrz: ReadMrz;

beforeAll(() => {
  outlines = readOutlines();
  readMrz = makeReadMrz({ imaging, networks: sharedNetworks().networks });
});

const measured = openRecord(import.meta.url);

/** What is asserted of a reading. */
const summaryOf = (reading: MrzReading | undefined) =>
  reading && {
    format: reading.format,
    lines: reading.lines,
    accepted: reading.accepted,
    clear: reading.clear,
    checksHold: reading.checksHold,
    checks: reading.checks,
    rotation: reading.rotation,
    quad: reading.quad,
    pitchPx: reading.pitchPx,
  };

/** Draws and reads an image. */
const read = (name: string, draw: () => Image, options?: Parameters<ReadMrz>[1]) =>
  measured(name, async () => summaryOf(await readMrz(draw(), options)));

const plain = (width: number, height: number, level: number): Image => ({
  width,
  height,
  data: new Uint8Array(width * height * 3).fill(level),
});

/** Millimetres between rows: ICAO Doc 9303-5 (cards), -4, -6 and -7 (two lines). */
const spacingOf = (lines: readonly string[]): number => (lines.length === 3 ? 4.23 : 6.35);

/** A card or page with only a heading and its MRZ, at `pxPerMm`. */
const drawMrz = (lines: readonly string[], pxPerMm: number): Image => {
  const width = Math.max(...lines.map((line) => line.length)) * 2.54 + 10;
  const height = lines.length === 1 ? 40 : 54;
  const card = plain(Math.round(width * pxPerMm), Math.round(height * pxPerMm), 232);
  const colour = [30, 30, 36] as const;
  write(card, outlines.sans, "ARTIFICIAL DOCUMENT", {
    x: 5 * pxPerMm,
    baseline: 10 * pxPerMm,
    emPx: 4 * pxPerMm,
    colour,
  });
  for (const [i, line] of lines.entries()) {
    const baseline = (height - 6 - spacingOf(lines) * (lines.length - 1 - i)) * pxPerMm;
    write(card, outlines.ocrB, line, {
      x: 5 * pxPerMm,
      baseline,
      emPx: (2.54 / 0.723) * pxPerMm,
      pitchPx: 2.54 * pxPerMm,
      colour,
    });
  }
  return card;
};

/** The card photographed on a table: `degrees` clockwise, corners slightly off, uneven light, noise. */
const photograph = (card: Image, degrees: number, seed: number): Image => {
  const random = seededRandom(seed);
  const scene = plain(1100, 1100, 96);
  const angle = (degrees * Math.PI) / 180;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const scale = 860 / Math.max(card.width, card.height);
  const corner = (x: number, y: number): readonly [number, number] => {
    const [u, v] = [(x - 0.5) * card.width * scale, (y - 0.5) * card.height * scale];
    return [550 + u * c - v * s + (random() - 0.5) * 28, 550 + u * s + v * c + (random() - 0.5) * 28];
  };
  const quad: Quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
  lay(scene, card, quad);
  return expose(scene, { noise: 4, blurPx: 1, falloff: 0.7, seed });
};

const documents = [
  ["TD3", ["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"]],
  [
    "TD1",
    ["I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"],
  ],
  ["TD2", ["I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "D231458907UTO7408122F1204159<<<<<<<6"]],
  ["MRV-A", ["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L8988901C4XXX4009078F96121096ZE184226B<<<<<<"]],
  ["MRV-B", ["V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "L8988901C4XXX4009078F9612109<<<<<<<<"]],
  ["FRA-ID", ["IDFRATEST<NAME<<<<<<<<<<<<<<<<0CHE02", "1710GVA123451ROBERTA<<<<<<<9112311F2"]],
  ["FRA-LICENCE", ["D1FRA13AA000026181231MARTIN<<9"]],
  ["CHE-LICENCE", ["AAA001D<<", "FACHE305142128097<<800126<<<<<", "MARCHAND<<FABIENNE<<<<<<<<<<<<"]],
  [
    "TD1",
    ["INCHLA123456784S51<<<<<<<<<<<<", "9001011F3501014CHL12345678<5<7", "SOLIS<PRUEBA<<ANA<MARIA<<<<<<<"],
  ],
  [
    "TD1",
    ["I<GTM123456789<01017<<<<<<<<<<", "9001011F3501014GTM<<<<<<<<<<<4", "PRUEBA<<ANA<<<<<<<<<<<<<<<<<<<"],
  ],
] as const;

describe("readMrz", () => {
  it.each(documents)("reads a photographed %s and accepts it", async (format, lines) => {
    const reading = await read(lines.join(" "), () => photograph(drawMrz(lines, 12), 4, 7));
    expect(reading).toMatchObject({
      format,
      lines,
      accepted: true,
      clear: true,
      checksHold: true,
      rotation: 0,
    });
  });

  it.each([90, 180, 270] as const)(
    "reads a document rotated by %d degrees and reports the rotation",
    async (rotation) => {
      const [, lines] = documents[0];
      const reading = await read(`rotated by ${rotation} degrees`, () =>
        photograph(drawMrz(lines, 12), rotation - 5, rotation),
      );
      expect(reading).toMatchObject({ lines, rotation, accepted: true });
    },
  );

  it("finds a small MRZ far away, and skips it when only near ones are requested", async () => {
    const [, lines] = documents[0];
    const draw = (): Image => {
      const page = photograph(drawMrz(lines, 12), 4, 7);
      const table = plain(2000, 2000, 120);
      lay(table, page, [
        [700, 700],
        [1290, 700],
        [1290, 1290],
        [700, 1290],
      ]);
      return table;
    };
    expect(await read("far away, near ones only", draw, { distance: "near" })).toBeUndefined();
    expect(await read("far away", draw, { distance: "far" })).toMatchObject({ lines });
  });

  it("gives the corners of the MRZ in the given image, in reading order", async () => {
    const [, lines] = documents[0];
    const reading = await read("the corners", () => drawMrz(lines, 12));
    const [topLeft, topRight, , bottomLeft] = reading?.quad ?? [];
    expect(topLeft?.[0]).toBeGreaterThan(20);
    expect(topLeft?.[0]).toBeLessThan(5 * 12 + 12);
    expect(topRight?.[0]).toBeGreaterThan((44 * 2.54 + 4) * 12);
    expect(topLeft?.[1]).toBeGreaterThan(36 * 12);
    expect(bottomLeft?.[1]).toBeGreaterThan(47 * 12);
    expect(reading?.pitchPx).toBeCloseTo(2.54 * 12, 0);
  });

  it("reports a wrong check digit of the document unrepaired, as clear and not accepted", async () => {
    const [first] = documents[0][1];
    const lines = [first, "L898902C36UTO7408152F1204159ZE184226B<<<<<10"];
    const reading = await read("a wrong check digit", () => photograph(drawMrz(lines, 12), -3, 3));
    expect(reading).toMatchObject({ lines, clear: true, checksHold: false, accepted: false });
    expect(reading?.checks.filter(({ holds }) => !holds).map(({ name }) => name)).toContain("birth");
  });

  it("accepts nothing when the issuer is no country", async () => {
    const lines = ["I<QQZD231458907<<<<<<<<<<<<<<<", documents[1][1][1], documents[1][1][2]];
    const reading = await read("no country", () => photograph(drawMrz(lines, 12), 0, 5));
    expect(reading).toMatchObject({ lines, accepted: false });
  });

  it("returns undefined for an image without an MRZ", async () => {
    const page = plain(1200, 800, 225);
    for (const [i, text] of [
      "Dear reader,",
      "this page has no zone at all.",
      "Only some words on paper.",
    ].entries()) {
      write(page, outlines.sans, text, { x: 60, baseline: 150 + 90 * i, emPx: 52, colour: [30, 30, 30] });
    }
    expect(await readMrz(page)).toBeUndefined();
  });

  it("returns undefined for an empty image and for an image of a few pixels", async () => {
    expect(await readMrz(plain(640, 480, 128))).toBeUndefined();
    expect(await readMrz(plain(3, 2, 128))).toBeUndefined();
  });
});
