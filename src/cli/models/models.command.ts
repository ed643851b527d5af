import type { Command } from "../command.ts";

export const models: Command = {
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
fetch    downloads a model of the catalogue, or all models of a group, such as minifasnet, and installs it; resumes an
         interrupted download
add      installs a local file, for hosts without internet; add and fetch also restore the file of an installed model
         that is missing or was changed. A model with your own manifest that this release cannot use is installed with
         exit code 1; for a file of the catalogue, the catalogue's manifest replaces --manifest
verify   checks every installed model again: its hash, its operators, and a trial run against its manifest
use      puts an installed model into its slot; --none SLOT removes it, so that the bundled networks work alone
shadow   runs a model in shadow mode beside the deciding model, to compare both; --none SLOT ends that
measure  error rates of an installed recogniser on your own images, aligned by this product; the publisher's thresholds
         belong to other alignments. --calibrate stores the false-match rates of its cosines: "use" accepts no
         recogniser without them. It needs 142 people or more in the list and images in each group (--groups)
report   compares shadow models with the deciding models, over the stored calls of a tenant (30 days by default)
remove   removes a model that no slot holds

  NAME         name or group of a model, or the first 8 digits or more of its SHA-256
  --url        https address of a mirror with the same file; the catalogue's hash applies
  --file       an ONNX file; if the catalogue knows its SHA-256, nothing else is needed
  --manifest   JSON that describes the file (api/model-manifest.schema.json), or a list of manifests under "models"
  --accept     accepts licence and caution, which are always shown; without it nothing is installed, unless an operator
               at a terminal answers yes. Models of unclear origin need --accept
  --json       the whole list, for programs

Only the bundled networks work until "use"; "use" and "shadow" take effect at the next start of the service. Refused are
a file with another hash, a truncated or unknown file, a model whose terms forbid business use, and a model that does not
behave as its manifest states; the installed models stay. Models are in the folder models of IDEM_DATA: every host of a
deployment needs them. More: docs/guides/extend/models.md`,
  run: async (args) => (await import("./models.ts")).runModels(args),
};
