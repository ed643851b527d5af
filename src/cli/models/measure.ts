import { makeMeasuring } from "#app/evaluation";
import { type Models, readCandidate } from "#app/models";
import { calibrationOf } from "#app/recogniser-evaluation";
import type { Impostors } from "#evaluation/faces/calibrate-cosine";
import { readConfig } from "#machine/config/config";
import { say, UsageError } from "../command.ts";
import { measureFaces } from "../kit/measuring/faces.ts";
import { openVoices } from "../kit/progress.ts";

/**
 * Runs `idem models measure`: the error rates of a recogniser in place of the current one. `--calibrate`
 * stores the result.
 */
export const measureModel = async (models: Models, args: readonly string[]): Promise<number> => {
  const [word, ...rest] = args;
  if (word === undefined || word.startsWith("-")) {
    throw new UsageError("Name the model: idem models measure NAME --identities CSV | --pairs CSV");
  }
  const words = rest.filter((one) => one !== "--calibrate");
  const isCalibrated = words.length < rest.length;
  if (isCalibrated && words.some((one) => /^--(pairs|reference)(=|$)/.test(one))) {
    throw new UsageError("Use --calibrate with --identities and without --reference");
  }
  const { installed, model } = await readCandidate(models, word);
  const measuring = makeMeasuring(readConfig(), model);
  const keep = async (impostors: Impostors): Promise<void> => {
    const calibration = calibrationOf(installed.manifest, impostors, new Date());
    await models.modelStore.calibrate(installed, calibration);
    printCalibrated(word, calibration);
  };
  const { progress, out } = openVoices();
  const deps = { ...measuring.faces, out, progress };
  try {
    return await measureFaces(words, isCalibrated ? { ...deps, onImpostors: keep } : deps);
  } finally {
    progress.end();
    await measuring.close();
  }
};

const printCalibrated = (word: string, { points, pairs }: ReturnType<typeof calibrationOf>): void => {
  say("False-match rates of its cosines, in the list or group with the highest rate:");
  for (const { falseMatchRate, cosine } of points)
    say(`  ${falseMatchRate.toExponential()}  ${cosine.toFixed(4)}`);
  if (Object.keys(pairs.within).length === 0) {
    say("No groups were given (--groups): for some groups the false-match rate may be many times higher.");
  }
  say(`Stored. To use the recogniser: idem models use ${word}`);
};
