import { imageOf } from "#face/testing/images";
import type { Image, Imaging } from "#imaging/image";
import { type Colour, fill, type Ring } from "#specimen/canvas";
import { drawTable } from "#specimen/photograph";

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

/** Images without a document. */
export const drawnOthers = {
  "an empty table": (imaging: Imaging) =>
    imaging.encodeJpeg(drawTable(frame.width, frame.height, 7), frame.quality),
  "a cat": (imaging: Imaging) => imaging.encodeJpeg(drawCat(), frame.quality),
  "a selfie": async (imaging: Imaging) =>
    imaging.encodeJpeg(await imaging.open(imageOf("franck_01829.jpg"), { longSideMin: 1600 }), frame.quality),
} as const;
