/** The different words of the two databases for the same column types and rules. */
export type SqlDialect = {
  readonly text: string;
  readonly int: string;
  readonly bytes: string;
  /** Before 'table', for rows that may be lost in a crash: PostgreSQL then writes no log and waits for no disk. */
  readonly unlogged: string;
  /** Ends a table definition: SQLite checks column types only when asked. */
  readonly end: string;
  /** Refuses every change but INSERT on a table. */
  readonly appendOnly: (table: string) => readonly string[];
  /** Ends that refusal, for a migration that replaces the table. */
  readonly liftAppendOnly: (table: string) => readonly string[];
  /** Refuses to change a row. Rows may be added and removed. */
  readonly unchanging: (table: string) => readonly string[];
};

export type Migration = {
  readonly version: number;
  readonly name: string;
  readonly statements: (dialect: SqlDialect) => readonly string[];
};

export const sqliteDialect: SqlDialect = {
  text: "text",
  int: "integer",
  bytes: "blob",
  unlogged: "",
  end: ") strict, without rowid",
  appendOnly: (table) =>
    ["update", "delete"].map(
      (change) => `create trigger ${table}_no_${change} before ${change} on ${table}
        begin select raise(abort, '${table} is append-only'); end`,
    ),
  liftAppendOnly: (table) => ["update", "delete"].map((change) => `drop trigger ${table}_no_${change}`),
  unchanging: (table) => [
    `create trigger ${table}_no_update before update on ${table}
      begin select raise(abort, '${table} rows do not change'); end`,
  ],
};

export const postgresDialect: SqlDialect = {
  // Byte order, as in SQLite, independent of the server's locale.
  text: 'text collate "C"',
  int: "bigint",
  bytes: "bytea",
  unlogged: "unlogged ",
  end: ")",
  appendOnly: (table) => [
    `create function ${table}_refuse() returns trigger language plpgsql as
      $$ begin raise exception '${table} is append-only'; end $$`,
    `create trigger ${table}_no_change before update or delete or truncate on ${table}
      for each statement execute function ${table}_refuse()`,
  ],
  liftAppendOnly: (table) => [
    `drop trigger ${table}_no_change on ${table}`,
    `drop function ${table}_refuse()`,
  ],
  unchanging: (table) => [
    `create function ${table}_refuse() returns trigger language plpgsql as
      $$ begin raise exception '${table} rows do not change'; end $$`,
    `create trigger ${table}_no_change before update or truncate on ${table}
      for each statement execute function ${table}_refuse()`,
  ],
};

