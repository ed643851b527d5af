import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Image, Imaging } from "../../../src/machine/imaging/image.ts";
import { type NamedImage, readImages } from "../faces/read-images.ts";

/**
 * Every portrait of a folder of single tiles (SFHQ), then of a folder of collages, under the names of
 * `labels.json`; other files are skipped.
 */
export async function* readTiles(
  imaging: Imaging,
  singles: string,
  collages: string,
): AsyncGenerator<NamedImage> {
  yield* readImages(imaging, singles);
  yield* readCollages(imaging, collages);
}

/**
 * The portraits of the collages that SFHQ-T2I publishes under `figures/` with "_top_8_", "_top_9_" or
 * "_top_10_matches" in their names.
 */
export async function* readCollages(imaging: Imaging, collages: string): AsyncGenerator<NamedImage> {
  for (const file of (await readdir(collages)).toSorted()) {
    const columns = /^textual_(.*)_top_(8|9|10)_matches\.jpg$/.exec(file);
    if (columns === null) continue;
    const collage = await imaging.open(await readFile(path.join(collages, file)));
    yield* cutCollage(imaging, collage, columns[1]!, Number(columns[2]));
  }
}

/** Positions of the images: below a title in the large collages, with two lines of text above each row. */
const layouts = {
  small: { titlePx: 37, rowPx: 297, heightPx: 256, missingPx: 0 },
  large: { titlePx: 262, rowPx: 555, heightPx: 470, missingPx: 80 },
} as const;
const gapPx = 8;

function* cutCollage(imaging: Imaging, collage: Image, name: string, columns: number): Generator<NamedImage> {
  const { titlePx, rowPx, heightPx, missingPx } = columns === 8 ? layouts.small : layouts.large;
  // The last row of the large ones ends without the text of a next one.
  const length = columns === 8 ? collage.height : collage.height - titlePx + missingPx;
  const rows = Math.round(length / rowPx);
  const width = collage.width / columns;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const y = Math.round(titlePx + (row * length) / rows);
      const box = {
        x: Math.round(column * width + gapPx),
        y,
        width: Math.round(width - 2 * gapPx),
        height: Math.min(heightPx, collage.height - y),
      };
      yield { name: `${name}:${row}:${column}`, image: imaging.crop(collage, box) };
    }
  }
}
