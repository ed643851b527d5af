import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";

/** The reader's own browser build, beside its module entry. */
const file = fileURLToPath(new URL("./browser/standalone.js", import.meta.resolve("@scalar/api-reference")));

/** An installation that `scripts/trim-install.ts` has trimmed holds the file in this form alone. */
const packedFile = `${file}.gz`;

/**
 * The program of the documentation page, in the forms that a browser may ask for. Made by
 * {@link openDocsReader}.
 */
export type DocsReader = {
  readonly packed: () => Promise<Buffer>;
  readonly plain: () => Promise<Buffer>;
};

/**
 * Compresses the file at the first request, beside the main thread, and keeps the 1.3 MB for the later ones.
 */
export const openDocsReader = (): DocsReader => {
  const isPacked = existsSync(packedFile);
  let packed: Promise<Buffer> | undefined;
  const pack = async (): Promise<Buffer> =>
    isPacked ? await readFile(packedFile) : await promisify(gzip)(await readFile(file));
  const once = (): Promise<Buffer> => (packed ??= pack());
  return {
    packed: once,
    plain: async () => (isPacked ? await promisify(gunzip)(await once()) : await readFile(file)),
  };
};
