import type { Box, Image, Imaging, Quad } from "#machine/imaging/image";
import { type Outlines, readOutlines } from "./lettering.ts";
import { type PassportHolder, writePassportLines } from "./mrz.ts";
import { drawPaper, drawPassport } from "./passport.ts";
import { boxBlur, drawTable, expose, lay } from "./photograph.ts";
import { laySurface, type Surface } from "./surface.ts";

/** Invented holder; valid from 2025 to 2035. */
export const passportHolder: PassportHolder = {
  issuer: "CHL",
  nationality: "CHL",
  surname: "Muñoz Prueba",
  givenNames: "Franco Andrés",
  number: "F12345678",
  birth: "800314",
  sex: "M",
  expiry: "350101",
};

export type PassportImage = {
  readonly holder?: Partial<PassportHolder>;
  /** Changes the lines of the MRZ. */
  readonly mrz?: (lines: readonly [string, string]) => readonly [string, string];
  /** Changes the page before it is photographed. */
  readonly alter?: (page: Image, outlines: Outlines) => void;
  /** The object in front of the camera instead of the page: a copy, a screen. The lens is sharper then. */
  readonly shown?: (page: Image) => { readonly surface: Surface; readonly ratio: number };
  /** Changes the file's pixels. */
  readonly retouch?: (image: Image) => void;
  /** The part of the photograph that is sent, in pixels; by default all of it. */
  readonly crop?: Box;
  /** Size of the file's image in pixels; by default as photographed. */
  readonly size?: readonly [width: number, height: number];
  /** The photograph twice, one above the other. */
  readonly isTwice?: boolean;
  /** Clockwise quarter rotations of the file's image. */
  readonly rotations?: 1 | 2 | 3;
  /** Quality of the JPEG; by default 90. */
  readonly quality?: number;
};

const frame = { width: 1280, height: 960, pageWidth: 1100 } as const;

/** Corners of an object on a table, slightly rotated, in pixels of the frame. */
const quadOf = (ratio: number): Quad => {
  const [wide, high] = [frame.pageWidth, frame.pageWidth / ratio];
  const at = (x: number, y: number) =>
    [frame.width / 2 + x * wide, frame.height / 2 + y * high + x * 24] as const;
  return [at(-0.5, -0.5), at(0.5, -0.5), at(0.5, 0.5), at(-0.5, 0.5)];
};

const layShown = (scene: Image, page: Image, shown: PassportImage["shown"]): Image => {
  if (shown === undefined) {
    lay(scene, page, quadOf(page.width / page.height));
    return boxBlur(scene, 1);
  }
  const { surface, ratio } = shown(page);
  laySurface(scene, surface, quadOf(ratio));
  return scene;
};

const twice = ({ width, height, data }: Image): Image => {
  const both = new Uint8Array(2 * data.length);
  both.set(data);
  both.set(data, data.length);
  return { width, height: 2 * height, data: both };
};

/** Draws artificial passports with this portrait, and photographs them from above. */
export const makePhotographPassport = (imaging: Imaging, portrait: Image) => {
  const outlines = readOutlines();
  const blank = drawPaper();
  const table = drawTable(frame.width, frame.height, 7);
  return async (image: PassportImage): Promise<Uint8Array> => {
    const holder = { ...passportHolder, ...image.holder };
    const written = writePassportLines(holder);
    const lines = image.mrz?.(written) ?? written;
    const page = drawPassport({ holder, lines, portrait, country: "CHILE" }, outlines, blank);
    image.alter?.(page, outlines);
    const scene = { ...table, data: table.data.slice() };
    const light = { noise: 2.5, blurPx: 0, falloff: 0.85, seed: 7 };
    const taken = expose(layShown(scene, page, image.shown), light);
    image.retouch?.(taken);
    const cut = image.crop === undefined ? taken : imaging.crop(taken, image.crop);
    const laid = image.isTwice === true ? twice(cut) : cut;
    const sized = image.size === undefined ? laid : await imaging.resize(laid, ...image.size);
    const rotated = image.rotations === undefined ? sized : imaging.rotate(sized, image.rotations);
    return await imaging.encodeJpeg(rotated, image.quality ?? 90);
  };
};
