import type { SqlDialect } from "./sql-dialect.ts";

/**
 * One-shots: one message to one receiver each, with the callbacks of earlier releases. `settled_at` is null
 * while an attempt is to come; partial indexes on it hold few rows. `sealed` holds URL and secret until then.
 * `log` is the JSON list of the attempts, in which earlier releases named the reported status `said`. The
 * rename comes first: on PostgreSQL it waits for every writer of the former table, and refuses later ones.
 */
export const oneShots = ({ text, int, bytes, end, witnesses }: SqlDialect): readonly string[] => [
  "alter table clearing_callbacks rename to former_callbacks",
  `create table one_shots (
    tenant_id ${text} not null references tenants, id ${text} not null,
    environment ${text} not null check (environment in ('live', 'test')),
    state ${text} not null check (state in ('due', 'delivered', 'failed')),
    failures ${int} not null, log ${text} not null, created_at ${int} not null, settled_at ${int}, sealed ${bytes},
    attempts ${int} not null, leased_by ${text}, leased_until ${int}, lone_deaths ${int},
    primary key (tenant_id, id),
    check ((settled_at is null) = (state = 'due')), check ((sealed is null) = (state <> 'due')) ${end}`,
  `insert into one_shots (tenant_id, id, environment, state, failures, log, created_at, settled_at, sealed,
      attempts, leased_by, leased_until, lone_deaths)
    select tenant_id, id, environment, state, failures, replace(log, '"said":', '"reportedStatus":'),
      created_at, settled_at, sealed, attempts, leased_by, leased_until, lone_deaths
    from former_callbacks`,
  "drop table former_callbacks",
  "create index one_shots_listed on one_shots (tenant_id, environment, created_at, id)",
  "create index one_shots_age on one_shots (tenant_id, created_at)",
  "create index one_shots_settled on one_shots (tenant_id, settled_at)",
  "create index one_shots_due on one_shots (created_at, id) where settled_at is null",
  "create index one_shots_leased on one_shots (leased_until) where leased_by is not null",
  `create index one_shots_suspects on one_shots (lone_deaths, created_at, id)
    where settled_at is null and lone_deaths is not null`,
  ...witnesses({
    one_shots: ["state", "failures", "log", "attempts", "leased_by", "leased_until", "lone_deaths"],
  }),
];
