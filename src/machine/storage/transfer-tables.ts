import type { SqlDialect } from "./sql-dialect.ts";

/**
 * Transfers through the clearing entity. `settled_at` is null while the job of a transfer has work; a partial
 * index on it holds few rows. `sealed` holds the affiliate, the request and the answers. `current_of` is the
 * transaction until the transfer is abandoned, so that a transaction has one transfer.
 */
export const clearingTransfers = ({ text, int, bytes, end }: SqlDialect): readonly string[] => [
  `create table clearing_transfers (
    tenant_id ${text} not null references tenants, id ${text} not null,
    environment ${text} not null check (environment in ('live', 'test')),
    transaction_id ${text} not null, current_of ${text}, state ${text} not null, reason ${text}, revision ${int} not null,
    created_at ${int} not null, changed_at ${int} not null, settled_at ${int}, waits_since ${int} not null,
    sealed ${bytes} not null, data_key_id ${text} not null,
    attempts ${int} not null, leased_by ${text}, leased_until ${int}, lone_deaths ${int},
    primary key (tenant_id, id),
    check ((settled_at is null) = (state in ('created', 'ticket-requested', 'ticket', 'token-requested'))) ${end}`,
  "create unique index clearing_transfers_once on clearing_transfers (tenant_id, environment, current_of)",
  "create index clearing_transfers_listed on clearing_transfers (tenant_id, environment, created_at, id)",
  "create index clearing_transfers_age on clearing_transfers (tenant_id, changed_at)",
  "create index clearing_transfers_due on clearing_transfers (created_at, id) where settled_at is null",
  "create index clearing_transfers_leased on clearing_transfers (leased_until) where leased_by is not null",
  `create index clearing_transfers_suspects on clearing_transfers (lone_deaths, created_at, id)
    where settled_at is null and lone_deaths is not null`,
];
