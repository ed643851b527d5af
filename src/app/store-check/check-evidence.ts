import { readHeads } from "#record/transactions/head-file";
import { anchorsAfter, knownHeadOf, linksAfter } from "#record/transactions/read-chain";
import type { KnownHead } from "#record/transactions/verify-chain";
import { verifyEvidence } from "#record/transactions/verify-evidence";
import type { Roots } from "#trust/timestamps/trust";
import { verifyToken } from "#trust/timestamps/verify-token";
import type { EvidenceReads } from "../storage.ts";
import type { Repairs } from "./repairs.ts";
import type { StoreCheck } from "./store-check.ts";

export type EvidenceCheckDeps = {
  readonly store: EvidenceReads;
  /** The file of heads of the deployment; absent for a copy, which may be older than its last heads. */
  readonly headFile?: string | undefined;
  readonly roots?: Roots | undefined;
  readonly repairs: Repairs;
};

/** The chain of each tenant, its bodies and time-stamps, and the heads that the data directory keeps. */
export const checkEvidence = ({ store, headFile, roots, repairs }: EvidenceCheckDeps): StoreCheck => ({
  part: "evidence",
  run: async (sink) => {
    const heads = headFile === undefined ? new Map() : await groupHeads(headFile);
    const tenants = [...new Set([...(await store.listTenants()).map(({ id }) => id), ...heads.keys()])];
    for (const [at, tenant] of tenants.entries()) {
      sink.progress(at, tenants.length);
      const report = await verifyEvidence(
        {
          anchors: anchorsAfter(store, tenant),
          links: linksAfter(store, tenant),
          heads: heads.get(tenant) ?? [],
        },
        (token, hash) => verifyToken(token, hash, roots),
      );
      sink.checked(report.entries);
      for (const { seq, field, finding } of report.faults) {
        const place = `entry ${seq}, ${field}`;
        sink.fault({ tenant, place, fault: finding, repair: repairs.evidence, isLasting: true });
      }
      if (report.faultCount > report.faults.length) {
        sink.remark(`${report.faultCount - report.faults.length} more faults in the chain of ${tenant}`);
      }
    }
    sink.progress(tenants.length, tenants.length);
  },
});

const groupHeads = async (path: string): Promise<ReadonlyMap<string, readonly KnownHead[]>> => {
  const heads = new Map<string, KnownHead[]>();
  for await (const line of readHeads(path)) {
    const own = heads.get(line.tenantId) ?? [];
    own.push(knownHeadOf(line, `the head in ${path}`));
    heads.set(line.tenantId, own);
  }
  return heads;
};
