import type { Strangers } from "#face/matching/calibrate-cosine";
import { readConfig } from "../config.ts";
import { makeMeasuring } from "../measuring.ts";
import { calibrationOf } from "../measuring-recogniser.ts";
import { type Models, readCandidate } from "../open-models.ts";
import { print, say, UsageError } from "./command.ts";
import { measureFaces } from "./measure-faces.ts";

/** `idem models measure`: what a recogniser would be worth in place of the one in use; with `--calibrate` it is kept. */
export const measureModel = async (models: Models, args: readonly string[]): Promise<number> => {
  const [word, ...rest] = args;
  if (word === undefined || word.startsWith("-")) {
    throw new UsageError("Say which: idem models measure NAME --identities CSV | --pairs CSV");
  }
  const words = rest.filter((one) => one !== "--calibrate");
  const isCalibrated = words.length < rest.length;
  if (isCalibrated && words.some((one) => /^--(pairs|reference)(=|$)/.test(one))) {
    throw new UsageError("--calibrate goes with --identities, and without --reference");
  }
  const { installed, model } = await readCandidate(models, word);
  const measuring = makeMeasuring(readConfig(), model);
  const keep = async (strangers: Strangers): Promise<void> => {
    const calibration = calibrationOf(installed.manifest, strangers, new Date());
    await models.shelf.calibrate(installed, calibration);
    tellCalibrated(word, calibration);
  };
  const deps = { ...measuring.faces, out: print, progress: say };
  try {
    return await measureFaces(words, isCalibrated ? { ...deps, onStrangers: keep } : deps);
  } finally {
    await measuring.close();
  }
};

const tellCalibrated = (word: string, { points, pairs }: ReturnType<typeof calibrationOf>): void => {
  say("What its cosines stand for, in the list or the group in which the false-match rate is highest:");
  for (const { falseMatchRate, cosine } of points)
    say(`  ${falseMatchRate.toExponential()}  ${cosine.toFixed(4)}`);
  if (Object.keys(pairs.within).length === 0) {
    say("No groups were told apart (--groups): for some people the false-match rate may be many times that.");
  }
  say(`It is kept. To use the recogniser: idem models use ${word}`);
};
