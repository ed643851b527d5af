import type { SqlDialect } from "./sql-dialect.ts";

/**
 * Kept signed documents. `blob_ids` are the parts of a document in their order, with commas: the bytes as
 * they were signed, and then each revision. `extend_at` is null where nothing has to be extended; a lease
 * moves it forward.
 */
export const signedDocuments = ({ text, int, end }: SqlDialect): readonly string[] => [
  `create table signed_documents (
    tenant_id ${text} not null references tenants, id ${text} not null,
    environment ${text} not null check (environment in ('live', 'test')),
    created_at ${int} not null, bytes ${int} not null, sha256 ${text} not null, level ${text} not null,
    blob_ids ${text} not null, revision ${int} not null, extended_at ${int}, provable_until ${int}, extend_at ${int},
    primary key (tenant_id, id) ${end}`,
  "create index signed_documents_listed on signed_documents (tenant_id, environment, created_at, id)",
  "create index signed_documents_age on signed_documents (tenant_id, created_at)",
  "create index signed_documents_due on signed_documents (extend_at) where extend_at is not null",
];
