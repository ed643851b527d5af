import type { SqlDialect } from "./sql-dialect.ts";

/**
 * Callbacks of the older flow of pension clearing. `settled_at` is null while an attempt is to come; partial
 * indexes on it hold few rows. `sealed` holds URL and hash until then. `log` is the JSON list of the
 * attempts.
 */
export const clearingCallbacks = ({ text, int, bytes, end }: SqlDialect): readonly string[] => [
  `create table clearing_callbacks (
    tenant_id ${text} not null references tenants, id ${text} not null,
    environment ${text} not null check (environment in ('live', 'test')),
    state ${text} not null check (state in ('due', 'delivered', 'failed')),
    failures ${int} not null, log ${text} not null, created_at ${int} not null, settled_at ${int}, sealed ${bytes},
    attempts ${int} not null, leased_by ${text}, leased_until ${int}, lone_deaths ${int},
    primary key (tenant_id, id),
    check ((settled_at is null) = (state = 'due')), check ((sealed is null) = (state <> 'due')) ${end}`,
  "create index clearing_callbacks_listed on clearing_callbacks (tenant_id, environment, created_at, id)",
  "create index clearing_callbacks_age on clearing_callbacks (tenant_id, created_at)",
  "create index clearing_callbacks_settled on clearing_callbacks (tenant_id, settled_at)",
  "create index clearing_callbacks_due on clearing_callbacks (created_at, id) where settled_at is null",
  "create index clearing_callbacks_leased on clearing_callbacks (leased_until) where leased_by is not null",
  `create index clearing_callbacks_suspects on clearing_callbacks (lone_deaths, created_at, id)
    where settled_at is null and lone_deaths is not null`,
];
