import { dirname, resolve } from "node:path";
import { openUserImport } from "#app/user-import";
import { readConfig } from "#machine/config/config";
import { findTenant } from "../admin/tenant.ts";
import { type Command, opening, parseOptions, print, say, UsageError } from "../command.ts";
import { openCommandStorage } from "../reach-store.ts";
import { findDeployment } from "../serve/first-start.ts";
import { wayOut } from "../way-out.ts";
import { type ImportCounts, importRows, type RowRefusal, reasonTexts } from "./import-rows.ts";
import { listedRows } from "./listed-rows.ts";
import { parseEnvironments } from "./user-list.ts";

/** Rows between two lines of progress. */
const progressEvery = 100;

export const importUsers: Command = {
  help: `Usage: idem users import --csv FILE --environment live|test [--tenant NAME] [--root DIR] [--json]

Establishes a user for each row of a CSV file (UTF-8, commas or semicolons) with the columns userId and image. A header
decides their order, and other columns are ignored; without one, each row has these two cells. The image is a JPEG, PNG, WebP or AVIF with the user's face alone. You vouch for it: no liveness is judged. Blocked faces are
refused, and duplicates as IDEM_DUPLICATES says.

A user who is registered already stays as it is. So the command may be repeated: after an interruption it goes on, and
nobody is established twice. Refused rows go to stdout with their line and reason; correct them and run it again. Exit
code 1: rows were refused.

  --csv          the list
  --environment  environment of the users
  --root         folder of relative image paths; default: the folder of the list
  --json         one JSON object for each refused row {"line", "reason"}, and one with the counts at the end
  --tenant       name of the tenant; needed when there are several

It works while the service runs, and loads the networks once more: leave 1 GB of memory for it.`,
  run: async (args) => {
    const { values } = parseOptions(args, {
      csv: { type: "string" },
      environment: { type: "string" },
      root: { type: "string" },
      tenant: { type: "string" },
      json: { type: "boolean", default: false },
    });
    const { csv, environment, json } = values;
    if (csv === undefined) throw new UsageError("Name the list: --csv FILE");
    if (environment === undefined) {
      throw new UsageError("Name the environment: --environment live or --environment test");
    }
    const [only] = parseEnvironments(environment);
    const root = resolve(values.root ?? dirname(csv));
    const config = await findDeployment(readConfig());
    const { close, ...storage } = await openCommandStorage(config, wayOut.stop);
    try {
      const tenant = await findTenant(storage.store, values.tenant);
      const place = { tenantId: tenant.id, environment: only! };
      const users = await opening(openUserImport(storage, config, place));
      try {
        const imageBytesMax = config.images.bytesMax;
        const counts = await importRows(listedRows(csv), {
          ...users,
          ...reporting(json),
          root,
          imageBytesMax,
        });
        report(counts, json);
        return counts.refused === 0 ? 0 : 1;
      } finally {
        await users.close();
      }
    } finally {
      await close();
    }
  },
};

const countOf = ({ established, registered, refused }: ImportCounts): number =>
  established + registered + refused;

const textOf = (counts: ImportCounts): string =>
  `${countOf(counts)} rows: ${counts.established} established, ${counts.registered} registered already, ${counts.refused} refused`;

const reporting = (isJson: boolean) => ({
  onRefused: (line: number, reason: RowRefusal): void =>
    print(isJson ? JSON.stringify({ line, reason }) : `Line ${line} ${reasonTexts[reason]} (${reason}).`),
  onProgress: (counts: ImportCounts): void => {
    if (countOf(counts) % progressEvery === 0) say(textOf(counts));
  },
});

const report = (counts: ImportCounts, isJson: boolean): void => {
  if (isJson) print(JSON.stringify(counts));
  say(`${textOf(counts)}.`);
};
