import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Caller } from "./endpoint.ts";

/** 256 bits. */
const secretBytes = 32;

/** `idem_live_` or `idem_test_`, 43 characters of base64url, 6 of checksum. Published for secret scanners. */
export const apiKeyPattern = /^idem_(live|test)_[A-Za-z0-9_-]{43}[0-9a-z]{6}$/;

/** Six base-36 digits: the CRC-32 modulo 36^6. It separates a typing error from an unknown key. */
const checksum = (body: string): string => (crc32(body) % 36 ** 6).toString(36).padStart(6, "0");

/** A new key with 256 random bits. It is shown once and never stored. */
export const makeApiKey = (
  environment: Caller["environment"],
  random: (bytes: number) => Buffer = randomBytes,
): string => {
  const body = `idem_${environment}_${random(secretBytes).toString("base64url")}`;
  return body + checksum(body);
};

/** The stored form of a key: SHA-256, hex. The key is random, so a slow hash would add nothing. */
export const hashApiKey = (key: string): string => createHash("sha256").update(key).digest("hex");

/** Whether a text has the shape and checksum of a key that Idem made; the key may still not exist. */
export const looksLikeApiKey = (key: string): boolean =>
  apiKeyPattern.test(key) && key.endsWith(checksum(key.slice(0, -6)));

/** Most characters of an imported key. */
export const importedKeyLengthMax = 512;

/** Twenty printable characters hold 128 bits, the least of an imported key (key-strength.ts). */
const importedKeyPattern = /^[\x21-\x7e]{20,512}$/;

/** Whether a text may be a stored key: of Idem with its checksum, or an imported one of any other form. */
export const mayBeApiKey = (key: string): boolean =>
  key.startsWith("idem_") ? looksLikeApiKey(key) : importedKeyPattern.test(key);
