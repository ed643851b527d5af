/** Composition of the list of politically exposed persons that an operator imported. */
import { readFile } from "node:fs/promises";
import type { Config } from "./config.ts";
import { type PepList, readPepList } from "./document/outside/pep-list.ts";

/** Undefined where none is set. Throws Error with the reason for a file that cannot be read or is no list. */
export const openPepList = async ({
  validation: { pepFile },
}: Pick<Config, "validation">): Promise<PepList | undefined> => {
  if (pepFile === undefined) return undefined;
  try {
    return readPepList(await readFile(pepFile, "utf8"));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`IDEM_PEP_LIST names ${pepFile}: ${reason}`, { cause });
  }
};
