/**
 * Encrypted objects of a tenant. `put` resolves only when the bytes are durable; the row that names the blob is
 * written after it (a sweeper removes blobs that no row names). Reading checks the authentication tag.
 */
export type Blobs = {
  readonly put: (tenantId: string, kind: string, bytes: Uint8Array) => Promise<{ readonly id: string; readonly bytes: number }>;
  readonly get: (tenantId: string, id: string) => Promise<Uint8Array>;
  readonly remove: (tenantId: string, id: string) => Promise<void>;
};

/** What a data key is for; bound into every ciphertext as additional data. */
export type Purpose = "images" | "documents" | "templates" | "secrets";

/** Envelope encryption: master key → data key per tenant and purpose → AES-256-GCM with key id and purpose as AAD. */
export type Keyring = {
  readonly seal: (tenantId: string, purpose: Purpose, plain: Uint8Array) => Promise<Uint8Array>;
  readonly open: (tenantId: string, purpose: Purpose, sealed: Uint8Array) => Promise<Uint8Array>;
};
