import { openStoreToRead } from "#app/storage";
import { readConfig } from "#config/config";
import { findTenant } from "../admin/tenant.ts";
import { type Command, CommandError, opening, parseOptions, print, say, UsageError } from "../command.ts";
import { checkFiguresFile } from "../measure/figures-file.ts";
import { describeExport } from "./describe-export.ts";
import { writeExport } from "./write-export.ts";

export const exportEvidence: Command = {
  summary: "write a tenant's evidence chain to a file",
  help: `Usage: idem evidence export --tenant NAME [--since SEQ] --out FILE [--json]

Writes the chain of a tenant as JSON Lines: a line with the head (last entry, its hash, time), the
time-stamps, then the entries with the bodies that are kept. idem evidence verify --file FILE checks it anywhere. Kept
elsewhere, the head of the file shows later that the chain was cut or replaced: idem evidence verify --against FILE.
It reads alone, needs no master key, and may run beside the service. The file is readable by its owner only: bodies name
users, calls and documents by their random ids.

  --tenant   name of the tenant; needed when there are several
  --since    the export begins after this entry; default 0: the whole chain
  --out      the file; an existing file is replaced without a question when the export is complete
  --json     one JSON object on stdout: entries, lastSeq, headHash, file

Prints the number of entries and the hash of the head.`,
  run: async (args) => {
    const { values } = parseOptions(args, {
      tenant: { type: "string" },
      since: { type: "string", default: "0" },
      out: { type: "string" },
      json: { type: "boolean", default: false },
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
    const config = readConfig();
    const opened = await opening(openStoreToRead(config));
    if (opened === undefined) {
      throw new CommandError(`Nothing is stored in ${config.dataDirectory} yet: is IDEM_DATA right?`);
    }
    const { store, close } = opened;
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
