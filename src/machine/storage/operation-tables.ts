/** Tables of operations, their events and webhooks, for migrations 16 and 17. */
import type { SqlDialect } from "./sql-dialect.ts";

/**
 * Every table leads with the tenant. `events` holds what webhooks send; `sealed_data` and the other sealed
 * columns are under the tenant's key.
 */
export const operations = ({ text, int, bytes, end }: SqlDialect): readonly string[] => {
  const environment = `environment ${text} not null check (environment in ('live', 'test'))`;
  return [
    "drop table outbox",
    `create table operations (
      tenant_id ${text} not null references tenants, ${environment}, id ${text} not null, state ${text} not null,
      opened_at ${int} not null, expires_at ${int} not null, ended_at ${int}, ended_by ${text}, reason ${text}, family ${text},
      customer_hash ${text}, sealed_customer ${bytes}, last_sequence ${int} not null,
      primary key (tenant_id, environment, id), check ((state = 'open') = (ended_at is null)) ${end}`,
    "create index operations_due on operations (expires_at) where state = 'open'",
    "create index operations_listed on operations (tenant_id, environment, opened_at, id)",
    "create index operations_state on operations (tenant_id, environment, state, opened_at, id)",
    `create index operations_customer on operations (tenant_id, environment, customer_hash, opened_at, id)
      where customer_hash is not null`,
    "create index operations_age on operations (tenant_id, ended_at) where ended_at is not null",
    `create table operation_steps (
      tenant_id ${text} not null, ${environment}, operation_id ${text} not null, transaction_id ${text} not null,
      endpoint ${text} not null, at ${int} not null, extra_hash ${text}, sealed_extra ${bytes},
      primary key (tenant_id, environment, operation_id, transaction_id),
      foreign key (tenant_id, environment, operation_id) references operations (tenant_id, environment, id) ${end}`,
    `create index operation_steps_extra on operation_steps (tenant_id, environment, extra_hash, at)
      where extra_hash is not null`,
    `create table events (
      tenant_id ${text} not null, id ${text} not null, ${environment}, operation_id ${text} not null,
      sequence ${int} not null, name ${text} not null, at ${int} not null, sealed_data ${bytes} not null,
      primary key (tenant_id, id),
      foreign key (tenant_id, environment, operation_id) references operations (tenant_id, environment, id) ${end}`,
    "create unique index events_sequence on events (tenant_id, environment, operation_id, sequence)",
    "create index events_age on events (tenant_id, at, id)",
    `create table assets (
      tenant_id ${text} not null, id ${text} not null, ${environment}, operation_id ${text} not null,
      type ${text} not null, blob_id ${text} not null, created_at ${int} not null, revoked_at ${int},
      primary key (tenant_id, id),
      foreign key (tenant_id, environment, operation_id) references operations (tenant_id, environment, id),
      foreign key (tenant_id, blob_id) references blobs (tenant_id, id) ${end}`,
    // A link names no tenant.
    "create unique index assets_id on assets (id)",
    "create index assets_operation on assets (tenant_id, environment, operation_id)",
    "create index assets_blob on assets (tenant_id, blob_id)",
    "create index assets_age on assets (tenant_id, created_at)",
  ];
};

/**
 * `sealed_settings` holds URL, headers and secrets of a destination, `sealed_token` its current OAuth token.
 * A delivery is one event for one destination, and its row is the job.
 */
export const webhooks = ({ text, int, bytes, end }: SqlDialect): readonly string[] => [
  `create table destinations (
    tenant_id ${text} not null references tenants, id ${text} not null,
    environment ${text} not null check (environment in ('live', 'test')), name ${text} not null,
    state ${text} not null check (state in ('active', 'paused', 'disabled', 'removed')), state_reason ${text},
    topics ${text} not null, is_ordered ${int} not null, in_flight_max ${int}, sealed_settings ${bytes} not null,
    revision ${int} not null, created_at ${int} not null, changed_at ${int} not null,
    former_until ${int},
    failing_since ${int}, last_success_at ${int}, warned ${int} not null, blocked_until ${int},
    primary key (tenant_id, id) ${end}`,
  "create index destinations_of on destinations (tenant_id, environment, state)",
  "create index destinations_former on destinations (former_until) where former_until is not null",
  `create table destination_tokens (
    tenant_id ${text} not null, destination_id ${text} not null, serial ${int} not null, revision ${int} not null,
    sealed_token ${bytes}, refresh_at ${int} not null, expires_at ${int} not null,
    leased_by ${text}, leased_until ${int} not null,
    primary key (tenant_id, destination_id),
    foreign key (tenant_id, destination_id) references destinations (tenant_id, id) ${end}`,
  `create table deliveries (
    tenant_id ${text} not null, destination_id ${text} not null, event_id ${text} not null,
    operation_id ${text} not null, sequence ${int} not null, event_at ${int} not null,
    state ${text} not null check (state in ('due', 'held', 'delivered', 'failed')),
    attempts ${int} not null, failures ${int} not null, is_manual ${int} not null, due_at ${int} not null,
    created_at ${int} not null, done_at ${int}, leased_by ${text}, leased_until ${int},
    primary key (tenant_id, destination_id, event_id),
    foreign key (tenant_id, destination_id) references destinations (tenant_id, id),
    foreign key (tenant_id, event_id) references events (tenant_id, id) ${end}`,
  // Hold undelivered rows only, so that taking the oldest costs the same with any number of delivered ones.
  "create index deliveries_due on deliveries (tenant_id, destination_id, due_at, event_id) where state = 'due'",
  "create index deliveries_leased on deliveries (leased_until) where leased_by is not null",
  `create index deliveries_kept on deliveries (tenant_id, destination_id, state, event_at, event_id)
    where state in ('held', 'failed')`,
  `create index deliveries_sequence on deliveries (tenant_id, destination_id, operation_id, sequence)
    where done_at is null`,
  "create index deliveries_event on deliveries (tenant_id, event_id)",
  "create index deliveries_listed on deliveries (tenant_id, destination_id, event_at, event_id)",
  `create table delivery_attempts (
    tenant_id ${text} not null, destination_id ${text} not null, event_id ${text} not null, attempt ${int} not null,
    at ${int} not null, outcome ${text} not null, status ${int}, decision ${text} not null, next_at ${int},
    address ${text}, timings ${text} not null, sealed_answer ${bytes}, reason ${text},
    primary key (tenant_id, destination_id, event_id, attempt),
    foreign key (tenant_id, destination_id, event_id) references deliveries (tenant_id, destination_id, event_id)
    ${end}`,
];
