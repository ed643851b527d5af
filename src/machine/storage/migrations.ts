import { clearingCallbacks } from "./callback-tables.ts";
import { captures } from "./capture-tables.ts";
import { clearingTokens } from "./clearing-token-tables.ts";
import { storeDamage } from "./damage-tables.ts";
import { oneShots } from "./one-shot-tables.ts";
import { operations, webhooks } from "./operation-tables.ts";
import { userReferences } from "./reference-tables.ts";
import { registryPersons } from "./registry-tables.ts";
import { rightsSeals, sealsOfImagesAndDeliveries } from "./rights-tables.ts";
import { signedDocuments } from "./signing-tables.ts";
import type { SqlDialect } from "./sql-dialect.ts";
import { clearingTransfers } from "./transfer-tables.ts";
import { verifications } from "./verification-tables.ts";

export type Migration = {
  readonly version: number;
  readonly name: string;
  readonly statements: (dialect: SqlDialect) => readonly string[];
};

/**
 * The migrations that were written by hand: the tables of the first releases, and each change of a table. A
 * new table brings its own (`create-table.ts`). Forward only: a released migration is never edited; the next
 * migration corrects it. The tenant leads every primary key, so the tables can later be partitioned by
 * tenant. The few unique indexes that do not start with it serve look-ups that do not know the tenant yet (a
 * key's hash, a data key's id).
 */
export const writtenMigrations: readonly Migration[] = [
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
  { version: 18, name: "signed documents", statements: (dialect) => signedDocuments(dialect) },
  { version: 19, name: "registry persons", statements: (dialect) => registryPersons(dialect) },
  { version: 20, name: "clearing tokens", statements: (dialect) => clearingTokens(dialect) },
  { version: 21, name: "clearing transfers", statements: (dialect) => clearingTransfers(dialect) },
  { version: 22, name: "clearing callbacks", statements: (dialect) => clearingCallbacks(dialect) },
  { version: 23, name: "capture sessions", statements: (dialect) => captures(dialect) },
  { version: 24, name: "verifications", statements: (dialect) => verifications(dialect) },
  { version: 25, name: "references of users", statements: (dialect) => userReferences(dialect) },
  // Answers of earlier releases may hold secrets, and have no owner: none of them is given to a retry.
  {
    version: 26,
    name: "owners of retries",
    statements: ({ text }) => [
      `alter table api_keys add column lineage ${text}`,
      `alter table idempotent_calls add column owner ${text}`,
      "update idempotent_calls set sealed_answer = null where sealed_answer is not null",
    ],
  },
  {
    version: 27,
    name: "receivers that are gone",
    statements: ({ int }) => [`alter table destinations add column gone_since ${int}`],
  },
  { version: 28, name: "damage of the store", statements: (dialect) => storeDamage(dialect) },
  { version: 29, name: "seals of rows that give a right", statements: (dialect) => rightsSeals(dialect) },
  {
    version: 30,
    name: "seals of images and deliveries",
    statements: (dialect) => sealsOfImagesAndDeliveries(dialect),
  },
  { version: 31, name: "one-shots in place of callbacks", statements: (dialect) => oneShots(dialect) },
];

/** Both indexes hold few rows: what is leased now, and what a process held when it died. */
const loneDeaths = ({ int }: SqlDialect): readonly string[] => [
  `alter table validations add column lone_deaths ${int}`,
  "create index validations_leased on validations (leased_until) where leased_by is not null",
  `create index validations_suspects on validations (lone_deaths, created_at, id)
    where status = 'PENDING' and lone_deaths is not null`,
];

/**
 * Rows of earlier releases hold their measurements in plain: `sealed_measurements` is null until the tidying
 * has sealed them. An index by age serves each retention.
 */
const retention = ({ bytes }: SqlDialect): readonly string[] => [
  `alter table transactions add column sealed_measurements ${bytes}`,
  "create index transactions_plain on transactions (tenant_id, id) where sealed_measurements is null",
  "create index transactions_age on transactions (tenant_id, at, id)",
  "create index validations_age on validations (tenant_id, decided_at, id) where decided_at is not null",
];

/**
 * The chain keeps the hash of a body, and the body stands beside it, where it can be removed. Entries of
 * earlier releases have no such hash: their own hash covers the body itself.
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
