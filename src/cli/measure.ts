import { readConfig } from "../config.ts";
import { makeMeasuring } from "../measuring.ts";
import { type Command, opening, print, say, UsageError } from "./command.ts";
import { measureDocumentAttacks } from "./measure-document-attacks.ts";
import { measureDocuments } from "./measure-documents.ts";
import { measureFaces } from "./measure-faces.ts";
import { measureLiveness } from "./measure-liveness.ts";
import { measureLocation } from "./measure-location.ts";
import { measureMrz } from "./measure-mrz.ts";

type Measuring = ReturnType<typeof makeMeasuring>;
type Voices = { readonly out: typeof print; readonly progress: typeof say };
type Work = (args: readonly string[], measuring: Measuring, voices: Voices) => Promise<number>;

/** A command that runs with the engine open, and lets it go whatever happens. */
const measuringCommand = (summary: string, help: string, work: Work): Command => ({
  summary,
  help,
  run: async (args) => {
    const measuring = makeMeasuring(readConfig());
    try {
      return await work(args, measuring, { out: print, progress: say });
    } finally {
      await measuring.close();
    }
  },
});

const common = `
Paths in the list are relative to the list's own folder.

  --root DIR    folder that the paths are relative to instead
  --json FILE   writes the figures there; rates are fractions of 1`;

const faces = measuringCommand(
  "error rates of the face comparison",
  `Usage: idem measure faces --pairs CSV | --identities CSV [--groups CSV [--groups-root DIR]]
                          [--reference KIND] [--root DIR] [--json FILE] [--html FILE]

Compares faces with the product's own pipeline and prints n, failures to enrol, AUC, FNMR at FMR 1e-1 to 1e-4 with
95 % bounds (Clopper-Pearson), and FMR and FNMR at the product's threshold. A score has no upper bound: 0
is the mean of unrelated people, 1 one standard deviation more; the similarity that is answered is a fixed curve over it.
Every picture of the list is looked for before the first is measured.

  --pairs CSV        columns image_a,image_b,same (1 or true: one person; 0 or false: two)
  --identities CSV   columns path,person: all against all, up to 4 genuine pairs a person, all impostor pairs
  --reference KIND   with --identities: selfie (as they are), document-portrait or registry-photo, which are drawn of the first
                     picture of each person: a printed, patterned, small portrait, or a small, hard pressed JPEG
  --groups CSV       with --identities: columns path,group, one picture a person: false matches within groups, TAR at the worst group's FMR
  --groups-root DIR  folder that the paths of this list are relative to, where it is not that of --root
${common}
  --html FILE   writes a report there: curves, thresholds for a wanted rate, groups, hashes of the models; one file, no script`,
  (args, measuring, voices) => measureFaces(args, { ...measuring.faces, ...voices }),
);

const liveness = measuringCommand(
  "error rates of passive liveness",
  `Usage: idem measure liveness --labels CSV [--root DIR] [--json FILE] [--html FILE]

Prints APCER of each kind of attack, the worst of them and BPCER (ISO/IEC 30107-3) with 95 % bounds, and the shares of None.
Beside each AUC stand one-number classifiers (black level, blown-out share, sharpness, brightness): a figure that does
not beat them tells of the pictures, not of liveness. Works with the models that are in use (idem models use) and with the
fusion of IDEM_LIVENESS_FUSION. docs/guides/liveness.md has the figures of drawn frames.

  --labels CSV   columns path,label (live or spoof) and, optionally, attack: the kind
  --html FILE    writes a report there: attacks, scores, cues, results, hashes of the models; one file, no script
${common}`,
  (args, measuring, voices) => measureLiveness(args, { ...measuring.liveness, ...voices }),
);

