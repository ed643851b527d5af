import { seededRandom } from "#contract/statistics/random";
import type { Image, Imaging } from "#machine/imaging/image";
import { type Colour, fill, type Ring, rectangle } from "#sandbox/specimen/canvas";
import { readOutlines, write } from "#sandbox/specimen/lettering";
import { drawTable } from "#sandbox/specimen/photograph";
import { imageOf } from "../face/images.ts";

const frame = { width: 1280, height: 960, quality: 90 } as const;

const ellipse = (x: number, y: number, across: number, down: number): Ring =>
  Array.from({ length: 48 }, (_, i) => {
    const angle = (i * Math.PI) / 24;
    return [x + across * Math.cos(angle), y + down * Math.sin(angle)] as const;
  });

const ear = (x: number): Ring => [
  [x - 100, 380],
  [x, 170],
  [x + 100, 380],
];

const cat: readonly (readonly [colour: Colour, rings: readonly Ring[]])[] = [
  [
    [196, 130, 60],
    [ear(480), ear(800), ellipse(640, 700, 330, 260)],
  ],
  [[206, 142, 70], [ellipse(640, 450, 230, 190)]],
  [
    [180, 200, 70],
    [ellipse(560, 420, 38, 30), ellipse(720, 420, 38, 30)],
  ],
  [
    [20, 16, 16],
    [ellipse(560, 420, 10, 26), ellipse(720, 420, 10, 26), ellipse(640, 500, 22, 14)],
  ],
];

const drawCat = (): Image => {
  const scene = drawTable(frame.width, frame.height, 3);
  for (const [colour, rings] of cat) {
    for (const ring of rings) fill(scene, [ring], colour);
  }
  return scene;
};

/** A sheet on the table. */
const drawSheet = (draw: (sheet: Image) => void): Image => {
  const scene = drawTable(frame.width, frame.height, 7);
  fill(scene, [rectangle(180, 60, 900, 840)], [236, 236, 232]);
  draw(scene);
  return scene;
};

const invoice = (sheet: Image): void => {
  const { sans } = readOutlines();
  for (let row = 0; row < 14; row++) {
    const style = { emPx: 26, colour: [30, 30, 30] as const, baseline: 140 + row * 52 };
    write(sheet, sans, `Factura 2026-${row} Servicio mensual`, { ...style, x: 230 });
    write(sheet, sans, `${row * 37 + 12},00 EUR`, { ...style, x: 860 });
  }
};

/** Squares as of a QR code; no reader decodes them. */
const squares = (sheet: Image): void => {
  const random = seededRandom(11);
  for (let y = 0; y < 29; y++) {
    for (let x = 0; x < 29; x++) {
      if (random() < 0.5) fill(sheet, [rectangle(380 + x * 18, 220 + y * 18, 18, 18)], [10, 10, 10]);
    }
  }
};

/** Images without a document. */
export const drawnOthers = {
  "an empty table": (imaging: Imaging) =>
    imaging.encodeJpeg(drawTable(frame.width, frame.height, 7), frame.quality),
  "a cat": (imaging: Imaging) => imaging.encodeJpeg(drawCat(), frame.quality),
  // Compressed below the limit of a readable image: it is no document first.
  "an invoice": (imaging: Imaging) => imaging.encodeJpeg(drawSheet(invoice), 60),
  "a blank page": (imaging: Imaging) =>
    imaging.encodeJpeg(
      drawSheet(() => {}),
      frame.quality,
    ),
  "a QR code": (imaging: Imaging) => imaging.encodeJpeg(drawSheet(squares), frame.quality),
  "a selfie": async (imaging: Imaging) =>
    imaging.encodeJpeg(await imaging.open(imageOf("franck_01829.jpg"), { longSideMin: 1600 }), frame.quality),
} as const;
