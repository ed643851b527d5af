/**
 * Which tables give a right, by their names in the database. Every other table states in its own declaration
 * why its rows have no seal (`rights` of `../table.ts`). A test compares both with the tables of a migrated
 * store.
 */

/** A table whose rows give a right, name a receiver of data, or take a right away. */
export type RightTable = {
  readonly kind: "right";
  /** The primary key. The seal covers it. */
  readonly key: readonly string[];
  /** Further columns that the seal covers. */
  readonly covers: readonly string[];
  /** Columns beside the seal, each with the reason. They change without a right. */
  readonly beside: Readonly<Record<string, string>>;
  /**
   * It has rows of each call: the watch compares it once a day, and the reads that decide compare their own
   * rows.
   */
  readonly isLarge?: true;
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

/**
 * The tables that the watch compares once an hour: those that grow with every call are left to the daily
 * comparison.
 */
export const smallTables: readonly RightTableName[] = tableNames.filter(
  (table) => declared[table].isLarge !== true,
);
