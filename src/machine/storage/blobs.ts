import type { Caller } from "#contract/endpoint";

/**
 * What `put` answers: all of it belongs to the row that names the blob. `sha256` is of the sealed object,
 * `dataKeyId` names its data key: no row is written whose object a destroyed key sealed.
 */
export type PutBlob = {
  readonly id: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly dataKeyId: string;
};

/**
 * Encrypted objects of a tenant; implemented by {@link makeBlobs}. `put` resolves only when the bytes are
 * durable; the caller writes the row that names the blob after that, and a sweeper removes blobs without a
 * row. `get` compares length and hash with the row, and checks the authentication tag. It fails with
 * `not_found` or `stored_damaged` if no retry can succeed, and with `stored_newer` or the failure of the
 * object store if a retry may.
 */
export type Blobs = {
  readonly put: (tenantId: string, bytes: Uint8Array) => Promise<PutBlob>;
  readonly get: (tenantId: string, id: string) => Promise<Uint8Array>;
  readonly remove: (tenantId: string, id: string) => Promise<void>;
};

/** The use of a data key; bound into every ciphertext as additional data. */
export type Purpose =
  | "images"
  | "documents"
  | "templates"
  | "measurements"
  | "answers"
  | "operations"
  | "authentications"
  | "registry"
  | "transfers"
  | "clearing"
  | "captures"
  | "verifications"
  | "secrets";

/** The owner of bytes in a row that has an environment. They open in that environment alone. */
export type BoundContext = { readonly owner: string; readonly environment: Caller["environment"] };

/**
 * The owner of sealed bytes, for instance a row's id. A text alone is for bytes without an environment, or
 * names it itself.
 */
export type SealContext = string | BoundContext;

/**
 * Envelope encryption, implemented by {@link makeKeyring}: master key → data key per tenant and purpose →
 * AES-256-GCM with key id, tenant, purpose and `context` (owner and environment) as additional data. `open`
 * needs the same tenant, purpose and context. Bytes that an earlier release sealed without the environment
 * open in each. It fails with `not_found` when the data key was destroyed, with `stored_damaged` on changed
 * or foreign bytes, and with `stored_newer` on bytes in a format of a later release.
 */
export type Keyring = {
  readonly seal: (
    tenantId: string,
    purpose: Purpose,
    plain: Uint8Array,
    context?: SealContext,
  ) => Promise<Uint8Array>;
  readonly open: (
    tenantId: string,
    purpose: Purpose,
    sealed: Uint8Array,
    context?: SealContext,
  ) => Promise<Uint8Array>;
  /**
   * A pseudonym for `text` in this tenant: 64 hex characters, the same for as long as the data key exists.
   * Without the key the text cannot be recovered (HMAC-SHA-256 under a key derived from the data key).
   */
  readonly pseudonym: (tenantId: string, purpose: Purpose, text: string) => Promise<string>;
  /**
   * A hash of `text` that only this tenant's key can make: 64 bytes, the same for as long as the data key
   * exists, also after a change of the master key (HMAC-SHA-512 under a key derived from the data key).
   */
  readonly keyedHash: (tenantId: string, purpose: Purpose, text: string) => Promise<Uint8Array>;
  /** Id of the data key that sealed these bytes, as in the key's row. */
  readonly dataKeyIdOf: (sealed: Uint8Array) => string;
};
