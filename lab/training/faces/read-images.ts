import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Image, Imaging } from "../../../src/machine/imaging/image.ts";

export type NamedImage = { readonly name: string; readonly image: Image };

/** The JPEG files of a folder, by name. */
export async function* readImages(imaging: Imaging, folder: string): AsyncGenerator<NamedImage> {
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".jpg")).toSorted()) {
    yield { name, image: await imaging.open(await readFile(path.join(folder, name))) };
  }
}
