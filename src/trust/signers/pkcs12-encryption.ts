/** The password of a PKCS#12 file: its MAC (RFC 7292) and the encryption of its parts (PBES2, RFC 8018). */
import { createDecipheriv, createHash, createHmac, pbkdf2, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import {
  childrenOf,
  childrenWithTag,
  contextTag,
  type Der,
  DerError,
  expectTag,
  oidOf,
  tags,
} from "#trust/asn1/der";
import { oids } from "#trust/asn1/oids";

/** Hash functions of a MAC, by their identifiers, with the bytes of their blocks. */
const macHashes: ReadonlyMap<string, readonly [name: string, blockBytes: number]> = new Map([
  [oids.sha1, ["sha1", 64]],
  [oids.sha256, ["sha256", 64]],
  [oids.sha384, ["sha384", 128]],
  [oids.sha512, ["sha512", 128]],
]);

/** Pseudo-random functions of PBKDF2 (RFC 8018, B.1.2). */
const derivationHashes: ReadonlyMap<string, string> = new Map([
  ["1.2.840.113549.2.7", "sha1"],
  ["1.2.840.113549.2.9", "sha256"],
  ["1.2.840.113549.2.10", "sha384"],
  ["1.2.840.113549.2.11", "sha512"],
]);

/** AES in CBC mode (RFC 3565, 4.1), by identifier, with the bytes of the key. */
const ciphers: ReadonlyMap<string, readonly [name: string, keyBytes: number]> = new Map([
  ["2.16.840.1.101.3.4.1.2", ["aes-128-cbc", 16]],
  ["2.16.840.1.101.3.4.1.22", ["aes-192-cbc", 24]],
  ["2.16.840.1.101.3.4.1.42", ["aes-256-cbc", 32]],
]);

const passwordScheme2 = "1.2.840.113549.1.5.13";
const passwordDerivation2 = "1.2.840.113549.1.5.12";

/** OpenSSL writes 2,048 rounds, careful tools up to a million. */
const roundsMax = 10_000_000;

const roundsOf = (value: Der | undefined): number => {
  if (value === undefined) return 1;
  const { content } = expectTag(value, tags.integer);
  const rounds = content.length > 4 ? Infinity : content.reduce((sum, byte) => sum * 256 + byte, 0);
  if (rounds < 1 || rounds > roundsMax) throw new DerError("The rounds of a password are out of bounds");
  return rounds;
};

/** `bytes` again and again, up to a whole number of blocks. */
const fillBlocks = (bytes: Uint8Array, blockBytes: number): Uint8Array =>
  Buffer.alloc(Math.ceil(bytes.length / blockBytes) * blockBytes, bytes);

/** Of the key of a MAC (RFC 7292, B.3). */
const macPurpose = 3;

/**
 * The key of a MAC (RFC 7292, B.2), of one hash in length: so the second half of the method is not needed.
 * The password is a BMPString with two zero bytes.
 */
const deriveMacKey = (
  [hash, blockBytes]: readonly [string, number],
  password: string,
  salt: Uint8Array,
  rounds: number,
): Uint8Array => {
  const text = Buffer.from(`${password}\0`, "utf16le").swap16();
  let key: Uint8Array = createHash(hash)
    .update(Buffer.alloc(blockBytes, macPurpose))
    .update(fillBlocks(salt, blockBytes))
    .update(fillBlocks(text, blockBytes))
    .digest();
  for (let round = 1; round < rounds; round++) key = createHash(hash).update(key).digest();
  return key;
};

/**
 * Whether the MAC of a PKCS#12 file fits the password. `content` is the signed content, `mac` the MacData.
 * Throws DerError for another form or hash function.
 */
export const fitsMac = (content: Uint8Array, mac: Der | undefined, password: string): boolean => {
  const [info, salt, rounds] = childrenOf(expectTag(mac, tags.sequence));
  const [algorithm, digest] = childrenOf(expectTag(info, tags.sequence));
  const hash = macHashes.get(oidOf(childrenWithTag(algorithm, tags.sequence)[0]));
  if (hash === undefined) throw new DerError("The hash function of a MAC is not known");
  const key = deriveMacKey(hash, password, expectTag(salt, tags.octetString).content, roundsOf(rounds));
  const made = createHmac(hash[0], key).update(content).digest();
  const stated = expectTag(digest, tags.octetString).content;
  return made.length === stated.length && timingSafeEqual(made, stated);
};

const derive = promisify(pbkdf2);

/** The key of PBKDF2 (RFC 8018, 5.2). Throws DerError for another function. */
const deriveKey = async (
  derivation: Der | undefined,
  password: string,
  keyBytes: number,
): Promise<Buffer> => {
  const [type, parameters] = childrenWithTag(derivation, tags.sequence);
  if (oidOf(type) !== passwordDerivation2) throw new DerError("The derivation of a key is not PBKDF2");
  const [salt, rounds, ...others] = childrenOf(expectTag(parameters, tags.sequence));
  const named = others.find(({ tag }) => tag === tags.sequence);
  const hash = named === undefined ? "sha1" : derivationHashes.get(oidOf(childrenOf(named)[0]));
  if (hash === undefined) throw new DerError("The hash function of a derivation is not known");
  return await derive(password, expectTag(salt, tags.octetString).content, roundsOf(rounds), keyBytes, hash);
};

/**
 * Decrypts an EncryptedData (RFC 5652, 8) of a PKCS#12 file. Throws DerError for another scheme than PBES2
 * with AES, and an Error of node:crypto for bytes that do not decrypt.
 */
export const decryptPart = async (encrypted: Der, password: string): Promise<Uint8Array> => {
  const [, info] = childrenOf(expectTag(encrypted, tags.sequence));
  const [, algorithm, content] = childrenOf(expectTag(info, tags.sequence));
  const [scheme, parameters] = childrenWithTag(algorithm, tags.sequence);
  if (oidOf(scheme) !== passwordScheme2) throw new DerError("The encryption of a part is not PBES2");
  const [derivation, encryption] = childrenWithTag(parameters, tags.sequence);
  const [type, start] = childrenWithTag(encryption, tags.sequence);
  const cipher = ciphers.get(oidOf(type));
  if (cipher === undefined) throw new DerError("The cipher of a part is not AES");
  const key = await deriveKey(derivation, password, cipher[1]);
  const decipher = createDecipheriv(cipher[0], key, expectTag(start, tags.octetString).content);
  return Buffer.concat([decipher.update(expectTag(content, contextTag(0, false)).content), decipher.final()]);
};
