import { createHash } from "node:crypto";

/**
 * The key that wraps all data keys: 32 bytes kept outside the store. `id` names the key without revealing it.
 */
export type MasterKey = { readonly id: string; readonly bytes: Uint8Array };

/** 8 bytes of SHA-256, in hex: enough to distinguish two masters, useless for guessing the key. */
export const masterKeyOf = (bytes: Uint8Array): MasterKey => {
  if (bytes.length !== 32) {
    throw new Error(`A master key has 32 bytes, this one has ${bytes.length}`);
  }
  const id = createHash("sha256").update("idem master key").update(bytes).digest("hex").slice(0, 16);
  return { id, bytes };
};
