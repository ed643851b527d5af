/**
 * Tables of calls, and of the chain of evidence with the tenants whose chains they are. Times are
 * milliseconds since 1970.
 */
import {
  bytes,
  defineTable,
  environment,
  int,
  orNull,
  sealed,
  text,
  underTenant,
} from "#machine/storage/table";

/** The row of a tenant, which is the lock of its chain. */
export const tenantTable = defineTable(
  "tenants",
  {
    id: text(),
    name: text(),
    createdAt: int(),
    defaultCountry: orNull(text()),
    seal: orNull(bytes("the check of rights")),
  },
  {
    key: ["id"],
    erase: { kept: "the tenant itself" },
    keep: { until: "for ever" },
    rights: "seal",
  },
);

/**
 * `seq` counts from 1 without gaps within a tenant; hashes are 64 hex characters. `bodyHash` is null in a row
 * of an earlier release.
 */
export const evidenceTable = defineTable(
  "evidence",
  {
    tenantId: text(),
    seq: int(),
    id: text(),
    kind: text(),
    at: int(),
    bodyHash: orNull(text()),
    prevHash: text(),
    hash: text(),
  },
  {
    key: ["tenantId", "seq"],
    erase: { kept: "the chain of hashes" },
    keep: { until: "for ever" },
    rights: { sealed: "a chain of hashes, whose end has a seal (evidence_heads)" },
  },
);

/** The body of an entry while it is kept: canonical JSON, and its salt in hex. `at` is that of the entry. */
export const evidenceBodyTable = defineTable(
  "evidenceBodies",
  { tenantId: text(), seq: int(), at: int(), salt: text(), body: text() },
  {
    key: ["tenantId", "seq"],
    erase: { goesBy: "the last part of an erasure, which leaves a receipt (removeBodies)" },
    keep: { until: "IDEM_EVIDENCE_DAYS: a task of the tidying that leaves a receipt" },
    rights: { sealed: "the chain holds the hash of each body" },
  },
);

/** Time-stamps over heads of chains. */
export const evidenceAnchorTable = defineTable(
  "evidenceAnchors",
  {
    tenantId: text(),
    seq: int(),
    hash: text(),
    at: int(),
    authority: text(),
    token: bytes("the check of anchors"),
  },
  {
    key: ["tenantId", "seq"],
    erase: { kept: "time-stamps over the chain" },
    keep: { until: "for ever" },
    rights: { sealed: "tokens that a time-stamping authority signed" },
  },
);

/** The sealed end of each chain: an entry that was appended or cut off is found. */
export const evidenceHeadTable = defineTable(
  "evidenceHeads",
  { tenantId: text(), seq: int(), hash: text(), seal: orNull(bytes("the check of rights")) },
  {
    key: ["tenantId"],
    erase: { kept: "the sealed end of the chain of hashes" },
    keep: { until: "for ever" },
    rights: "seal",
  },
);

/**
 * Answered calls. `measurements` is the JSON null, but in a row of an earlier release, whose
 * `sealedMeasurements` is null until the tidying has sealed them.
 */
export const transactionTable = defineTable(
  "transactions",
  {
    tenantId: text(),
    id: text(),
    keyId: text(),
    environment: environment(),
    endpoint: text(),
    at: int(),
    result: text(),
    measurements: text(),
    sealedMeasurements: orNull(sealed("measurements", "transaction {id}", { mayBeEmpty: true })),
    policyVersion: text(),
    models: text(),
    tokenHashes: text(),
  },
  {
    key: ["tenantId", "id"],
    erase: {
      kept: "results and random ids; measurements are sealed under destroyed keys, or removed",
    },
    keep: { for: "transactionsMs", by: "purgeTransactions" },
    rights: {
      sealed: `a record; ${underTenant}, and evidence names the call`,
    },
  },
);

/**
 * Used tokens. `calls`: kinds of calls, with commas; empty for one call that shares the token with no other.
 * `environment` is null in such a row, and `openUntil` in a row of an earlier release.
 */
export const tokenUseTable = defineTable(
  "tokenUses",
  {
    tenantId: text(),
    hash: text(),
    expiresAt: int(),
    calls: text(),
    environment: orNull(environment()),
    operation: orNull(text()),
    openUntil: orNull(int()),
  },
  {
    key: ["tenantId", "hash"],
    erase: { kept: "hashes of sealed tokens until their age: they keep a token from a second use" },
    keep: { for: "now", ofAllBy: "purgeTokenUses" },
    rights: {
      open: "a removed row lets a used token be sent again, within the ten minutes or so that tokens live",
    },
  },
);

/** The tables of the module. */
export const transactionTables = [
  tenantTable,
  evidenceTable,
  evidenceBodyTable,
  evidenceAnchorTable,
  evidenceHeadTable,
  transactionTable,
  tokenUseTable,
] as const;
