import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from "node:crypto";
import { BackupFault } from "./backup-fault.ts";
import { publicBytesOf, recipientIdOf } from "./backup-key.ts";
import { makeByteReader } from "./byte-reader.ts";

/**
 * The encrypted form of a backup (docs/formats/backup.md). Head: `IDEMBACK`, version (1 byte), id of the
 * recipient's key (8), ephemeral public key of X25519 (32). Then parts of 1 MiB under AES-256-GCM, the last
 * one shorter. The key of a file follows by HKDF-SHA-256 (RFC 5869) from the shared secret and both public
 * keys. A nonce is the part's number (11 bytes) and whether it is the last (1): STREAM of Hoang,
 * Reyhanitabar, Rogaway and Vizár, 'Online Authenticated-Encryption and its Nonce-Reuse
 * Misuse-Resistance', 2015. So a file that is cut, or whose parts change places, does not open.
 */
const magic = Buffer.from("IDEMBACK", "latin1");
const version = 1;
const idBytes = 8;
const publicBytes = 32;
const headBytes = magic.length + 1 + idBytes + publicBytes;
const tagBytes = 16;
const partBytes = 1024 * 1024;

type Sealing = { readonly key: Buffer; readonly head: Buffer };

/** Encrypts a stream to the holder of the secret key. Memory holds two parts. */
export async function* sealStream(
  recipient: KeyObject,
  plain: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const ephemeral = generateKeyPairSync("x25519");
  const head = Buffer.concat([
    magic,
    Buffer.of(version),
    Buffer.from(recipientIdOf(recipient), "hex"),
    publicBytesOf(ephemeral.publicKey),
  ]);
  const sealing = { key: deriveKey(ephemeral.privateKey, recipient, head, recipient), head };
  yield head;
  const reader = makeByteReader(plain);
  for (let number = 0; ; number += 1) {
    const part = await reader.take(partBytes);
    const isLast = await reader.isAtEnd();
    yield sealPart(sealing, number, isLast, part);
    if (isLast) return;
  }
}

/**
 * Opens what `sealStream` made. Throws BackupFault for another key, and for a file that is cut off or was
 * changed.
 */
export async function* openStream(
  secret: KeyObject,
  sealed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const reader = makeByteReader(sealed);
  const sealing = openHead(secret, await reader.take(headBytes));
  for (let number = 0; ; number += 1) {
    const part = await reader.take(partBytes + tagBytes);
    const isLast = await reader.isAtEnd();
    yield openPart(sealing, number, isLast, part);
    if (isLast) return;
  }
}

const openHead = (secret: KeyObject, head: Buffer): Sealing => {
  if (!head.subarray(0, magic.length).equals(magic.subarray(0, head.length)) || head.length === 0) {
    throw new BackupFault("The file is no backup of this service.");
  }
  if (head.length < headBytes) throw cut(head.length);
  const found = head[magic.length];
  if (found !== version) {
    throw new BackupFault(
      `The backup has version ${found}, this program reads ${version}. Use a newer program.`,
    );
  }
  const id = head.subarray(magic.length + 1, magic.length + 1 + idBytes).toString("hex");
  const own = recipientIdOf(secret);
  if (id !== own) {
    throw new BackupFault(
      `Wrong key: the backup was encrypted to the key ${id}, and this is the key ${own}. Name the file of the right one with --key.`,
    );
  }
  try {
    const x = head.subarray(-publicBytes).toString("base64url");
    const ephemeral = createPublicKey({ key: { kty: "OKP", crv: "X25519", x }, format: "jwk" });
    return { key: deriveKey(secret, ephemeral, head, secret), head };
  } catch (cause) {
    throw new BackupFault("The head of the backup was changed.", { cause });
  }
};

const deriveKey = (own: KeyObject, other: KeyObject, head: Buffer, recipient: KeyObject): Buffer => {
  const shared = diffieHellman({ privateKey: own, publicKey: other });
  // Both public keys are in the salt, as RFC 7748 (6.1) asks.
  const salt = Buffer.concat([head, publicBytesOf(recipient)]);
  return Buffer.from(hkdfSync("sha256", shared, salt, "idem backup v1", 32));
};

const nonceOf = (number: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
};

const sealPart = ({ key, head }: Sealing, number: number, isLast: boolean, part: Buffer): Buffer => {
  const cipher = createCipheriv("aes-256-gcm", key, nonceOf(number, isLast), { authTagLength: tagBytes });
  cipher.setAAD(head);
  return Buffer.concat([cipher.update(part), cipher.final(), cipher.getAuthTag()]);
};

const openPart = (sealing: Sealing, number: number, isLast: boolean, part: Buffer): Buffer => {
  const place = headBytes + number * (partBytes + tagBytes);
  const plain = part.length < tagBytes ? undefined : tryPart(sealing, number, isLast, part);
  if (plain !== undefined) return plain;
  const isWhole = isLast && tryPart(sealing, number, false, part) !== undefined;
  if (isWhole || part.length < tagBytes) throw cut(place + part.length);
  throw new BackupFault(
    `The backup was changed ${isLast ? "or cut off " : ""}at or after byte ${place}: it does not open. Use another copy.`,
  );
};

/** Undefined for a part that these bytes are not. */
const tryPart = (
  { key, head }: Sealing,
  number: number,
  isLast: boolean,
  part: Buffer,
): Buffer | undefined => {
  if (part.length < tagBytes) return undefined;
  const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(number, isLast), { authTagLength: tagBytes });
  decipher.setAAD(head);
  decipher.setAuthTag(part.subarray(-tagBytes));
  const plain = decipher.update(part.subarray(0, -tagBytes));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return undefined;
  }
};

const cut = (bytes: number): BackupFault =>
  new BackupFault(`The backup is cut off after ${bytes} bytes. Copy it again, or use another one.`);
