import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { Failure } from "#contract/failure";

/**
 * One format for wrapped data keys and sealed data: version (1 byte), key id (16 bytes), nonce (12),
 * ciphertext, tag (16). AES-256-GCM with random nonces (NIST SP 800-38D, 8.2.2); one key must not seal more
 * than 2^32 messages.
 */
const version = 1;
const idBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + idBytes + nonceBytes;

/** The encryption key: 32 bytes and its name (up to 32 hex characters), by which `open` finds it. */
export type BoxKey = { readonly id: string; readonly bytes: Uint8Array };

export const sealBox = (key: BoxKey, associated: readonly string[], plain: Uint8Array): Uint8Array => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce, { authTagLength: tagBytes });
  cipher.setAAD(bindingOf(key.id, associated));
  const head = Buffer.alloc(1 + idBytes);
  head.writeUInt8(version);
  head.write(key.id, 1, "hex");
  return new Uint8Array(
    Buffer.concat([head, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]),
  );
};

/** Length of what `sealBox` makes of this many plain bytes. */
export const sealedLengthOf = (plainBytes: number): number => headBytes + plainBytes + tagBytes;

/** Formats of later releases. Any other first byte is damage. */
const laterVersions = { min: version + 1, max: 15 } as const;

/**
 * Checks the structure before any decryption; returns the name of the key (32 hex characters). Fails with
 * stored_newer for a later format. Throws Error for other bytes.
 */
export const keyIdOf = (sealed: Uint8Array): string => {
  const [found = 0] = sealed;
  if (found >= laterVersions.min && found <= laterVersions.max) {
    throw new Failure(
      "stored_newer",
      {},
      { cause: new Error(`The format ${found} of sealed bytes is unknown`) },
    );
  }
  if (sealed.length < headBytes + tagBytes || sealed[0] !== version) {
    throw new Error("These bytes were not sealed by this program");
  }
  return Buffer.from(sealed.subarray(1, 1 + idBytes)).toString("hex");
};

/** Id of the data key that sealed these bytes, as in the key's row. Throws as `keyIdOf`. */
export const dataKeyIdOf = (sealed: Uint8Array): string => uuidOf(keyIdOf(sealed));

/** The same; undefined for bytes that no key sealed. */
export const dataKeyIdIn = (sealed: Uint8Array): string | undefined =>
  sealed.length < headBytes + tagBytes || sealed[0] !== version ? undefined : dataKeyIdOf(sealed);

const uuidOf = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/**
 * Throws as `keyIdOf`, and when the bytes, the key or one item of `associated` differ from those at sealing.
 */
export const openBox = (key: BoxKey, associated: readonly string[], sealed: Uint8Array): Uint8Array => {
  // The cipher does not read the name in the bytes, so a changed one is found here.
  if (keyIdOf(sealed) !== key.id.padEnd(2 * idBytes, "0")) {
    throw new Error("These bytes name another key");
  }
  const nonce = sealed.subarray(1 + idBytes, headBytes);
  const decipher = createDecipheriv("aes-256-gcm", key.bytes, nonce, { authTagLength: tagBytes });
  decipher.setAAD(bindingOf(key.id, associated));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  return new Uint8Array(
    Buffer.concat([decipher.update(sealed.subarray(headBytes, -tagBytes)), decipher.final()]),
  );
};

/** JSON, because joined strings could be split differently: "a" + "bc" is not "ab" + "c". */
const bindingOf = (keyId: string, associated: readonly string[]): Uint8Array =>
  Buffer.from(JSON.stringify(["idem", version, keyId, ...associated]), "utf8");
