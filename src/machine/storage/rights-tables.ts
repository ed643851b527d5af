import type { SqlDialect } from "./sql-dialect.ts";

const sealed = [
  "tenants",
  "api_keys",
  "destinations",
  "clearing_credentials",
  "clearing_tokens",
  "capture_tokens",
  "blocked_faces",
  "listed_documents",
];

/**
 * A seal for each row that gives a right, null in rows of earlier releases until a start seals them.
 * `evidence_heads` holds the last entry of each chain, so that an entry that was appended or cut off is
 * found.
 */
export const rightsSeals = ({ text, int, bytes, end }: SqlDialect): readonly string[] => [
  `create table evidence_heads (
    tenant_id ${text} not null primary key references tenants, seq ${int} not null, hash ${text} not null,
    seal ${bytes} ${end}`,
  ...sealed.map((table) => `alter table ${table} add column seal ${bytes}`),
];

/**
 * The seal of a kept image binds it to its operation and object. The seal of a delivery states that the
 * fan-out made it.
 */
export const sealsOfImagesAndDeliveries = ({ bytes }: SqlDialect): readonly string[] =>
  ["assets", "deliveries"].map((table) => `alter table ${table} add column seal ${bytes}`);
