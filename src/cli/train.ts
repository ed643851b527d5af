import { readConfig } from "../config.ts";
import { makeMeasuring } from "../measuring.ts";
import { type Command, opening, print, say, UsageError } from "./command.ts";
import { trainDocumentAttacks } from "./train-document-attacks.ts";
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

const documentAttacks: Command = {
  summary: "refit what the traces of attacks on documents count",
  help: `Usage: idem train document-attacks --data DIR [--out FILE]

Judges labelled pictures of documents with the product's own pipeline and fits how much each trace of an attack counts: an
offset and one number a trace. Prints APCER of each kind of attack and BPCER with 95 % bounds, on documents that the fit
did not see, before and after, and writes a versioned file with its SHA-256 and a report beside it. Nothing changes until
the service is started with IDEM_DOCUMENT_ATTACKS=FILE.

  --data DIR   a folder genuine/ and one folder for each kind of attack, JPEG or PNG, as the camera gave them. What stands
               before the first _ of a file's name is the document: card7_1.jpg, card7_2.jpg
  --out FILE   where to write it (document-attacks.json)`,
  run: async (args) => {
    const measuring = makeMeasuring(readConfig());
    try {
      const { training, ...measured } = await opening(measuring.documentAttacks());
      return await trainDocumentAttacks(args, { ...measured, ...training, out: print, progress: say });
    } finally {
      await measuring.close();
    }
  },
};

export const train: Command = {
  summary: "fit what can be fitted on your own pictures",
  help: `Usage: idem train liveness | document-attacks [options]

liveness           how much each cue of an attack on a face counts: --data DIR
document-attacks   how much each trace of an attack on a document counts: --data DIR

idem train <subject> --help tells more.`,
  topics: { liveness: async () => liveness, "document-attacks": async () => documentAttacks },
  run: async () => {
    throw new UsageError("Say what to train: idem train liveness | document-attacks");
  },
};
