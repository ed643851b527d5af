import type { SqlDialect } from "./sql-dialect.ts";

/**
 * Verifications. `settled_at` is null while the job of a verification has work; a partial index on it holds
 * few rows. `sealed` holds what was asked and what was found; `blob_ids` names the images until the end.
 * `waits_for` is the capture session or the document validation whose end lets the job go on.
 */
export const verifications = ({ text, int, bytes, end }: SqlDialect): readonly string[] => [
  `create table verifications (
    tenant_id ${text} not null references tenants, id ${text} not null,
    environment ${text} not null check (environment in ('live', 'test')),
    key_id ${text} not null, operation_id ${text} not null, state ${text} not null, revision ${int} not null,
    created_at ${int} not null, settled_at ${int}, waits_for ${text},
    sealed ${bytes} not null, blob_ids ${text} not null,
    attempts ${int} not null, leased_by ${text}, leased_until ${int}, lone_deaths ${int},
    primary key (tenant_id, id),
    check ((settled_at is null) = (state in ('AWAITING_CAPTURE', 'PROCESSING', 'IN_REVIEW'))) ${end}`,
  "create index verifications_age on verifications (tenant_id, created_at)",
  "create index verifications_waiting on verifications (tenant_id, waits_for) where waits_for is not null",
  "create index verifications_due on verifications (created_at, id) where settled_at is null",
  "create index verifications_leased on verifications (leased_until) where leased_by is not null",
  `create index verifications_suspects on verifications (lone_deaths, created_at, id)
    where settled_at is null and lone_deaths is not null`,
];
