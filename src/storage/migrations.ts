/** What the two databases call the same thing. */
export type ColumnWords = {
  readonly text: string;
  readonly int: string;
  readonly bytes: string;
  /** Ends a table: SQLite checks column types only when asked. */
  readonly end: string;
  /** Refuses every change but INSERT on a table. */
  readonly appendOnly: (table: string) => readonly string[];
};

export type Migration = {
  readonly version: number;
  readonly name: string;
  readonly statements: (words: ColumnWords) => readonly string[];
};

export const sqliteWords: ColumnWords = {
  text: "text",
  int: "integer",
  bytes: "blob",
  end: ") strict, without rowid",
  appendOnly: (table) =>
    ["update", "delete"].map(
      (change) => `create trigger ${table}_no_${change} before ${change} on ${table}
        begin select raise(abort, '${table} is append-only'); end`,
    ),
};

export const postgresWords: ColumnWords = {
  // Byte order, as in SQLite, whatever the language of the server.
  text: 'text collate "C"',
  int: "bigint",
  bytes: "bytea",
  end: ")",
  appendOnly: (table) => [
    `create function ${table}_refuse() returns trigger language plpgsql as
      $$ begin raise exception '${table} is append-only'; end $$`,
    `create trigger ${table}_no_change before update or delete or truncate on ${table}
      for each statement execute function ${table}_refuse()`,
  ],
};

/**
 * Forward only: a migration that was released is never edited, the next one corrects it. The tenant leads every
 * primary key, so that tables can later be partitioned by tenant; the few unique indexes that do not start with it
 * answer look-ups that cannot know the tenant yet (a key's hash, a data key's id).
 */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: "first tables",
    statements: (words) => [...directory(words), ...work(words), ...proof(words)],
  },
  {
    version: 2,
    name: "blobs by age, secrets",
    statements: ({ text, bytes, end }) => [
      // Of the deployment, so that no tenant leads the key.
      `create table secrets (name ${text} primary key, sealed ${bytes} not null ${end}`,
      "create index blobs_age on blobs (created_at)",
      "create index validation_blobs_blob on validation_blobs (tenant_id, blob_id)",
    ],
  },
  { version: 3, name: "people", statements: (words) => people(words) },
  // Of the deployment: the operator calls tenants by name.
  {
    version: 4,
    name: "tenant names",
    statements: () => ["create unique index tenants_name on tenants (name)"],
  },
  { version: 5, name: "blocked faces", statements: (words) => blockedFaces(words) },
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
  { version: 7, name: "resubmissions and reviews", statements: (words) => decisions(words) },
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
];

/** Decisions that were made before this are sealed in their records: they wait for nothing and open no review. */
const decisions = ({ text, int, bytes, end }: ColumnWords): readonly string[] => [
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

const directory = ({ text, int, bytes, end }: ColumnWords): readonly string[] => [
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
  // Two processes that meet a new tenant at once cannot both create its key: one insert loses and reads again.
  "create unique index keys_active on keys (tenant_id, purpose) where destroyed_at is null",
];

const work = ({ text, int, bytes, end }: ColumnWords): readonly string[] => [
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
  // Holds undecided rows only, so taking the oldest costs the same however many are decided.
  "create index validations_due on validations (created_at, id) where status = 'PENDING'",
  `create table validation_blobs (
    tenant_id ${text} not null, validation_id ${text} not null, blob_id ${text} not null,
    primary key (tenant_id, validation_id, blob_id),
    foreign key (tenant_id, validation_id) references validations (tenant_id, id),
    foreign key (tenant_id, blob_id) references blobs (tenant_id, id) ${end}`,
];

const people = ({ text, int, bytes, end }: ColumnWords): readonly string[] => [
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

const blockedFaces = ({ text, int, bytes, end }: ColumnWords): readonly string[] => [
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

const proof = ({ text, int, end, appendOnly }: ColumnWords): readonly string[] => [
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
