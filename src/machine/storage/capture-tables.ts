import type { SqlDialect } from "./sql-dialect.ts";

/**
 * Capture sessions. `sealed` holds the page, the person and the steps; `blob_ids` names its objects. A token
 * is stored as its hash and finds its session without knowing the tenant. `subject` of a refusal is a keyed
 * hash of a person or an address.
 */
export const captures = ({ text, int, bytes, end }: SqlDialect): readonly string[] => [
  `create table capture_sessions (
    tenant_id ${text} not null references tenants, id ${text} not null,
    environment ${text} not null check (environment in ('live', 'test')),
    key_id ${text} not null, operation_id ${text} not null,
    state ${text} not null check (state in ('OPEN', 'COMPLETED', 'FAILED', 'EXPIRED', 'CANCELLED')),
    revision ${int} not null, created_at ${int} not null, expires_at ${int} not null,
    sealed ${bytes} not null, blob_ids ${text} not null, primary key (tenant_id, id) ${end}`,
  "create index capture_sessions_age on capture_sessions (tenant_id, created_at)",
  "create index capture_sessions_open on capture_sessions (expires_at) where state = 'OPEN'",
  `create table capture_tokens (
    hash ${text} primary key, tenant_id ${text} not null, session_id ${text} not null,
    holder ${text} not null check (holder in ('page', 'handoff')),
    foreign key (tenant_id, session_id) references capture_sessions (tenant_id, id) ${end}`,
  "create index capture_tokens_session on capture_tokens (tenant_id, session_id)",
  `create table capture_failures (
    tenant_id ${text} not null references tenants, id ${text} not null, subject ${text} not null, at ${int} not null,
    primary key (tenant_id, id) ${end}`,
  "create index capture_failures_subject on capture_failures (tenant_id, subject, at)",
  "create index capture_failures_age on capture_failures (tenant_id, at)",
];
