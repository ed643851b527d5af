import type { EvidenceCommands } from "#record/transactions/store/evidence-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, someBytes } from "#support/storage/sql-sample";

const anchor = {
  tenantId: "tenant",
  seq: 1,
  hash: "hash",
  at: at.getTime(),
  authority: "tsa.example",
  token: someBytes,
};

export const page = sqlPage<EvidenceCommands>("record/transactions/store/evidence-store", {
  recordEvidence: [{ args: ["tenant", [{ id: "evidence", kind: "kind", at, body: null }]] }],
  listChainHeads: [{ args: [] }],
  listLinks: [{ args: ["tenant", 0] }],
  listAnchors: [{ args: ["tenant", 0] }],
  listNewestAnchors: [{ args: [] }],
  insertAnchor: [{ args: [anchor] }],
  removeBodies: [{ args: ["tenant", at, { id: "evidence", at }] }],
});
