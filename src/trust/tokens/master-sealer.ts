import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Sealer } from "./key-store.ts";

const nonceBytes = 12;
const tagBytes = 16;

const standardAdvice =
  "Set that master key as IDEM_MASTER_KEY or IDEM_MASTER_KEY_PREVIOUS; a development start keeps its key in IDEM_DATA, in the file development-master.key.";

/** What a sealer opens, and how it refuses. */
export type MasterSealing = {
  /**
   * The name of the secret. Its key is derived for it alone, so that no secret opens in the place of another.
   */
  readonly name: string;
  readonly previous?: Uint8Array | undefined;
  /** Ends the error of a secret that no key opens. */
  readonly advice?: string | undefined;
};

const openFirst = (keys: readonly Uint8Array[], sealed: Uint8Array): Uint8Array | undefined => {
  for (const key of keys) {
    const plain = tryOpen(key, sealed);
    if (plain !== undefined) return plain;
  }
  return undefined;
};

/** The form of releases before the seals of rows: one key for all secrets. */
const formerInfo = "idem token keys v1";

/**
 * Seals a secret of the deployment, which belongs to no tenant, under a key derived (RFC 5869) from the
 * master key: AES-256-GCM, nonce ‖ ciphertext ‖ tag. Opens secrets of the previous master key and of the
 * former form, and reports them as stale.
 */
export const makeMasterSealer = (
  master: Uint8Array,
  { name, previous, advice = standardAdvice }: MasterSealing,
): Sealer & {
  /** Whether a release with seals of rows has sealed it: it marks a store that had a key of seals. */
  readonly isMarked: (sealed: Uint8Array) => boolean;
} => {
  const info = `idem secret v2 ${name}`;
  const masters = [master, ...(previous === undefined ? [] : [previous])];
  const current = derive(master, info);
  const marked = masters.map((key) => derive(key, info));
  const former = [...marked.slice(1), ...masters.map((key) => derive(key, formerInfo))];
  return {
    isMarked: (sealed) => openFirst(marked, sealed) !== undefined,
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
      const old = openFirst(former, sealed);
      if (old === undefined) {
        throw new Error(
          `The token keys in the store were sealed under another master key, or are damaged. ${advice}`,
        );
      }
      return { plain: old, isStale: true };
    },
  };
};

const derive = (master: Uint8Array, info: string): Buffer =>
  Buffer.from(hkdfSync("sha256", master, new Uint8Array(), info, 32));

const tryOpen = (key: Uint8Array, sealed: Uint8Array): Uint8Array | undefined => {
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
