import type { Image, Point } from "#machine/imaging/image";
import { type Colour, fill, painted, rectangle } from "./canvas.ts";
import { type Outlines, write } from "./lettering.ts";
import type { PassportHolder } from "./mrz.ts";
import { printLinesOver, printPortrait, rasterise } from "./print-portrait.ts";
import { makeSmoothNoise } from "./smooth-noise.ts";

/** A data page of 125 × 88 mm (ICAO Doc 9303-4, 3.1) at 12 px per millimetre. */
const pxPerMm = 12;
export const pageWidth = 125 * pxPerMm;
export const pageHeight = 88 * pxPerMm;

export type Passport = {
  readonly holder: PassportHolder;
  readonly lines: readonly [string, string];
  /** Any size; it is cropped to 35 : 45 around its centre. */
  readonly portrait: Image;
  readonly country: string;
  /** What the page is printed on, of its size. Absent: shades and waves, as in security printing. */
  readonly paper?: Image;
};

const mm = (millimetres: number): number => millimetres * pxPerMm;

const ink: Colour = [34, 38, 52];
const labelInk: Colour = [86, 74, 120];

/** Ink of the mark across the page. */
export const markInk: Colour = [168, 120, 150];

/**
 * Draws an artificial passport page: a design of this project, of no country, marked as artificial in its
 * heading and across the page. Only its MRZ follows a standard.
 */
export const drawPassport = (passport: Passport, outlines: Outlines, blank?: Image): Image => {
  const page = passport.paper ?? (blank ? { ...blank, data: blank.data.slice() } : drawPaper());
  const opacity = passport.paper === undefined ? 0.28 : 1;
  const mark = { emPx: 118, colour: markInk, opacity, rotation: -0.3 };
  write(page, outlines.sans, "ARTIFICIAL · IDEM", { ...mark, x: 330, baseline: 770 });
  printPortrait(page, passport.portrait, { ink: "colour", place: portraitPlace });
  if (passport.paper === undefined) {
    printLinesOver(page, portraitPlace, pxPerMm, 1);
    rasterise(page, 1);
  }
  writeFields(page, passport, outlines);
  writeMrz(page, passport.lines, outlines);
  return page;
};

/** The paper of a page before anything is written on it. */
export const drawPaper = (): Image => {
  const page = painted(pageWidth, pageHeight, paper);
  drawWaves(page);
  return page;
};

/**
 * Two slow changes of hue across the rose and blue-green: without them a page has one colour axis, as a faded
 * copy has.
 */
const [warmAt, greenAt] = [makeSmoothNoise(41), makeSmoothNoise(42)];
const patchDepth = 25;
const patchSize = 120;

/** Rose to blue-green over the page, paler in the MRZ, which must print and read well. */
const paper = (x: number, y: number): Colour => {
  const across = x / pageWidth;
  const pale = y > mm(64.8) ? 0.55 : 0;
  const lift = (value: number): number => value + (250 - value) * pale;
  const warmth = patchDepth * (warmAt(x / patchSize, y / patchSize) - 0.5);
  const greenness = 0.86 * patchDepth * (greenAt(x / patchSize, y / patchSize) - 0.5);
  return [
    lift(232 - 38 * across + warmth),
    lift(212 + 14 * across + greenness),
    lift(214 + 18 * across - warmth),
  ];
};

/** Draws two families of fine interfering waves, as in security printing; the formulas are ours. */
const drawWaves = (page: Image): void => {
  for (let line = 0; line < 46; line++) {
    const warm: Colour = [190, 120, 140];
    const cool: Colour = [90, 150, 165];
    drawWave(page, line, 0.9 + 0.25 * Math.sin(line / 5), line % 2 === 0 ? warm : cool);
  }
};

const drawWave = (page: Image, line: number, thickness: number, colour: Colour): void => {
  const base = (line - 3) * 27;
  const place = (x: number): number =>
    base + 34 * Math.sin(x / 96 + line * 0.31) + 17 * Math.sin(x / 37 - line * 0.53) + x * 0.04;
  const upper: Point[] = [];
  const lower: Point[] = [];
  for (let x = -10; x <= pageWidth + 10; x += 6) {
    upper.push([x, place(x) - thickness]);
    lower.push([x, place(x) + thickness]);
  }
  fill(page, [[...upper, ...lower.reverse()]], colour, 0.5);
};

const portraitPlace = { x: mm(6), y: mm(14), width: mm(35), height: mm(45) } as const;

const writeFields = (page: Image, { holder, country }: Passport, outlines: Outlines): void => {
  const text = (value: string, x: number, y: number, size: number, colour: Colour): void =>
    write(page, outlines.sans, value, { x: mm(x), baseline: mm(y), emPx: mm(size), colour });
  text(country, 6, 9.5, 5, ink);
  text("ARTIFICIAL PASSPORT - NOT A TRAVEL DOCUMENT", 42, 9.3, 2.9, [150, 40, 60]);
  const fields: readonly (readonly [label: string, value: string, x: number, y: number])[] = [
    ["Tipo / Type", "P", 46, 16],
    ["Código / Code", holder.issuer, 66, 16],
    ["Pasaporte N.º / Passport No.", holder.number, 88, 16],
    ["Apellidos / Surname", holder.surname.toUpperCase(), 46, 25],
    ["Nombres / Given names", holder.givenNames.toUpperCase(), 46, 34],
    ["Nacionalidad / Nationality", holder.nationality, 46, 43],
    ["Fecha de nacimiento / Date of birth", spell(holder.birth), 80, 43],
    ["Sexo / Sex", holder.sex, 46, 52],
    ["Fecha de vencimiento / Date of expiry", spell(holder.expiry), 80, 52],
  ];
  for (const [label, value, x, y] of fields) {
    text(label, x, y, 1.9, labelInk);
    text(value, x, y + 4.4, 3.9, ink);
  }
};

const months = ["ENE", "FEB", "MAR", "ABR", "MAY", "JUN", "JUL", "AGO", "SEP", "OCT", "NOV", "DIC"];

const spell = (yymmdd: string): string =>
  `${yymmdd.slice(4)} ${months[Number(yymmdd.slice(2, 4)) - 1] ?? ""} ${yymmdd.slice(0, 2)}`;

/** OCR-B size 1 at 10 characters an inch, lines 6.35 mm apart (ICAO Doc 9303-3, 4.3; 9303-4, 4.1). */
const writeMrz = (page: Image, lines: readonly [string, string], outlines: Outlines): void => {
  fill(page, [rectangle(0, mm(64.8), pageWidth, 2)], [150, 150, 165], 0.6);
  lines.forEach((line, index) => {
    const baseline = mm(74.3 + 6.35 * index);
    const em = mm(2.54) / 0.723;
    write(page, outlines.ocrB, line, {
      x: mm(6.6),
      baseline,
      emPx: em,
      pitchPx: mm(2.54),
      colour: [22, 22, 26],
    });
  });
};
