import { readConfig } from "../config.ts";
import { makeMeasuring } from "../measuring.ts";
import { type Models, readCandidate } from "../open-models.ts";
import { print, say, UsageError } from "./command.ts";
import { measureFaces } from "./measure-faces.ts";

/** `idem models measure`: what a recogniser would be worth in place of the bundled ones. */
export const measureModel = async (models: Models, args: readonly string[]): Promise<number> => {
  const [word, ...rest] = args;
  if (word === undefined || word.startsWith("-")) {
    throw new UsageError("Say which: idem models measure NAME --identities CSV | --pairs CSV");
  }
  const measuring = makeMeasuring(readConfig(), await readCandidate(models, word));
  try {
    return await measureFaces(rest, { ...measuring.faces, out: print, progress: say });
  } finally {
    await measuring.close();
  }
};
