import { makeShadowReports } from "#app/evaluation";
import { readConfig } from "#machine/config/config";
import type { TransactionRecord } from "#record/transactions/record";
import type { TransactionCommands } from "#record/transactions/store/transaction-store";
import { parseOptions, print, printTable, say, UsageError } from "../command.ts";
import { findDeployment } from "../kit/store/deployment.ts";
import { openCommandStorage } from "../kit/store/reach-store.ts";
import { findTenant } from "../kit/store/tenant.ts";
import { wayOut } from "../kit/store/way-out.ts";

const daysDefault = 30;

const legend = [
  "distance: mean difference of the two live scores, 0 to 1, over the images compared with a deciding network;",
  "disagree: images that only one of the two scored live (0.5 or more); the last two columns: images",
  "answered Live that the shadow model scored as an attack, and images answered NoLive that it scored live.",
];

/**
 * Runs `idem models report`: shadow models against the deciding models, over the stored calls of a tenant.
 */
export const reportModels = async (args: readonly string[]): Promise<number> => {
  const { values } = parseOptions(args, {
    tenant: { type: "string" },
    days: { type: "string", default: String(daysDefault) },
    json: { type: "boolean", default: false },
  });
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1 || days > 3650) throw new UsageError("Set --days to 1 to 3650");
  const { store, close } = await openCommandStorage(await findDeployment(readConfig()), wayOut.copy);
  try {
    const tenant = await findTenant(store, values.tenant);
    const { calls, reports } = await addUp(store, tenant.id, new Date(Date.now() - days * 86_400_000));
    say(`${calls} calls of tenant "${tenant.name}" in ${days} days.`);
    if (values.json) {
      print(JSON.stringify(reports, null, 2));
      return 0;
    }
    if (reports.length === 0) {
      say("No model ran in shadow mode. Start one: idem models shadow NAME");
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
      "shadow model",
      "images",
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

const addUp = async (store: Pick<TransactionCommands, "listTransactions">, tenantId: string, since: Date) => {
  const sums = makeShadowReports();
  let calls = 0;
  let after: TransactionRecord | undefined;
  for (;;) {
    const page = await store.listTransactions(tenantId, since, after);
    page.forEach(sums.add);
    calls += page.length;
    after = page.at(-1);
    if (after === undefined) return { calls, reports: sums.reports() };
  }
};