const documents = measuringCommand(
  "exact machine-readable zones and printed fields, false reads, time",
  `Usage: idem measure documents --index FILE [--root DIR] [--json FILE]

Reads pictures of documents and prints exact documents, exact lines and character accuracy of the machine-readable
zone, false reads (reported valid, text wrong) and times, and the printed fields of which one line says what was expected
after the treatment of its kind (date, number, sex, nationality, name), with 95 % bounds.

  --index FILE   JSON array with one entry a picture; other fields are ignored:
                   path        the picture's file
                   mrz_lines   its machine-readable zone as printed, an array of two or three texts ("<" as filler);
                               null, absent or [] where nobody transcribed it: counted, but not read
                   expected_fields
                               printed values by name, as printed; "" and lists are left out, the name tells the
                               kind (…date…, …number…, gender, nationality; all others are names)
                   gt_kind     where the values come from; "vendor …", what another program read, is not measured
${common}`,
  (args, measuring, voices) => measureDocuments(args, { ...measuring.documents, ...voices }),
);

const mrz = measuringCommand(
  "texts of machine-readable zones: accepted, refused, why",
  `Usage: idem measure mrz --vectors FILE [--json FILE]

Judges texts of machine-readable zones by ICAO Doc 9303 and the national formats that deviate from it, and prints how many valid
ones are accepted with every expected value, how many invalid ones refused with the failing check named, and each text that
came out otherwise. Exit code 1 if there is one. Values on the list are printed; no picture is read.

  --vectors FILE   JSON array, or an object with the array vectors. One entry a text; other fields are ignored:
                     lines      its lines, as they stand
                     valid      true or false (also icao_strict_valid, published_valid); without it: counted, not judged
                     expected   values as surname, givenNames, documentNumber, birth (YYMMDD), sex (M, F, X), optional1 …; an
                                unknown name is refused
  --json FILE      writes the figures there; shares are counts with their n and bounds`,
  (args, measuring, { out }) => measureMrz(args, { ...measuring.mrz, out }),
);

const location = measuringCommand(
  "cards found in photographs: exactness, refusals, time",
  `Usage: idem measure location --quads FILE [--root DIR] [--json FILE]

Locates the card of each picture and prints the share with an intersection over union above .9 and above .75, pictures
in which nothing was found, what each score would be worth as a gate, and times, with 95 % bounds.

  --quads FILE   JSON object with the object quads: for each picture its path and the four corners of its card, in pixels of
                 the upright picture and in order around it, or null for a picture without a card
${common}`,
  (args, measuring, voices) => measureLocation(args, { ...measuring.location, ...voices }),
);

const documentAttacks = measuringCommand(
  "error rates of the traces of attacks on documents",
  `Usage: idem measure document-attacks --labels CSV [--root DIR] [--json FILE]

Judges each picture as one side of a document and prints BPCER, and APCER of each kind of attack by clip, with 95 % bounds
(Clopper-Pearson), the AUC of the log odds by picture, and which signals spoke. An attack passes where the middle picture of
its clip is credible; a genuine picture counts against the service where it is doubtful or a spoof.

  --labels CSV   columns path,label (attack or genuine) and, optionally, attack: the kind, and clip: the recording that the
                 picture is a frame of; names of clips count within a picture's folder
${common}`,
  async (args, measuring, voices) =>
    await measureDocumentAttacks(args, { ...(await opening(measuring.documentAttacks())), ...voices }),
);

export const measure: Command = {
  summary: "measure faces, documents, zones, location, document attacks or liveness on your own pictures",
  help: `Usage: idem measure faces | documents | mrz | location | document-attacks | liveness [options]

faces       error rates of the comparison: --pairs CSV or --identities CSV
documents   exact machine-readable zones and printed fields, false reads, time: --index FILE
mrz         texts of machine-readable zones, judged by ICAO's rules: --vectors FILE
location    cards found in photographs: exactness, refusals, time: --quads FILE
document-attacks
            error rates of the traces of attacks on documents: --labels CSV
liveness    error rates of passive liveness: --labels CSV

All take --json FILE and, but for mrz, --root DIR (default: the list's own folder). idem measure <subject> --help tells more.`,
  topics: {
    faces: async () => faces,
    documents: async () => documents,
    mrz: async () => mrz,
    location: async () => location,
    "document-attacks": async () => documentAttacks,
    liveness: async () => liveness,
  },
  run: async () => {
    throw new UsageError(
      "Say what to measure: idem measure faces | documents | mrz | location | document-attacks | liveness",
    );
  },
};
