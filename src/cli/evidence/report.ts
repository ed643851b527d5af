import type { RightsFault } from "#app/rights";
import type { EvidenceReport } from "#record/transactions/verify-evidence";
import { print, printTable, say } from "../command.ts";

/** The result for one tenant. */
export type TenantReport = EvidenceReport & {
  readonly tenantId: string;
  readonly tenant?: string;
  /** Heads that were kept outside of the store or the export, with which the chain was compared. */
  readonly headsCompared: number;
};

/** The rows that give a right. */
export type RightsReport = {
  /** False without the master key: then nothing shows a row that was changed together with its entry. */
  readonly isSealCompared: boolean;
  readonly faultCount: number;
  readonly faults: readonly RightsFault[];
};

const timeOf = (at: number): string => {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? "unknown time" : time.toISOString();
};

const anchorOf = ({ anchors: { newest } }: TenantReport): string =>
  newest === undefined
    ? "none"
    : `entry ${newest.seq}, ${timeOf(newest.at)}${newest.isTrusted ? "" : ", signer not checked"}`;

const countOf = (faults: number): string => `${faults} ${faults === 1 ? "fault" : "faults"}`;

/** Prints the reports, each fault with its place. Returns the exit code: 0 where every chain is whole. */
export const printReports = (
  reports: readonly TenantReport[],
  isJson: boolean,
  rights?: RightsReport,
): number => {
  const faultCount = reports.reduce((sum, report) => sum + report.faultCount, rights?.faultCount ?? 0);
  if (isJson) {
    const isWhole = faultCount === 0;
    print(JSON.stringify({ isWhole, faultCount, tenants: reports, ...(rights && { rights }) }));
    return faultCount === 0 ? 0 : 1;
  }
  const rows = reports.map((report) => [
    report.tenant ?? report.tenantId,
    String(report.entries),
    String(report.lastSeq),
    report.headHash,
    String(report.bodiesRemoved),
    String(report.headsCompared),
    anchorOf(report),
    report.faultCount === 0 ? "whole" : countOf(report.faultCount),
  ]);
  printTable([
    ["tenant", "entries", "last entry", "head", "bodies removed", "heads", "time-stamp", "result"],
    ...rows,
  ]);
  for (const { tenant, tenantId, faults, faultCount: count } of reports) {
    for (const { seq, field, finding } of faults) {
      print(`${tenant ?? tenantId}, entry ${seq}, ${field}: ${finding}`);
    }
    if (count > faults.length) print(`${tenant ?? tenantId}: ${count - faults.length} more faults`);
  }
  for (const { tenant, place, fault, repair } of rights?.faults ?? []) {
    print(`${tenant}, ${place}: ${fault}. ${repair}`);
  }
  // A removed key of the seals is a fault of its own, and its line is printed above.
  const isKeyLost = rights?.faults.some(({ place }) => place.startsWith("secrets ")) === true;
  if (rights?.isSealCompared === false && !isKeyLost) {
    say(
      "Without the master key the seals were not compared: a chain that was rewritten to its end, and rows that were changed with it, are found only by heads that were kept elsewhere. Set IDEM_MASTER_KEY.",
    );
  }
  for (const { tenant, tenantId, placeOnly } of reports.filter((report) => report.placeOnly > 0)) {
    say(
      `${tenant ?? tenantId}: of ${placeOnly} entries of an earlier release the body was removed. Only their place in the chain was checked.`,
    );
  }
  return faultCount === 0 ? 0 : 1;
};
