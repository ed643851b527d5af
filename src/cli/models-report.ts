import type { Store } from "#storage/store";
import { readConfig } from "../config.ts";
import { makeShadowReports } from "../open-models.ts";
import { openStore } from "../open-storage.ts";
import { opening, parseOptions, print, printTable, say, UsageError } from "./command.ts";
import { findDeployment } from "./first-start.ts";
import { findTenant } from "./tenant.ts";

const daysDefault = 30;

const legend = [
  "distance: mean of how far apart the two values of live were, 0 to 1, over the pictures compared with a deciding network;",
  "disagree: pictures that one of the two took for live (0.5 or more) and the other not; the last two columns: pictures",
  "answered Live that the one looking on took for an attack, and pictures answered NoLive that it took for live.",
];

/** `idem models report`: what looked on against what decided, over the stored calls of a tenant. */
export const reportModels = async (args: readonly string[]): Promise<number> => {
  const { values } = parseOptions(args, {
    tenant: { type: "string" },
    days: { type: "string", default: String(daysDefault) },
    json: { type: "boolean", default: false },
  });
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1 || days > 3650) throw new UsageError("--days takes 1 to 3650");
  const { store, close } = await opening(openStore(await findDeployment(readConfig())));
  try {
    const tenant = await findTenant(store, values.tenant);
    const { calls, reports } = await addUp(store, tenant.id, new Date(Date.now() - days * 86_400_000));
    say(`${calls} calls of tenant "${tenant.name}" in ${days} days.`);
    if (values.json) {
      print(JSON.stringify(reports, null, 2));
      return 0;
    }
    if (reports.length === 0) {
      say("No model looked on: idem models shadow NAME");
      return 0;
    }
    const rows = reports.map((one) => [
      one.models,
      String(one.pictures),
      String(one.compared),
      one.compared === 0 ? "-" : one.meanDistance.toFixed(3),
      String(one.disagreements),
      String(one.liveAgainst),
      String(one.attackAgainst),
    ]);
    const head = [
      "looked on",
      "pictures",
      "compared",
      "distance",
      "disagree",
      "Live, it: attack",
      "NoLive, it: live",
    ];
    printTable([head, ...rows]);
    legend.forEach(say);
    return 0;
  } finally {
    await close();
  }
};

const addUp = async (store: Store, tenantId: string, since: Date) => {
  const sums = makeShadowReports();
  let calls = 0;
  let after: string | undefined;
  for (;;) {
    const page = await store.listTransactions(tenantId, since, after);
    page.forEach(sums.add);
    calls += page.length;
    after = page.at(-1)?.id;
    if (after === undefined) return { calls, reports: sums.reports() };
  }
};
