/** Columns and arguments with which every command runs to its end, for the pages of SQL. */
import { tables } from "#app/tables";
import { type Column, snakeOf } from "#machine/storage/table";

const time = 1_790_000_000_000;
/**
 * As long as the shortest sealed bytes, and in JSON form: a command copies a column of bytes into its own
 * array.
 */
const bytes = [1, ...Array.from({ length: 44 }, () => 0)];

/** Each column of each table: a text holds its own name, and null stands where it may. */
const declared = Object.fromEntries(
  tables.flatMap(({ columns }) =>
    Object.entries<Column>(columns).map(([name, { type, isNullable }]) => [
      snakeOf(name),
      isNullable ? null : { text: name, int: time, bytes }[type],
    ]),
  ),
);

/** The values that a command needs to go on, and columns that queries name. */
const needed = {
  tenant_id: "tenant",
  key_id: "key",
  data_key_id: "data key",
  master_id: "master",
  purpose: "images",
  wrapped: bytes,
  scopes: "[]",
  environment: "test",
  expires_at: null,
  body: "{}",
  seq: 1,
  salt: "",
  body_at: time,
  body_hash: "hash",
  prev_hash: "hash",
  authority: "tsa.example",
  result: "{}",
  log: "[]",
  measurements: "null",
  sealed_measurements: bytes,
  models: "{}",
  token_hashes: "[]",
  calls: "liveness",
  open_until: time,
  bytes: 1,
  sha256: "hash",
  level: "B-LTA",
  blob_ids: "blob",
  extended_at: time,
  provable_until: time,
  extend_at: time,
  country: "ECU",
  sealed_photo: bytes,
  rows: 1,
  state: "open",
  last_sequence: 1,
  validation_id: "id",
  blob_id: "blob",
  version: 2,
  status: "DONE",
  attempts: 1,
  attempt: 1,
  waits_since: null,
  revision: 1,
  failures: 0,
  seconds: time / 1000,
  owner: "key",
  transaction_id: "transaction",
  leased_until: 0,
  destination_id: "destination",
  event_id: "event",
  operation_id: "operation",
  sequence: 1,
  topics: '["*"]',
  is_ordered: 1,
  warned: 0,
  blocked_until: time,
  is_manual: 0,
  held_at: null,
  in_flight: 0,
  n: 1,
  outcome: "delivered",
  timings: "{}",
  serial: 0,
  refresh_at: 0,
  fault: "changed",
  after_tenant: "tenant",
  after_id: "blob",
  checked: 1,
  damaged: 0,
  completed_checked: 0,
  completed_damaged: 0,
};

/**
 * A row that fits every query, as JSON: each column that a command reads, with a value that lets the command
 * continue.
 */
export const sampleRow = JSON.stringify({ ...declared, ...needed });

export const at = new Date(time);
export const until = new Date(time + 60_000);
export const noStep = { evidence: [] };
export const someBytes = new Uint8Array(bytes);
export const blob = {
  id: "blob",
  tenantId: "tenant",
  kind: "front",
  bytes: 1,
  sha256: "hash",
  createdAt: at,
};

/** A lease of jobs that waits for nothing. */
export const jobLease = {
  worker: "worker",
  limit: 4,
  leaseMs: 45_000,
  now: at,
  isAlone: false,
  running: ["id"],
  endsLeases: true,
  deathsAllowed: 0,
  deathsMax: 3,
} as const;

export const transaction = {
  id: "transaction",
  tenantId: "tenant",
  keyId: "key",
  environment: "test",
  endpoint: "endpoint",
  at,
  result: {},
  sealedMeasurements: someBytes,
  policyVersion: "1",
  models: {},
  tokenHashes: [],
} as const;

export const token = {
  hash: "hash",
  expiresAt: until,
  shared: { call: "identity", environment: "test", at, openUntil: until },
} as const;
export const claim = { numberHash: "number", customerHash: "customer", seen: [] };
