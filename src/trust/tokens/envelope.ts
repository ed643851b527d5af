import type { TokenKind } from "./token.ts";

/**
 * The binary form of a token. No Node import: browsers read this file too.
 *
 * | bytes | content |
 * |---|---|
 * | 0-2 | `IDM` |
 * | 3 | version, 1 |
 * | 4 | kind |
 * | 5 | flags: bit 1, the payload begins with the mark of a tenant (`tenant-mark.ts`); bit 0, never without bit 1, a trailer follows
 *       (`attestation.ts`); another set bit is refused |
 * | 6-13 | key id: first 8 bytes of the key's RFC 7638 thumbprint |
 * | 14-21 | issued at, milliseconds since 1970, unsigned, big-endian |
 * | 22-86 | HPKE encapsulated key, an uncompressed P-256 point (RFC 9180, 7.1.1) |
 * | 87- | ciphertext and its 16-byte tag, then the trailer of an attested token |
 *
 * Bytes 0-21 are the additional data of the sealing.
 */
export const headerBytes = 22;
const encapsulatedBytes = 65;
const tagBytes = 16;
const envelopeBytesMin = headerBytes + encapsulatedBytes + tagBytes;
export const keyIdBytes = 8;

const version = 1;
const magic = [0x49, 0x44, 0x4d] as const;

const flagsAt = 5;
const tenantFlag = 0b10;
const attestedFlags = 0b11;
/** As in attestation.ts, which a browser cannot read. */
const trailerBytes = 54;

/** Never renumber: tokens exist outside of this deployment. */
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

/** The HPKE `info` string: the same key pair used for another purpose derives other keys. */
export const sealingInfo = new TextEncoder().encode("idem token v1");

/** The unencrypted header of a token. */
export type Header = {
  readonly kind: TokenKind;
  readonly keyId: Uint8Array;
  readonly issuedAtMs: number;
};

/** The parts of a token with a well-formed header; nothing in it is authenticated yet. */
export type Envelope = {
  readonly header: Header;
  /** The flag of a payload that begins with the mark of a tenant. */
  readonly namesTenant: boolean;
  readonly headerRaw: Uint8Array;
  readonly encapsulated: Uint8Array;
  readonly ciphertext: Uint8Array;
  /** The trailer of an attested token. */
  readonly trailer?: Uint8Array;
};

/** The 22 header bytes. Throws for an unknown kind: callers in plain JavaScript have no type check. */
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

/** The header of a token whose payload begins with the mark of a tenant. */
export const writeTenantHeader = (header: Header): Uint8Array => {
  const bytes = writeHeader(header);
  bytes[flagsAt] = tenantFlag;
  return bytes;
};

/** The header of an attested token: a trailer follows its ciphertext. */
export const writeAttestedHeader = (header: Header): Uint8Array => {
  const bytes = writeHeader(header);
  bytes[flagsAt] = attestedFlags;
  return bytes;
};

/** The parts of the bytes of a token before its trailer. */
export const splitSealed = (
  bytes: Uint8Array,
): Pick<Envelope, "headerRaw" | "encapsulated" | "ciphertext"> => {
  const body = headerBytes + encapsulatedBytes;
  return {
    headerRaw: bytes.subarray(0, headerBytes),
    encapsulated: bytes.subarray(headerBytes, body),
    ciphertext: bytes.subarray(body),
  };
};

/** Splits a token; undefined when it cannot be a token of this version. */
export const readEnvelope = (bytes: Uint8Array): Envelope | undefined => {
  if (bytes.length < envelopeBytesMin || !magic.every((byte, index) => bytes[index] === byte)) {
    return undefined;
  }
  const kind = tokenKinds.find((candidate) => kindNumbers[candidate] === bytes[4]);
  const flags = bytes[flagsAt] ?? 0;
  const isAttested = flags === attestedFlags;
  if (bytes[3] !== version || ![0, tenantFlag, attestedFlags].includes(flags) || kind === undefined) {
    return undefined;
  }
  const end = isAttested ? bytes.length - trailerBytes : bytes.length;
  if (end < envelopeBytesMin) return undefined;
  const issuedAtMs = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(14));
  return {
    header: { kind, keyId: bytes.subarray(6, 6 + keyIdBytes), issuedAtMs },
    namesTenant: (flags & tenantFlag) !== 0,
    ...splitSealed(bytes.subarray(0, end)),
    ...(isAttested && { trailer: bytes.subarray(end) }),
  };
};
