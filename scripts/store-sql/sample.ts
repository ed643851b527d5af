// Columns and arguments with which every command runs to its end.

const time = 1_790_000_000_000;
/** In JSON form: a command copies a column of bytes into its own array. */
const bytes = [1];

const columns = {
  tenant_id: "tenant",
  id: "id",
  name: "name",
  pseudonym: "pseudonym",
  key_id: "key",
  data_key_id: "data key",
  master_id: "master",
  purpose: "images",
  wrapped: bytes,
  hash: "hash",
  scopes: "[]",
  environment: "test",
  created_at: time,
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  destroyed_at: null,
  at: time,
  kind: "kind",
  body: "{}",
  seq: 1,
  salt: "",
  body_at: time,
  body_hash: "hash",
  prev_hash: "hash",
  authority: "tsa.example",
  token: bytes,
  result: "{}",
  measurements: "null",
  sealed_measurements: bytes,
  models: "{}",
  token_hashes: "[]",
  calls: "liveness",
  operation: null,
  open_until: time,
  default_country: null,
  state: "open",
  last_sequence: 1,
  validation_id: "id",
  blob_id: "blob",
  version: 2,
  status: "DONE",
  decided_at: null,
  lone_deaths: null,
  sealed: bytes,
  sealed_input: bytes,
  sealed_record: null,
  sealed_session: null,
  sealed_note: bytes,
  sealed_proposal: null,
  sealed_transform: bytes,
  sealed_template: bytes,
  wrapped_key: bytes,
  attempts: 1,
  attempt: 1,
  decision: null,
  waits_since: null,
  opened_at: time,
  claimed_by: null,
  claimed_until: null,
  proposed_by: null,
  revision: 1,
  recogniser: "recogniser",
  enrolled_at: time,
  renewed_at: time,
  failures: 0,
  paused_until: null,
  disabled_at: null,
  blocked_at: time,
  listed_at: time,
  number: "number",
  customer: "customer",
  full_at: time,
  seconds: time / 1000,
  request: "request",
  transaction_id: "transaction",
  claimed_at: time,
  leased_until: 0,
  sealed_answer: null,
  n: 1,
  state_reason: null,
  topics: "[]",
  is_ordered: 0,
  sealed_settings: bytes,
  changed_at: time,
  former_until: null,
  failing_since: null,
  last_success_at: null,
  warned: 0,
  blocked_until: null,
  serial: 0,
  refresh_at: 0,
  sealed_token: null,
  leased_by: null,
};

/**
 * A row that fits every query, as JSON: each column that a command reads, with a value that lets the command
 * continue.
 */
export const sampleRow = JSON.stringify(columns);

export const at = new Date(time);
export const until = new Date(time + 60_000);
export const noStep = { evidence: [] };
export const someBytes = new Uint8Array(bytes);
export const blob = { id: "blob", tenantId: "tenant", kind: "front", bytes: 1, createdAt: at };

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
export const claim = { number: "number", customer: "customer", seen: [] };
