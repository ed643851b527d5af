import { openSqliteStoreToRead } from "../store.ts";
import { checkRights } from "./check-rights.ts";
import { type PartReport, runChecks } from "./store-check.ts";
import { type CheckedConfig, readyOf } from "./verify-store.ts";

/**
 * Checks the rights in a copy of an embedded store alone. One of another release is not compared, and the
 * report states it.
 */
export const checkCopiedRights = async (config: CheckedConfig, file: string): Promise<PartReport> => {
  const opened = await openSqliteStoreToRead(file).catch(() => undefined);
  if (opened === undefined) {
    const remark = "The store is of another release than this program: its rights were not compared.";
    return { part: "rights", checked: 0, faultCount: 0, faults: [], remarks: [remark] };
  }
  try {
    const check = checkRights({ store: opened.store, ready: readyOf(config) });
    const [report] = await runChecks([check], () => undefined);
    if (report === undefined) throw new Error("A check has no report");
    return report;
  } finally {
    await opened.close();
  }
};
