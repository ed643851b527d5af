import type { TokenKind } from "./token.ts";

/**
 * The binary form of a token. No Node import: browsers read this file too.
 *
 * | bytes | content |
 * |---|---|
 * | 0-2 | `IDM` |
 * | 3 | version, 1 |
 * | 4 | kind |
 * | 5 | flags; version 1 knows none, so any set bit is refused |
 * | 6-13 | key id: first 8 bytes of the key's RFC 7638 thumbprint |
 * | 14-21 | issued at, milliseconds since 1970, unsigned, big-endian |
 * | 22-86 | HPKE encapsulated key, an uncompressed P-256 point (RFC 9180, 7.1.1) |
 * | 87- | ciphertext and its 16-byte tag |
 *
 * Bytes 0-21 are the additional data of the sealing.
 */
export const headerBytes = 22;
const encapsulatedBytes = 65;
export const tagBytes = 16;
const envelopeBytesMin = headerBytes + encapsulatedBytes + tagBytes;
export const keyIdBytes = 8;

const version = 1;
const magic = [0x49, 0x44, 0x4d] as const;

/** Never renumber: tokens live outside of this deployment. */
const kindNumbers = {
  "best-image": 1,
  "face-image": 2,
  template: 3,
  ocr: 4,
  "document-image": 5,
  tracking: 6,
} as const satisfies Record<TokenKind, number>;

/** Every kind, in the order of its number. */
export const tokenKinds: readonly TokenKind[] = [
  "best-image",
  "face-image",
  "template",
  "ocr",
  "document-image",
  "tracking",
];

/** The HPKE `info` string: a key pair used for anything else gives other keys. */
export const sealingInfo = new TextEncoder().encode("idem token v1");

/** What stands before the sealed bytes, in the open. */
export type Header = {
  readonly kind: TokenKind;
  readonly keyId: Uint8Array;
  readonly issuedAtMs: number;
};

/** The parts of a token whose header is well formed; nothing in it is proven yet. */
export type Envelope = {
  readonly header: Header;
  readonly headerRaw: Uint8Array;
  readonly encapsulated: Uint8Array;
  readonly ciphertext: Uint8Array;
};

/** The 22 header bytes. Throws for a kind that there is not: who seals in plain JavaScript is told by nobody else. */
export const writeHeader = (header: Header): Uint8Array => {
  if (!Object.hasOwn(kindNumbers, header.kind)) {
    throw new TypeError(`There is no token of the kind ${header.kind}. Kinds: ${tokenKinds.join(", ")}`);
  }
  const bytes = new Uint8Array(headerBytes);
  bytes.set(magic, 0);
  bytes[3] = version;
  bytes[4] = kindNumbers[header.kind];
  bytes.set(header.keyId.subarray(0, keyIdBytes), 6);
  new DataView(bytes.buffer).setBigUint64(14, BigInt(header.issuedAtMs));
  return bytes;
};

/** Splits a token; undefined when it cannot be one of this version. */
export const readEnvelope = (bytes: Uint8Array): Envelope | undefined => {
  if (bytes.length < envelopeBytesMin || !magic.every((byte, index) => bytes[index] === byte)) {
    return undefined;
  }
  const kind = tokenKinds.find((candidate) => kindNumbers[candidate] === bytes[4]);
  if (bytes[3] !== version || bytes[5] !== 0 || kind === undefined) {
    return undefined;
  }
  const issuedAtMs = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(14));
  const body = headerBytes + encapsulatedBytes;
  return {
    header: { kind, keyId: bytes.subarray(6, 6 + keyIdBytes), issuedAtMs },
    headerRaw: bytes.subarray(0, headerBytes),
    encapsulated: bytes.subarray(headerBytes, body),
    ciphertext: bytes.subarray(body),
  };
};
