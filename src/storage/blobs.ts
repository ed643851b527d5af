/**
 * Encrypted objects of a tenant. `put` resolves only when the bytes are durable; the row that names the blob is
 * written after it (a sweeper removes blobs that no row names). Reading checks the authentication tag: `get` fails with `not_found` or
 * `stored_damaged` where no later try can do better, and as the place that keeps the bytes does where one may.
 */
export type Blobs = {
  readonly put: (
    tenantId: string,
    bytes: Uint8Array,
  ) => Promise<{ readonly id: string; readonly bytes: number }>;
  readonly get: (tenantId: string, id: string) => Promise<Uint8Array>;
  readonly remove: (tenantId: string, id: string) => Promise<void>;
};

/** What a data key is for; bound into every ciphertext as additional data. */
export type Purpose = "images" | "documents" | "templates" | "secrets";

/**
 * Envelope encryption: master key → data key per tenant and purpose → AES-256-GCM with key id, tenant, purpose and
 * `context` (what the bytes belong to, for instance a row's id) as additional data. `open` needs the same three
 * words; it fails with `not_found` when the data key was destroyed and with `stored_damaged` on changed or foreign bytes.
 */
export type Keyring = {
  readonly seal: (
    tenantId: string,
    purpose: Purpose,
    plain: Uint8Array,
    context?: string,
  ) => Promise<Uint8Array>;
  readonly open: (
    tenantId: string,
    purpose: Purpose,
    sealed: Uint8Array,
    context?: string,
  ) => Promise<Uint8Array>;
  /**
   * A name that stands for `text` in this tenant: 64 hex characters, the same as long as the data key lives, from which
   * nobody without the key can tell the text (HMAC-SHA-256 under a key derived from the data key).
   */
  readonly pseudonym: (tenantId: string, purpose: Purpose, text: string) => Promise<string>;
  /** Id of the data key that sealed these bytes, as its row has it. */
  readonly dataKeyIdOf: (sealed: Uint8Array) => string;
};