/**
 * Forward only: a released migration is never edited; the next migration corrects it. The tenant leads every
 * primary key, so the tables can later be partitioned by tenant. The few unique indexes that do not start
 * with it serve look-ups that do not know the tenant yet (a key's hash, a data key's id).
 */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: "first tables",
    statements: (dialect) => [...directory(dialect), ...work(dialect), ...proof(dialect)],
  },
  {
    version: 2,
    name: "blobs by age, secrets",
    statements: ({ text, bytes, end }) => [
      // Belongs to the deployment, so no tenant leads the key.
      `create table secrets (name ${text} primary key, sealed ${bytes} not null ${end}`,
      "create index blobs_age on blobs (created_at)",
      "create index validation_blobs_blob on validation_blobs (tenant_id, blob_id)",
    ],
  },
  { version: 3, name: "people", statements: (dialect) => users(dialect) },
  // Belongs to the deployment: the operator calls tenants by name.
  {
    version: 4,
    name: "tenant names",
    statements: () => ["create unique index tenants_name on tenants (name)"],
  },
  { version: 5, name: "blocked faces", statements: (dialect) => blockedFaces(dialect) },
  {
    version: 6,
    name: "document claims",
    statements: ({ text, int, end }) => [
      `create table document_claims (
        tenant_id ${text} not null references tenants, number ${text} not null, customer ${text} not null,
        claimed_at ${int} not null, primary key (tenant_id, number, customer) ${end}`,
      "create index document_claims_age on document_claims (claimed_at)",
    ],
  },
  { version: 7, name: "resubmissions and reviews", statements: (dialect) => decisions(dialect) },
  {
    version: 8,
    name: "documents met before",
    statements: ({ text, int, bytes, end }) => [
      `create table listed_documents (
        tenant_id ${text} not null references tenants, id ${text} not null,
        world ${text} not null check (world in ('live', 'test')), number ${text} not null,
        sealed_note ${bytes} not null, listed_at ${int} not null, primary key (tenant_id, id) ${end}`,
      "create unique index listed_documents_number on listed_documents (tenant_id, number)",
      `create table document_sightings (
        tenant_id ${text} not null references tenants, hash ${text} not null, validation_id ${text} not null,
        attempt ${int} not null, seen_at ${int} not null,
        primary key (tenant_id, hash, validation_id, attempt) ${end}`,
      "create index document_sightings_hash on document_sightings (tenant_id, hash, seen_at)",
      "create index document_sightings_age on document_sightings (seen_at)",
    ],
  },
  {
    version: 9,
    name: "sessions of providers outside",
    statements: ({ bytes }) => [`alter table validations add column sealed_session ${bytes}`],
  },
  // The terms of docs/glossary.md. Both databases rename the columns in indexes, checks and triggers too.
  {
    version: 10,
    name: "glossary terms",
    statements: () => [
      "alter table people rename to users",
      "alter table document_sightings rename to velocity_events",
      ...[
        "api_keys",
        "transactions",
        "validations",
        "users",
        "blocked_faces",
        "listed_documents",
        "reviews",
      ].map((table) => `alter table ${table} rename column world to environment`),
    ],
  },
  { version: 11, name: "lone deaths of jobs", statements: (dialect) => loneDeaths(dialect) },
  {
    version: 12,
    name: "sealed measurements, evidence bodies",
    statements: (dialect) => [...retention(dialect), ...evidenceBodies(dialect)],
  },
  // After a crash of the database server every bucket is full again.
  {
    version: 13,
    name: "rate buckets",
    statements: ({ text, int, unlogged, end }) => [
      `create ${unlogged}table rate_buckets (
        tenant_id ${text} not null references tenants, key_id ${text} not null, full_at ${int} not null,
        primary key (tenant_id, key_id) ${end}`,
    ],
  },
  {
    version: 14,
    name: "idempotent calls",
    statements: ({ text, int, bytes, end }) => [
      `create table idempotent_calls (
        tenant_id ${text} not null references tenants, name ${text} not null, request ${text} not null,
        transaction_id ${text} not null, claimed_at ${int} not null, leased_until ${int} not null,
        sealed_answer ${bytes}, primary key (tenant_id, name) ${end}`,
      "create index idempotent_calls_age on idempotent_calls (claimed_at)",
    ],
  },
  // A use of an earlier release has no calls: it shares its token with no other call.
  {
    version: 15,
    name: "token uses of one operation, country of a tenant",
    statements: ({ text, int }) => [
      `alter table tenants add column default_country ${text}`,
      `alter table token_uses add column calls ${text} not null default ''`,
      `alter table token_uses add column environment ${text} check (environment in ('live', 'test'))`,
      `alter table token_uses add column operation ${text}`,
      `alter table token_uses add column open_until ${int}`,
    ],
  },
  // No release wrote to the outbox.
  { version: 16, name: "operations and their events", statements: (dialect) => operations(dialect) },
  { version: 17, name: "webhooks", statements: (dialect) => webhooks(dialect) },
];

/**
 * `sealed_settings` holds URL, headers and secrets of a destination, `sealed_token` its current OAuth token. A delivery
 * is one event for one destination, and its row is the job.
 */
