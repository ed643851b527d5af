import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PersonImages } from "#sandbox/persons/person-images";
import type { SandboxPerson } from "#sandbox/persons/sandbox-person";
import { makeDirectory } from "../kit/make-directory.ts";

/** Writes the images of a person as `ECU-7-front.jpg`, `…-back.jpg` and `…-selfie.jpg`, over earlier ones. */
export const writePersonImages = async (
  directory: string,
  { country, index }: SandboxPerson,
  images: PersonImages,
): Promise<readonly string[]> => {
  await makeDirectory(directory);
  const files = Object.entries(images).map(
    ([name, bytes]) => [join(directory, `${country}-${index}-${name}.jpg`), bytes] as const,
  );
  for (const [path, bytes] of files) await writeFile(path, bytes);
  return files.map(([path]) => path);
};
