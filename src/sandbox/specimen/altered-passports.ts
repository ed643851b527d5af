import { normalDeviate, seededRandom } from "#contract/statistics/random";
import type { Image } from "#machine/imaging/image";
import { framed } from "./attack.ts";
import { type Colour, fill, rectangle } from "./canvas.ts";
import { type Outlines, write } from "./lettering.ts";
import { breakCheckDigit, writePassportLines } from "./mrz.ts";
import { pageHeight, pageWidth } from "./passport.ts";
import { type PassportImage, passportHolder } from "./passport-photographs.ts";
import { type Grid, type Medium, shownImage } from "./surface.ts";

const mm = (millimetres: number): number => (millimetres * pageWidth) / 125;
const table: Colour = [120, 90, 70];

/** A sheet of paper over a part of the page; in millimetres. */
const cover =
  (x: number, y: number, width: number, height: number) =>
  (page: Image): void =>
    fill(page, [rectangle(mm(x), mm(y), mm(width), mm(height))], table);

const ratio = pageWidth / pageHeight;

/** The page as a medium shows it, cut at its edges. */
const copied = (medium: Medium): PassportImage => ({
  shown: (page) => ({ surface: shownImage(page, medium, ratio), ratio }),
});

/** The page on a screen with a black rim. */
const onGlass = (chroma: number, grid?: Grid): PassportImage => {
  const medium = { lift: 14, gain: 0.9, chroma, ...(grid && { grid }) };
  const [side, end] = [0.03, 0.03 * ratio];
  const black: Colour = [14, 14, 14];
  return {
    shown: (page) => ({
      surface: framed(shownImage(page, medium, ratio), [side, end], black),
      ratio: (ratio * (1 - 2 * end)) / (1 - 2 * side),
    }),
  };
};

/** Dots of a screen, 2.6 camera pixels each. */
const dots = (depth: number): Grid => ({ kind: "dots", across: 420, down: 300, depth });

/** As years in the sun fade a page: towards white, and more than half of its colour goes. */
const fade = ({ data }: Image): void => {
  for (let at = 0; at < data.length; at += 3) {
    const grey = 0.3 * data[at]! + 0.59 * data[at + 1]! + 0.11 * data[at + 2]!;
    for (let i = at; i < at + 3; i++) data[i] = 255 - (255 - grey - (data[i]! - grey) * 0.45) * 0.6;
  }
};

/** All text paler, the colours faded, and the birth date painted over and rewritten in black. */
const rewriteBirth = (page: Image, { sans }: Outlines): void => {
  fade(page);
  fill(page, [rectangle(mm(79.4), mm(43.7), mm(28), mm(4.6))], [230, 232, 234]);
  write(page, sans, "14 MAR 80", { x: mm(80), baseline: mm(47.4), emPx: mm(4), colour: [0, 0, 0] });
};

/** A closed passport: cloth with gold letters. */
const close = (page: Image, { sans }: Outlines): void => {
  fill(page, [rectangle(0, 0, page.width, page.height)], [92, 24, 34]);
  const gold = { emPx: 110, colour: [214, 178, 92] as const };
  write(page, sans, "CHILE", { ...gold, x: mm(46), baseline: mm(27) });
  write(page, sans, "PASAPORTE", { ...gold, x: mm(35), baseline: mm(63) });
};

/** Position of the portrait in the photograph. */
const portraitPx = { left: 143, top: 207, width: 308, height: 396 } as const;

/** A portrait from another camera: its noise differs from the rest. */
const roughenPortrait = ({ data, width }: Image): void => {
  const random = seededRandom(3);
  for (let y = portraitPx.top; y < portraitPx.top + portraitPx.height; y++) {
    for (let x = portraitPx.left; x < portraitPx.left + portraitPx.width; x++) {
      const noise = normalDeviate(random) * 45;
      for (let at = (y * width + x) * 3, end = at + 3; at < end; at++) {
        data[at] = Math.max(0, Math.min(255, data[at]! + noise));
      }
    }
  }
};

/** Passports that differ from a genuine one as their key says. */
export const alteredPassports = {
  "a genuine passport": {},
  "a genuine passport on its head": { rotations: 2 },
  "a genuine passport on its side": { rotations: 1 },
  "a genuine passport of twelve megapixels": { size: [4032, 3024] },
  "a thumbnail of a passport": { size: [200, 120] },
  "two passports in one image": { isTwice: true },
  "a passport cut on the left": { crop: { x: 150, y: 0, width: 1130, height: 960 } },
  "a passport cut on the right": { crop: { x: 0, y: 0, width: 1130, height: 960 } },
  "a passport cut at the bottom": { crop: { x: 0, y: 0, width: 1280, height: 815 } },
  "a passport cut at the top": { crop: { x: 0, y: 230, width: 1280, height: 730 } },
  "a passport of another holder": {
    holder: { number: "F76543210", surname: "Rojas Ejemplo", birth: "850717" },
  },
  "a passport of Honduras": { holder: { issuer: "HND", nationality: "HND" } },
  "an expired passport": { holder: { expiry: "240101" } },
  "a passport of a child": { holder: { birth: "150314" } },
  "a passport of Utopia": { holder: { issuer: "UTO", nationality: "UTO" } },
  "a passport of an unknown issuer": { holder: { issuer: "NEL", nationality: "NEL" } },
  "a passport with a wrong check digit": { mrz: breakCheckDigit },
  "a passport born in month 13": { holder: { birth: "801314" } },
  "a passport that ends in month 13": { holder: { expiry: "351301" } },
  "a passport without a number": {
    holder: { number: "" },
    mrz: () => writePassportLines({ ...passportHolder, number: "<<<<<<<<<" }),
  },
  "a passport with a covered portrait": { alter: cover(5, 13, 37, 47) },
  "a passport with a covered MRZ": { alter: cover(0, 66, 125, 22) },
  "a closed passport": { alter: close },
  "a passport compressed too much": { quality: 40 },
  "a grey copy": copied({ lift: 30, gain: 0.75, chroma: 0 }),
  "a copy in hardly any colour": copied({ lift: 30, gain: 0.75, chroma: 0.42 }),
  "a passport on a screen": onGlass(0.9, dots(0.3)),
  "a passport on a screen from afar": onGlass(0.9, dots(0.08)),
  "a grey copy on a screen": onGlass(0, dots(0.3)),
  "a passport within a black rim, in hardly any colour": onGlass(0.47),
  "a passport with a rewritten birth date": { alter: rewriteBirth },
  "a passport with another portrait": { retouch: roughenPortrait },
} as const satisfies Readonly<Record<string, PassportImage>>;

export type AlteredPassportName = keyof typeof alteredPassports;
