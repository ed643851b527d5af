import { open, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import type { PersonFault } from "#features/registry/local/read-person";

/** Whether a path lies in a folder. Both are without links. */
const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
};

/**
 * The bytes of a photo in a folder, or why there are none. Nothing outside of the folder is read, also not
 * through a link: the list comes from elsewhere.
 */
export const makeReadPhoto = async (
  folder: string | undefined,
  bytesMax: number,
): Promise<(name: string) => Promise<Uint8Array | PersonFault>> => {
  const root = folder === undefined ? undefined : await realpath(folder);
  return async (name) => {
    if (root === undefined) return "photo-missing";
    const path = await realpath(resolve(root, name)).catch(() => undefined);
    if (path === undefined) return "photo-missing";
    if (!isInside(root, path)) return "photo-outside";
    const handle = await open(path, "r").catch(() => undefined);
    if (handle === undefined) return "photo-missing";
    try {
      const facts = await handle.stat();
      if (!facts.isFile()) return "photo-missing";
      return facts.size > bytesMax ? "photo-too-large" : new Uint8Array(await handle.readFile());
    } catch {
      return "photo-missing";
    } finally {
      await handle.close();
    }
  };
};
