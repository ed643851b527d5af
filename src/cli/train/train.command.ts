import { type Command, wrongSubject } from "../command.ts";

const liveness: Command = {
  help: `Usage: idem train liveness --data DIR [--out FILE]

Measures labelled images with the product's own pipeline (with the liveness model in use, if any) and fits the weight of
each cue of an attack: an offset and one number per cue. Prints APCER of each kind of attack and BPCER with 95 % bounds,
on persons that the fit did not see, before and after. Writes a versioned file with its SHA-256 and a report beside it.
To use it, start the service with IDEM_LIVENESS_FUSION=FILE.

  --data DIR   a folder live/ and one folder for each kind of attack, JPEG, PNG, WebP or AVIF. The part of a file's name before the
               first _ is the person: maria_1.jpg, maria_2.jpg. Use whole camera frames, genuine and attack of the same
               persons in the same scene and light; start with 30 persons and 5 devices.
  --out FILE   output file (liveness-fusion.json)`,
  run: async (args) => (await import("./train.ts")).runLiveness(args),
};

const documentAttacks: Command = {
  help: `Usage: idem train document-attacks --data DIR [--out FILE]

Judges labelled images of documents with the product's own pipeline and fits the weight of each trace of an attack: an
offset and one number per trace. Prints APCER of each kind of attack and BPCER with 95 % bounds, on documents that the
fit did not see, before and after. Writes a versioned file with its SHA-256 and a report beside it. To use it, start the
service with IDEM_DOCUMENT_ATTACKS=FILE.

  --data DIR   a folder genuine/ and one folder for each kind of attack, JPEG, PNG, WebP or AVIF, unedited camera images. The part of
               a file's name before the first _ is the document: card7_1.jpg, card7_2.jpg
  --out FILE   output file (document-attacks.json)`,
  run: async (args) => (await import("./train.ts")).runDocumentAttacks(args),
};

export const train: Command = {
  help: `Usage: idem train liveness | document-attacks [options]

liveness           weights of the cues of an attack on a face: --data DIR
document-attacks   weights of the traces of an attack on a document: --data DIR

More: idem train <subject> --help`,
  topics: { liveness: async () => liveness, "document-attacks": async () => documentAttacks },
  run: async ([given]) => {
    throw wrongSubject("train", given, ["liveness", "document-attacks"]);
  },
};
