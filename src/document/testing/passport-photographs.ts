import type { Box, Image, Imaging, Quad } from "#imaging/image";
import { pictureOf } from "../../face/testing/pictures.ts";
import { type Outlines, readOutlines } from "../../specimen/lettering.ts";
import { type PassportHolder, writePassportLines } from "../../specimen/machine-readable-zone.ts";
import { drawPassport } from "../../specimen/passport.ts";
import { boxBlur, drawTable, expose, lay } from "../../specimen/photograph.ts";
import { laySurface, type Surface } from "../../specimen/surface.ts";

/** Invented; valid from 2025 to 2035. */
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

export type PassportPicture = {
  readonly holder?: Partial<PassportHolder>;
  /** Changes the lines of the zone. */
  readonly zone?: (lines: readonly [string, string]) => readonly [string, string];
  /** Changes the page before it is photographed. */
  readonly alter?: (page: Image, outlines: Outlines) => void;
  /** What is held before the camera in the page's place: a copy, a screen. The lens is sharper then. */
  readonly shown?: (page: Image) => { readonly surface: Surface; readonly ratio: number };
  /** Changes the file's pixels. */
  readonly retouch?: (image: Image) => void;
  /** What of the photograph is sent, in pixels; by default all of it. */
  readonly crop?: Box;
  /** Size of the file's picture in pixels; by default as photographed. */
  readonly size?: readonly [width: number, height: number];
  /** The photograph twice, one above the other. */
  readonly isTwice?: boolean;
  /** Clockwise quarter turns of the file's picture. */
  readonly turns?: 1 | 2 | 3;
  /** Of the JPEG; by default 90. */
  readonly quality?: number;
};

const frame = { width: 1280, height: 960, pageWidth: 1100 } as const;

/** A thing on a table, held a little askew; corners in pixels of the frame. */
const quadOf = (ratio: number): Quad => {
  const [wide, high] = [frame.pageWidth, frame.pageWidth / ratio];
  const at = (x: number, y: number) =>
    [frame.width / 2 + x * wide, frame.height / 2 + y * high + x * 24] as const;
  return [at(-0.5, -0.5), at(0.5, -0.5), at(0.5, 0.5), at(-0.5, 0.5)];
};

const layShown = (scene: Image, page: Image, shown: PassportPicture["shown"]): Image => {
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

/** Draws artificial passports and photographs them from above. */
export const makePhotographPassport = async (imaging: Imaging) => {
  const place = { x: 172, y: 6, width: 420, height: 540 };
  const portrait = imaging.crop(await imaging.open(pictureOf("franck_01829.jpg")), place);
  const outlines = readOutlines();
  const table = drawTable(frame.width, frame.height, 7);
  return async (picture: PassportPicture): Promise<Uint8Array> => {
    const holder = { ...passportHolder, ...picture.holder };
    const written = writePassportLines(holder);
    const lines = picture.zone?.(written) ?? written;
    const page = drawPassport({ holder, lines, portrait, country: "CHILE" }, outlines);
    picture.alter?.(page, outlines);
    const scene = { ...table, data: table.data.slice() };
    const light = { noise: 2.5, blurPx: 0, falloff: 0.85, seed: 7 };
    const taken = expose(layShown(scene, page, picture.shown), light);
    picture.retouch?.(taken);
    const cut = picture.crop === undefined ? taken : imaging.crop(taken, picture.crop);
    const laid = picture.isTwice === true ? twice(cut) : cut;
    const sized = picture.size === undefined ? laid : await imaging.resize(laid, ...picture.size);
    const turned = picture.turns === undefined ? sized : imaging.turn(sized, picture.turns);
    return await imaging.encodeJpeg(turned, picture.quality ?? 90);
  };
};