const webhooks = ({ text, int, bytes, end }: SqlDialect): readonly string[] => [
  `create table destinations (
    tenant_id ${text} not null references tenants, id ${text} not null,
    environment ${text} not null check (environment in ('live', 'test')), name ${text} not null,
    state ${text} not null check (state in ('active', 'paused', 'disabled', 'removed')), state_reason ${text},
    topics ${text} not null, is_ordered ${int} not null, sealed_settings ${bytes} not null,
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
    where state in ('due', 'held')`,
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

/**
 * Every table leads with the tenant. `events` holds what webhooks send; `sealed_data` and the other sealed columns are
 * under the tenant's key.
 */
const operations = ({ text, int, bytes, end }: SqlDialect): readonly string[] => {
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

/** Both indexes hold few rows: what is leased now, and what a process held when it died. */
const loneDeaths = ({ int }: SqlDialect): readonly string[] => [
  `alter table validations add column lone_deaths ${int}`,
  "create index validations_leased on validations (leased_until) where leased_by is not null",
  `create index validations_suspects on validations (lone_deaths, created_at, id)
    where status = 'PENDING' and lone_deaths is not null`,
];

/**
 * Rows of earlier releases hold their measurements in plain: `sealed_measurements` is null until the tidying has
 * sealed them. An index by age serves each retention.
 */
const retention = ({ bytes }: SqlDialect): readonly string[] => [
  `alter table transactions add column sealed_measurements ${bytes}`,
  "create index transactions_plain on transactions (tenant_id, id) where sealed_measurements is null",
  "create index transactions_age on transactions (tenant_id, at, id)",
  "create index validations_age on validations (tenant_id, decided_at, id) where decided_at is not null",
];

/**
 * The chain keeps the hash of a body, and the body stands beside it, where it can be removed. Entries of earlier
 * releases have no such hash: their own hash covers the body itself.
 */
const evidenceBodies = ({ text, int, bytes, end, ...dialect }: SqlDialect): readonly string[] => [
  ...dialect.liftAppendOnly("evidence"),
  "alter table evidence rename to former_evidence",
  `create table evidence (
    tenant_id ${text} not null references tenants, seq ${int} not null, id ${text} not null, kind ${text} not null,
    at ${int} not null, body_hash ${text}, prev_hash ${text} not null, hash ${text} not null,
    primary key (tenant_id, seq) ${end}`,
  `insert into evidence (tenant_id, seq, id, kind, at, prev_hash, hash)
    select tenant_id, seq, id, kind, at, prev_hash, hash from former_evidence`,
  `create table evidence_bodies (
    tenant_id ${text} not null, seq ${int} not null, at ${int} not null, salt ${text} not null, body ${text} not null,
    primary key (tenant_id, seq), foreign key (tenant_id, seq) references evidence (tenant_id, seq) ${end}`,
  `insert into evidence_bodies (tenant_id, seq, at, salt, body)
    select tenant_id, seq, at, '', body from former_evidence`,
  "drop table former_evidence",
  "create unique index evidence_id on evidence (tenant_id, id)",
  "create index evidence_bodies_age on evidence_bodies (tenant_id, at, seq)",
  ...dialect.appendOnly("evidence"),
  ...dialect.unchanging("evidence_bodies"),
  `create table evidence_anchors (
    tenant_id ${text} not null references tenants, seq ${int} not null, hash ${text} not null, at ${int} not null,
    authority ${text} not null, token ${bytes} not null, primary key (tenant_id, seq) ${end}`,
  ...dialect.appendOnly("evidence_anchors"),
];

/** Earlier decisions are sealed in their records: such validations wait for nothing and open no review. */
const decisions = ({ text, int, bytes, end }: SqlDialect): readonly string[] => [
  `alter table validations add column attempt ${int} not null default 1`,
  `alter table validations add column revision ${int} not null default 0`,
  `alter table validations add column decision ${text}`,
  `alter table validations add column waits_since ${int}`,
  `alter table validations add column chain ${text}`,
  "create index validations_waiting on validations (waits_since) where waits_since is not null",
  "create index validations_chain on validations (tenant_id, chain, waits_since) where waits_since is not null",
  `create table reviews (
    tenant_id ${text} not null, validation_id ${text} not null,
    world ${text} not null check (world in ('live', 'test')), opened_at ${int} not null,
    claimed_by ${text}, claimed_until ${int}, proposed_by ${text}, sealed_proposal ${bytes},
    primary key (tenant_id, validation_id),
    foreign key (tenant_id, validation_id) references validations (tenant_id, id) ${end}`,
  "create index reviews_oldest on reviews (tenant_id, world, opened_at, validation_id)",
];

const directory = ({ text, int, bytes, end }: SqlDialect): readonly string[] => [
  `create table tenants (id ${text} primary key, name ${text} not null, created_at ${int} not null ${end}`,
  `create table api_keys (
    tenant_id ${text} not null references tenants, id ${text} not null, hash ${text} not null, name ${text} not null,
    world ${text} not null check (world in ('live', 'test')), scopes ${text} not null,
    created_at ${int} not null, expires_at ${int}, revoked_at ${int}, last_used_at ${int},
    primary key (tenant_id, id) ${end}`,
  "create unique index api_keys_hash on api_keys (hash)",
  "create unique index api_keys_id on api_keys (id)",
  `create table keys (
    tenant_id ${text} not null references tenants, id ${text} not null, purpose ${text} not null,
    master_id ${text} not null, wrapped ${bytes}, created_at ${int} not null, destroyed_at ${int},
    primary key (tenant_id, id), check ((wrapped is null) = (destroyed_at is not null)) ${end}`,
  "create unique index keys_id on keys (id)",
  // Two processes that see a new tenant at once cannot both create its key: one insert fails and reads again.
  "create unique index keys_active on keys (tenant_id, purpose) where destroyed_at is null",
];

const work = ({ text, int, bytes, end }: SqlDialect): readonly string[] => [
  `create table transactions (
    tenant_id ${text} not null references tenants, id ${text} not null, key_id ${text} not null,
    world ${text} not null check (world in ('live', 'test')), endpoint ${text} not null, at ${int} not null,
    result ${text} not null, measurements ${text} not null, policy_version ${text} not null,
    models ${text} not null, token_hashes ${text} not null,
    primary key (tenant_id, id) ${end}`,
  `create table token_uses (
    tenant_id ${text} not null references tenants, hash ${text} not null, expires_at ${int} not null,
    primary key (tenant_id, hash) ${end}`,
  "create index token_uses_expiry on token_uses (expires_at)",
  `create table blobs (
    tenant_id ${text} not null references tenants, id ${text} not null, kind ${text} not null,
    bytes ${int} not null, created_at ${int} not null,
    primary key (tenant_id, id) ${end}`,
  `create table validations (
    tenant_id ${text} not null references tenants, id ${text} not null,
    world ${text} not null check (world in ('live', 'test')), version ${int} not null,
    status ${text} not null check (status in ('PENDING', 'DONE', 'FAILED')),
    created_at ${int} not null, decided_at ${int}, sealed_input ${bytes} not null, sealed_record ${bytes},
    attempts ${int} not null, leased_by ${text}, leased_until ${int},
    primary key (tenant_id, id), check ((status = 'PENDING') = (decided_at is null)) ${end}`,
  // Holds undecided rows only, so the cost of taking the oldest does not grow with the decided rows.
  "create index validations_due on validations (created_at, id) where status = 'PENDING'",
  `create table validation_blobs (
    tenant_id ${text} not null, validation_id ${text} not null, blob_id ${text} not null,
    primary key (tenant_id, validation_id, blob_id),
    foreign key (tenant_id, validation_id) references validations (tenant_id, id),
    foreign key (tenant_id, blob_id) references blobs (tenant_id, id) ${end}`,
];

const users = ({ text, int, bytes, end }: SqlDialect): readonly string[] => [
  `create table people (
    tenant_id ${text} not null references tenants, pseudonym ${text} not null, id ${text} not null,
    world ${text} not null check (world in ('live', 'test')), revision ${int} not null,
    key_id ${text} not null, data_key_id ${text} not null, recogniser ${text} not null,
    wrapped_key ${bytes} not null, sealed_transform ${bytes} not null, sealed_template ${bytes} not null,
    enrolled_at ${int} not null, renewed_at ${int} not null,
    failures ${int} not null, paused_until ${int}, disabled_at ${int},
    primary key (tenant_id, pseudonym),
    foreign key (tenant_id, data_key_id) references keys (tenant_id, id) ${end}`,
  "create unique index people_id on people (tenant_id, id)",
  "create index people_data_key on people (tenant_id, data_key_id)",
];

const blockedFaces = ({ text, int, bytes, end }: SqlDialect): readonly string[] => [
  `create table blocked_faces (
    tenant_id ${text} not null references tenants, id ${text} not null,
    world ${text} not null check (world in ('live', 'test')),
    key_id ${text} not null, data_key_id ${text} not null, recogniser ${text} not null,
    wrapped_key ${bytes} not null, sealed_transform ${bytes} not null, sealed_template ${bytes} not null,
    sealed_note ${bytes} not null, blocked_at ${int} not null,
    primary key (tenant_id, id),
    foreign key (tenant_id, data_key_id) references keys (tenant_id, id) ${end}`,
  "create index blocked_faces_data_key on blocked_faces (tenant_id, data_key_id)",
];

const proof = ({ text, int, end, appendOnly }: SqlDialect): readonly string[] => [
  `create table outbox (
    tenant_id ${text} not null references tenants, id ${text} not null, type ${text} not null,
    at ${int} not null, body ${text} not null,
    primary key (tenant_id, id) ${end}`,
  `create table evidence (
    tenant_id ${text} not null references tenants, seq ${int} not null, id ${text} not null, kind ${text} not null,
    at ${int} not null, body ${text} not null, prev_hash ${text} not null, hash ${text} not null,
    primary key (tenant_id, seq) ${end}`,
  "create unique index evidence_id on evidence (tenant_id, id)",
  ...appendOnly("evidence"),
];
