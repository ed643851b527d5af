import { fileURLToPath } from "node:url";
import { makeKeptFiles } from "./kept-files.ts";

/**
 * Converted networks stay beside the packages: a conversion of all takes .3 s of processor time, which every
 * start would repeat. An assembled tree holds them already (`scripts/keep-networks.ts`), so its folder may be
 * read only.
 */
export const keptNetworks = makeKeptFiles(
  fileURLToPath(new URL("../../../node_modules/.cache/idem-networks", import.meta.url)),
);
