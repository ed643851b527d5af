import { type Command, wrongSubject } from "../command.ts";

const common = `
Paths in the list are relative to the folder of the list.

  --root DIR    another folder for the paths
  --json FILE   writes the figures there; rates are fractions of 1`;

const faces: Command = {
  help: `Usage: idem measure faces --pairs CSV | --identities CSV [--groups CSV [--groups-root DIR]]
                          [--reference KIND | --references N] [--root DIR] [--json FILE] [--html FILE]

Compares faces with the product's own pipeline and prints n, failures to enrol, AUC, FNMR at FMR 1e-1 to 1e-4 with
95 % bounds (Clopper-Pearson), and FMR and FNMR at the product's threshold. A score has no upper bound: 0 is the
mean of impostor pairs, 1 is one standard deviation above it; the similarity in answers is a fixed curve over the score.
Checks that every image of the list exists before it measures the first.

  --pairs CSV        columns image_a,image_b,same (1 or true: one person; 0 or false: two)
  --identities CSV   columns path,person: all against all, up to 4 genuine pairs a person, all impostor pairs
  --references N     with --identities: the first N images (1 to 3) of each person with four or more are references, compared as those of
                     a registered user; probes are the fourth to the seventh image, and all images of the other persons
  --reference KIND   with --identities: selfie (the images themselves), document-portrait or registry-photo, drawn from the
                     first image of each person: a small printed portrait with a pattern, or a small, strongly compressed JPEG
  --groups CSV       with --identities: columns path,group, one image per person: false matches within groups, TAR at the worst group's FMR
  --groups-root DIR  folder for the paths of this list, where it differs from --root
${common}
  --html FILE   writes a report there: curves, thresholds for a target rate, groups, hashes of the models; one file, no script`,
  run: async (args) => (await import("./measure.ts")).runMeasureFaces(args),
};

const liveness: Command = {
  help: `Usage: idem measure liveness --labels CSV [--root DIR] [--json FILE] [--html FILE]
       idem measure liveness --captures CSV [--root DIR] [--json FILE]

Prints APCER of each kind of attack, the worst of them and BPCER (ISO/IEC 30107-3) with 95 % bounds, and the shares of None.
Each AUC is shown beside single-number classifiers (black level, blown-out share, sharpness, brightness): an AUC that does
not beat them measures the images, not liveness. Uses the models in use (idem models use) and the fusion of
IDEM_LIVENESS_FUSION. docs/guides/understand/liveness.md has the figures of drawn frames.

  --labels CSV   columns path,label (live or spoof) and, optionally, attack: the kind
  --captures CSV   whole captures of the turn challenge: columns path,label,turns (as: left up) and, optionally, attack, device,
                   light. A path is a container (docs/formats/frames.md), or a folder with its frames and capture.json:
                   {"frames": [{"file", "step", "index", "capturedMs"}, …]}. Prints APCER by kind, BPCER, the share that must
                   be captured again, and times by device and light
  --html FILE    writes a report there: attacks, scores, cues, results, hashes of the models; one file, no script
${common}`,
  run: async (args) => (await import("./measure.ts")).runMeasureLiveness(args),
};

const documents: Command = {
  help: `Usage: idem measure documents --index FILE [--root DIR] [--json FILE]

Reads images of documents and prints exact documents, exact lines and character accuracy of the MRZ, false reads
(reported valid, text wrong) and times. Counts a printed field as exact when one line holds the expected value after the
normalisation of its kind (date, number, sex, nationality, name). All rates have 95 % bounds.

  --index FILE   JSON array with one entry per image; other fields are ignored:
                   path        the image's file
                   mrz_lines   its MRZ as printed, an array of two or three texts ("<" as filler); null, absent or []
                               without transcription: counted, but not read
                   expected_fields
                               printed values by name, as printed; "" and lists are left out, the name gives the
                               kind (…date…, …number…, gender, nationality; all others are names)
                   gt_kind     source of the values; "vendor …" (the output of another program) is not measured
${common}`,
  run: async (args) => (await import("./measure.ts")).runMeasureDocuments(args),
};

