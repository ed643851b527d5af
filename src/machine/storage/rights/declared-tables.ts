/** Which tables give a right, by their names in the database. A test compares the list with the tables of a migrated store. */

/** A table whose rows give a right, name a receiver of data, or take a right away. */
export type RightTable = {
  readonly kind: "right";
  /** The primary key. The seal covers it. */
  readonly key: readonly string[];
  /** Further columns that the seal covers. */
  readonly covers: readonly string[];
  /** Columns beside the seal, each with the reason. They change without a right. */
  readonly beside: Readonly<Record<string, string>>;
  /** It has rows of each call: the watch compares it once a day, and the reads that decide compare their own rows. */
  readonly isLarge?: true;
};

/** A table whose rows have no seal of their own, with the reason. */
export type OtherTable = {
  /**
   * sealed: what counts in the row is encrypted under a key of the tenant and bound to its place and environment, so it cannot be made without the
   * master key. record: the row gives no right. open: a change of the row can matter, and no seal covers it.
   */
  readonly kind: "sealed" | "record" | "open";
  readonly reason: string;
};

const counters = "state of deliveries, which the service changes often; it stops or delays deliveries alone";

const attempted =
  "progress of the delivery, which each attempt changes; it repeats, delays or loses a delivery, and adds none";

/** Tables whose rows have a seal, in the order in which a first start seals them. */
export const rightTables = {
  tenants: { kind: "right", key: ["id"], covers: ["name", "created_at", "default_country"], beside: {} },
  api_keys: {
    kind: "right",
    key: ["tenant_id", "id"],
    covers: ["hash", "name", "environment", "scopes", "created_at", "expires_at", "revoked_at", "lineage"],
    beside: { last_used_at: "written every few seconds, and no decision reads it" },
  },
  destinations: {
    kind: "right",
    key: ["tenant_id", "id"],
    covers: [
      "environment",
      "name",
      "state",
      "topics",
      "sealed_settings",
      "created_at",
      "changed_at",
      "revision",
      "former_until",
    ],
    beside: {
      state_reason: "words beside the state",
      is_ordered: "the order of deliveries to the same receiver",
      in_flight_max: "the speed of deliveries",
      failing_since: counters,
      gone_since: counters,
      last_success_at: counters,
      warned: counters,
      blocked_until: counters,
    },
  },
  clearing_credentials: {
    kind: "right",
    key: ["tenant_id", "environment"],
    covers: ["user_name", "password_hash", "changed_at"],
    beside: {},
  },
  clearing_tokens: {
    kind: "right",
    key: ["tenant_id", "hash"],
    covers: [
      "environment",
      "transaction_id",
      "validation_id",
      "issued_by",
      "same_person_by",
      "created_at",
      "expires_at",
      "uses",
      "uses_max",
    ],
    beside: {},
  },
  capture_tokens: { kind: "right", key: ["hash"], covers: ["tenant_id", "session_id", "holder"], beside: {} },
  blocked_faces: {
    kind: "right",
    key: ["tenant_id", "id"],
    covers: [
      "environment",
      "key_id",
      "data_key_id",
      "recogniser",
      "wrapped_key",
      "sealed_transform",
      "sealed_template",
      "sealed_note",
      "blocked_at",
    ],
    beside: {},
  },
  listed_documents: {
    kind: "right",
    key: ["tenant_id", "id"],
    covers: ["environment", "number", "sealed_note", "listed_at"],
    beside: {},
  },
  evidence_heads: { kind: "right", key: ["tenant_id"], covers: ["seq", "hash"], beside: {} },
  assets: {
    kind: "right",
    key: ["tenant_id", "id"],
    covers: ["environment", "operation_id", "type", "blob_id", "created_at", "revoked_at"],
    beside: {},
    isLarge: true,
  },
  deliveries: {
    kind: "right",
    key: ["tenant_id", "destination_id", "event_id"],
    covers: ["operation_id", "sequence", "event_at", "created_at"],
    beside: {
      state: attempted,
      attempts: attempted,
      failures: attempted,
      is_manual: attempted,
      due_at: attempted,
      done_at: attempted,
      leased_by: attempted,
      leased_until: attempted,
    },
    isLarge: true,
  },
} as const satisfies Readonly<Record<string, RightTable>>;

/** The name of a table whose rows have a seal. */
export type RightTableName = keyof typeof rightTables;

