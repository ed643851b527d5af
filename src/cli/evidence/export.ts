import { readConfig } from "#machine/config/config";
import { findTenant } from "../admin/tenant.ts";
import { type Command, parseOptions, print, say, UsageError } from "../command.ts";
import { checkFiguresFile } from "../measure/figures-file.ts";
import { openToRead } from "../open-to-read.ts";
import { describeExport } from "./describe-export.ts";
import { exportBundleFile } from "./export-bundle.ts";
import { writeExport } from "./write-export.ts";

export const exportEvidence: Command = {
  help: `Usage: idem evidence export --tenant NAME [--since SEQ] --out FILE [--json]
       idem evidence export --operation ID --out FILE [--tenant NAME] [--environment live|test] [--images] [--anyway] [--json]

Writes the chain of a tenant as JSON Lines: a line with the head (last entry, its hash, time), the
time-stamps, then the entries with the bodies that are kept. idem evidence verify --file FILE checks it anywhere. Kept
elsewhere, the head of the file shows later that the chain was cut or replaced: idem evidence verify --against FILE.
It reads alone, needs no master key, and may run beside the service. The file is readable by its owner only: bodies name
users, calls and documents by their random ids.

With --operation it writes the evidence bundle of that operation: a signed PDF with a report, every decision with its
measurements, and the links of the chain. That needs the master key and the signer. Rows that do not fit the chain refuse it.

  --tenant   name of the tenant; needed when there are several
  --since    the export begins after this entry; default 0: the whole chain
  --out      the file; an existing file is replaced without a question when the export is complete
  --json     one JSON object on stdout: entries, lastSeq, headHash, file; of a bundle: bytes, sha256, level, faults, file

  --operation    the operation, as in the source of its events
  --environment  live or test; default live
  --images       kept images become attachments of the bundle. Without it the bundle holds their hashes
  --anyway       makes the bundle although rows and chain do not fit. It states each fault

Prints the number of entries and the hash of the head, or the hash of the bundle.`,
  run: async (args) => {
    const { values } = parseOptions(args, {
      tenant: { type: "string" },
      since: { type: "string", default: "0" },
      out: { type: "string" },
      json: { type: "boolean", default: false },
      operation: { type: "string" },
      environment: { type: "string", default: "live" },
      images: { type: "boolean", default: false },
      anyway: { type: "boolean", default: false },
    });
    if (!/^\d{1,15}$/.test(values.since)) {
      throw new UsageError(
        `--since is ${JSON.stringify(values.since)}. Set it to the position of an entry: 0, 1, 2 …`,
      );
    }
    if (values.out === undefined) {
      throw new UsageError("Name the file: --out FILE");
    }
    await checkFiguresFile("--out", values.out);
    const { operation, out } = values;
    if (operation !== undefined) return await exportBundleFile({ ...values, operation, out });
    const config = readConfig();
    const { store, close } = await openToRead(config);
    try {
      const tenant = await findTenant(store, values.tenant);
      const head = await writeExport(store, tenant, Number(values.since), values.out, (entries) =>
        say(`${tenant.name}: ${entries} entries`),
      );
      print(describeExport(head, values.out, values.json));
      return 0;
    } finally {
      await close();
    }
  },
};