const mrz: Command = {
  help: `Usage: idem measure mrz --vectors FILE [--json FILE]

Judges MRZ texts by ICAO Doc 9303 and the national formats that deviate from it. Prints how many valid texts are accepted
with every expected value, how many invalid texts are refused with the failing check named, and each text with another
result. Exit code 1 if there is one. Prints values of the list; reads no image.

  --vectors FILE   JSON array, or an object with the array vectors. One entry per text; other fields are ignored:
                     lines      its lines, as printed
                     valid      true or false (also icao_strict_valid, published_valid); without it: counted, not judged
                     expected   values as surname, givenNames, documentNumber, birth (YYMMDD), sex (M, F, X), optional1 …; an
                                unknown name is refused
  --json FILE      writes the figures there; shares are counts with their n and bounds`,
  run: async (args) => (await import("./measure.ts")).runMeasureMrz(args),
};

const location: Command = {
  help: `Usage: idem measure location --quads FILE [--root DIR] [--json FILE]

Locates the card of each image and prints the share with an intersection over union above .9 and above .75, images
without a located card, the effect of each score as a gate, and times, with 95 % bounds.

  --quads FILE   JSON object with the object quads: for each image its path and the four corners of its card, in pixels of
                 the upright image, in order around the card, or null for an image without a card
${common}`,
  run: async (args) => (await import("./measure.ts")).runMeasureLocation(args),
};

const documentAttacks: Command = {
  help: `Usage: idem measure document-attacks --labels CSV [--root DIR] [--json FILE]

Judges each image as one side of a document and prints BPCER, and APCER of each kind of attack by clip, with 95 % bounds
(Clopper-Pearson), the AUC of the log odds by image, and the signals found. An attack passes where the middle image of
its clip is credible; a genuine image counts against the service where it is doubtful or a spoof.

  --labels CSV   columns path,label (attack or genuine) and, optionally, attack: the kind, and clip: the recording of the
                 frame; names of clips are unique within a folder
${common}`,
  run: async (args) => (await import("./measure.ts")).runMeasureDocumentAttacks(args),
};

const age: Command = {
  help: `Usage: idem measure age --ages CSV [--root DIR] [--json FILE]

Estimates the age of each face as extractFacial does, and prints n, the mean absolute error, and how many true ages lie
within the answered ageInterval, with 95 % bounds (Clopper-Pearson). It splits the images into two halves by the SHA-256
of their paths in the list. The interval that ships was chosen on the first half of its set. For the first half it prints the
margins that this set would give, by band of the estimate: the 5 % and 95 % quantiles of true age minus estimate.

  --ages CSV   columns path,age: the true age in whole years
${common}`,
  run: async (args) => (await import("./measure.ts")).runMeasureAge(args),
};

const subjects: Required<Command>["topics"] = {
  faces: async () => faces,
  documents: async () => documents,
  mrz: async () => mrz,
  location: async () => location,
  "document-attacks": async () => documentAttacks,
  liveness: async () => liveness,
  age: async () => age,
};

export const measure: Command = {
  help: `Usage: idem measure faces | documents | mrz | location | document-attacks | liveness | age [options]

faces       error rates of the comparison: --pairs CSV or --identities CSV
documents   exact MRZs and printed fields, false reads, time: --index FILE
mrz         MRZ texts, judged by the ICAO rules: --vectors FILE
location    cards found in photographs: exactness, refusals, time: --quads FILE
document-attacks
            error rates of the traces of attacks on documents: --labels CSV
liveness    error rates of passive liveness: --labels CSV
age         error of the age estimate, and coverage of its interval: --ages CSV

All take --json FILE and, except mrz, --root DIR (default: the folder of the list). More: idem measure <subject> --help`,
  topics: subjects,
  run: async ([given]) => {
    throw wrongSubject("measure", given, Object.keys(subjects));
  },
};