export const isRightTable = (name: string): name is RightTableName => Object.hasOwn(rightTables, name);

/** The names of all tables whose rows have a seal, in the order of their declaration. */
export const tableNames: readonly RightTableName[] = Object.keys(rightTables).filter(isRightTable);

const declared: Readonly<Record<RightTableName, RightTable>> = rightTables;

/** The tables that the watch compares once an hour: those that grow with every call are left to the daily comparison. */
export const smallTables: readonly RightTableName[] = tableNames.filter(
  (table) => declared[table].isLarge !== true,
);

const underTenant =
  "its content is encrypted under a key of the tenant and bound to the id and the environment of the row";

/** All other tables of the store. */
export const otherTables: Readonly<Record<string, OtherTable>> = {
  migrations: { kind: "record", reason: "the versions of the tables; a changed one stops the start" },
  keys: {
    kind: "sealed",
    reason: "data keys are wrapped under the master key, and bound to their id, tenant and purpose",
  },
  secrets: { kind: "sealed", reason: "encrypted under a key of their name, derived from the master key" },
  transactions: { kind: "sealed", reason: `a record; ${underTenant}, and evidence names the call` },
  token_uses: {
    kind: "open",
    reason: "a removed row lets a used token be sent again, within the ten minutes or so that tokens live",
  },
  scrubs: { kind: "record", reason: "the place of the round that compares stored objects" },
  damaged_blobs: { kind: "record", reason: "what that round found; a read compares an object itself" },
  blobs: { kind: "sealed", reason: "a record of an object, whose bytes are encrypted and bound to its id" },
  validations: {
    kind: "open",
    reason: `${underTenant}; the state beside it (status, decision, waits_since) decides what an answer shows`,
  },
  validation_blobs: { kind: "record", reason: "names objects for their removal" },
  document_claims: {
    kind: "open",
    reason: "joins a document number to a customer by keyed hashes; a removed row hides a second customer",
  },
  velocity_events: {
    kind: "open",
    reason: "counts uses of a document by keyed hashes; a removed row lowers a count",
  },
  reviews: {
    kind: "open",
    reason:
      "who claimed and proposed stands in plain beside the sealed proposal; the decision writes evidence",
  },
  users: {
    kind: "open",
    reason:
      "the template is encrypted and bound to the user and the environment; a pause, a disabling and the count of failures are beside it in plain",
  },
  user_references: {
    kind: "sealed",
    reason: "the template is encrypted and bound to the user and the user's environment",
  },
  evidence: { kind: "sealed", reason: "a chain of hashes, whose end has a seal (evidence_heads)" },
  evidence_bodies: { kind: "sealed", reason: "the chain holds the hash of each body" },
  evidence_anchors: { kind: "sealed", reason: "tokens that a time-stamping authority signed" },
  rate_buckets: { kind: "record", reason: "a limit of load, which every restart of the database empties" },
  idempotent_calls: {
    kind: "sealed",
    reason:
      "the answer is encrypted and bound to its call, whose name is a keyed hash of the environment too",
  },
  operations: {
    kind: "open",
    reason:
      "a record; its end is in the evidence, its state stands in plain; the customer is encrypted and bound to it and the environment",
  },
  operation_steps: {
    kind: "record",
    reason:
      "a record of calls; the tracking token is encrypted and bound to the operation and the environment",
  },
  events: { kind: "sealed", reason: underTenant },
  destination_tokens: {
    kind: "sealed",
    reason: "the OAuth token is encrypted and bound to its destination and the environment",
  },
  delivery_attempts: { kind: "record", reason: "a log of attempts that no decision reads" },
  signed_documents: { kind: "record", reason: "the documents carry their own signatures" },
  registry_persons: { kind: "sealed", reason: underTenant },
  registry_photos: { kind: "sealed", reason: underTenant },
  clearing_transfers: { kind: "sealed", reason: underTenant },
  one_shots: { kind: "sealed", reason: underTenant },
  capture_sessions: {
    kind: "open",
    reason:
      "its content is encrypted and bound to the session and the environment; state and end stand in plain, and a later end serves the holder of its token alone",
  },
  capture_failures: { kind: "open", reason: "a pause after refused captures; a removed row ends it early" },
  verifications: {
    kind: "open",
    reason: `${underTenant}; its state beside it decides when the job goes on`,
  },
};
