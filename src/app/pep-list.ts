/** Composition of the list of politically exposed persons that an operator imported. */
import { readFile } from "node:fs/promises";
import type { Config } from "#config/config";
import { type PepList, readPepList } from "#document/decision/watchlists/pep-list";

/**
 * Undefined if no list is configured. Throws Error with the reason for an unreadable file or an invalid list.
 */
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
