import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Sealer } from "./key-store.ts";

const nonceBytes = 12;
const tagBytes = 16;

const standardAdvice =
  "Set that master key as IDEM_MASTER_KEY or IDEM_MASTER_KEY_PREVIOUS; a development start keeps its key in IDEM_DATA, in the file development-master.key.";

/**
 * Seals the deployment's own secrets, which belong to no tenant, under a key derived (RFC 5869) from the
 * master key: AES-256-GCM, nonce ‖ ciphertext ‖ tag. Opens secrets of the previous master key and reports
 * them as stale. `advice` ends the error of a secret that neither key opens.
 */
export const makeMasterSealer = (
  master: Uint8Array,
  previous?: Uint8Array,
  advice = standardAdvice,
): Sealer => {
  const current = derive(master);
  const former = previous && derive(previous);
  return {
    seal: async (plain) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", current, nonce);
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    },
    open: async (sealed) => {
      const plain = tryOpen(current, sealed);
      if (plain !== undefined) {
        return { plain, isStale: false };
      }
      const old = former && tryOpen(former, sealed);
      if (old === undefined) {
        throw new Error(
          `The token keys in the store were sealed under another master key, or are damaged. ${advice}`,
        );
      }
      return { plain: old, isStale: true };
    },
  };
};

const derive = (master: Uint8Array): Buffer =>
  Buffer.from(hkdfSync("sha256", master, new Uint8Array(), "idem token keys v1", 32));

const tryOpen = (key: Buffer, sealed: Uint8Array): Uint8Array | undefined => {
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    const body = sealed.subarray(nonceBytes, sealed.length - tagBytes);
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch {
    // Another key's secret, or a changed one: the caller reports both with one message.
    return undefined;
  }
};
