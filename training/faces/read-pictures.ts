import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Image, Imaging } from "../../src/imaging/image.ts";

/** The JPEG files of a folder, by name. */
export async function* readPictures(imaging: Imaging, folder: string): AsyncGenerator<Image> {
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".jpg")).toSorted()) {
    yield await imaging.open(await readFile(path.join(folder, name)));
  }
}
