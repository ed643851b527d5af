import { dirname, resolve } from "node:path";
import { openUserImport } from "#app/user-import";
import { opening, print, say } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { withTenant } from "../kit/store/with-tenant.ts";
import type * as words from "./import.command.ts";
import { type ImportCounts, importRows, type RowRefusal, reasonTexts } from "./import-rows.ts";
import { listedRows } from "./listed-rows.ts";

/** Rows between two lines of progress. */
const progressEvery = 100;

export const importUsers: Work<typeof words.importUsers> = ({ csv, environment, tenant: name, ...values }) =>
  withTenant(name, async ({ tenant, config, ...storage }) => {
    const users = await opening(openUserImport(storage, config, { tenantId: tenant.id, environment }));
    try {
      const counts = await importRows(listedRows(csv), {
        ...users,
        ...reporting(values.json),
        root: resolve(values.root ?? dirname(csv)),
        imageBytesMax: config.images.bytesMax,
      });
      report(counts, values.json);
      return counts.refused === 0 ? 0 : 1;
    } finally {
      await users.close();
    }
  });

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
