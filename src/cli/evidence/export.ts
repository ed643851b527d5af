import { readConfig } from "#machine/config/config";
import { parseOptions, print, type Run, say, UsageError } from "../command.ts";
import { checkFiguresFile } from "../kit/figures-file.ts";
import { openToRead } from "../kit/store/open-to-read.ts";
import { findTenant } from "../kit/store/tenant.ts";
import { describeExport } from "./describe-export.ts";
import { exportBundleFile } from "./export-bundle.ts";
import { writeExport } from "./write-export.ts";

export const runExportEvidence: Run = async (args) => {
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
};
