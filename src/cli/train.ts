import { readConfig } from "../config.ts";
import { makeMeasuring } from "../measuring.ts";
import { type Command, print, say, UsageError } from "./command.ts";
import { trainLiveness } from "./train-liveness.ts";

const liveness: Command = {
  summary: "refit the liveness fusion on your own labelled pictures",
  help: `Usage: idem train liveness --data DIR [--out FILE]

Measures labelled pictures with the product's own pipeline (with the liveness model in force, if one is) and fits how much
each cue of an attack counts: an offset and one number a cue. Prints APCER of each kind of attack and BPCER with 95 %
bounds, on persons that the fit did not see, before and after, and writes a versioned file with its SHA-256 and a report
beside it. Nothing changes until the service is started with IDEM_LIVENESS_FUSION=FILE.

  --data DIR   a folder live/ and one folder for each kind of attack, JPEG or PNG. What stands before the first _ of
               a file's name is the person: maria_1.jpg, maria_2.jpg. Whole frames as the camera gave them, genuine and
               attack of the same persons in the same room and light; 30 persons and 5 devices are a good beginning.
  --out FILE   where to write it (liveness-fusion.json)`,
  run: async (args) => {
    const measuring = makeMeasuring(readConfig());
    try {
      return await trainLiveness(args, { ...measuring.training, out: print, progress: say });
    } finally {
      await measuring.close();
    }
  },
};

export const train: Command = {
  summary: "fit what can be fitted on your own pictures",
  help: `Usage: idem train liveness [options]

liveness   how much each cue of an attack counts: --data DIR

idem train liveness --help tells more.`,
  topics: { liveness: async () => liveness },
  run: async () => {
    throw new UsageError("Say what to train: idem train liveness");
  },
};
