import { readConfig } from "../config.ts";
import { type Models, openModels } from "../open-models.ts";
import { explainDirectory } from "../open-storage-errors.ts";
import { type Command, CommandError, UsageError } from "./command.ts";
import { listModels, verifyModels } from "./models-list.ts";
import { measureModel } from "./models-measure.ts";
import { reportModels } from "./models-report.ts";
import { addModel, fetchModels } from "./models-take.ts";
import { removeModel, shadowModel, useModel } from "./models-use.ts";

type Verb = (models: Models, args: readonly string[]) => Promise<number>;

const verbs: Readonly<Record<string, Verb>> = {
  list: listModels,
  fetch: fetchModels,
  add: addModel,
  verify: verifyModels,
  use: useModel,
  shadow: shadowModel,
  measure: measureModel,
  report: async (_models, args) => await reportModels(args),
  remove: removeModel,
};

export const models: Command = {
  summary: "add open models to the bundled ones: fetch, check, use",
  help: `Usage: idem models list [--json]
       idem models fetch NAME [--url URL] [--accept]
       idem models add --file PATH [--manifest FILE] [--accept]
       idem models verify
       idem models use NAME | --none SLOT
       idem models shadow NAME | --none SLOT
       idem models measure NAME --identities CSV | --pairs CSV [--calibrate] [options of idem measure faces]
       idem models report [--tenant NAME] [--days N] [--json]
       idem models remove NAME

list     prints bundled, installed and known models with slot, state, size, licence and the first digits of the SHA-256
fetch    downloads a model that the catalogue knows, or all of a group, such as minifasnet, and takes it in; goes on with
         a download that was cut
add      takes in a file that was brought, for hosts without internet; add and fetch also put back the file of an
         installed model that is missing or was changed. A model of your own manifest that this release cannot use is
         installed with exit code 1; where the catalogue knows the file, its manifest holds in place of --manifest
verify   checks every installed model again: its hash, its operators, and a trial run against its manifest
use      puts an installed model into its slot; --none SLOT takes it out, so that the bundled networks work alone
shadow   lets a model look on beside the one that decides, so that both can be compared; --none SLOT ends that
measure  error rates of an installed recogniser on your own pictures, aligned by this product; the thresholds of its
         publisher were found with other alignments. With --calibrate, which needs 142 people or more in the list and
         pictures in each group (--groups), what its cosines stand for is kept: "use" takes no recogniser without it
report   prints what models that looked on said against what decided, over the stored calls of a tenant (30 days by
         default); on the embedded store, stop the service first
remove   removes a model that no slot holds

  NAME         name or group of a model, or the first 8 digits or more of its SHA-256
  --url        https address of a mirror that has the very file; the hash stays the catalogue's
  --file       an ONNX file; where the catalogue knows its SHA-256 nothing else is needed
  --manifest   JSON that describes the file (api/model-manifest.schema.json), or a list of such under "models"
  --accept     accepts licence and caution, which are shown in any case; without it nothing is taken, unless a person
               at a terminal says yes. Models of unclear origin are taken by --accept alone
  --json       the whole list, for programs

Nothing but the bundled networks works until "use" says so, and "use" and "shadow" count from the next start of the service.
A file with another hash, a cut or unknown one, one whose terms forbid a business use, and one that does not do what its
manifest says are refused; what was there before stays. Models lie in the folder models of IDEM_DATA: every host
of a deployment needs them. docs/guides/models.md tells more.`,
  run: async (args) => {
    const [verb, ...rest] = args;
    const run = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (run === undefined) {
      throw new UsageError(`Say what to do: idem models ${Object.keys(verbs).join(" | ")}`);
    }
    const config = readConfig();
    return await run(openModels(config), rest).catch((error: unknown) => {
      throw explain(error, config.dataDirectory);
    });
  },
};

/** What the disk says is expected, and told without a stack. */
const explain = (error: unknown, directory: string): unknown => {
  const isOfDisk = error instanceof Error && "syscall" in error && "code" in error;
  return isOfDisk ? new CommandError(explainDirectory(error, directory).message, { cause: error }) : error;
};
