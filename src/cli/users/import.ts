import { dirname, resolve } from "node:path";
import { openUserImport } from "#app/user-import";
import { readConfig } from "#machine/config/config";
import { findTenant } from "../admin/tenant.ts";
import { opening, parseOptions, print, type Run, say, UsageError } from "../command.ts";
import { openCommandStorage } from "../reach-store.ts";
import { findDeployment } from "../serve/first-start.ts";
import { wayOut } from "../way-out.ts";
import { type ImportCounts, importRows, type RowRefusal, reasonTexts } from "./import-rows.ts";
import { listedRows } from "./listed-rows.ts";
import { parseEnvironments } from "./user-list.ts";

/** Rows between two lines of progress. */
const progressEvery = 100;

export const runImportUsers: Run = async (args) => {
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
