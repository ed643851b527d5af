import { keyIdBytes, sealingInfo, writeHeader } from "./envelope.ts";
import { makeSuite, ownBuffer } from "./suite.ts";
import type { TokenKind } from "./token.ts";

/** A published P-256 public key (RFC 7517); `kid` is its RFC 7638 thumbprint. */
export type PublishedKey = {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly use: "enc";
};

/** The content of `/.well-known/idem-keys.json`: the sealing key first, then keys that still open. */
export type PublishedKeys = { readonly keys: readonly PublishedKey[] };

export type Sealing = {
  readonly keys: PublishedKeys;
  readonly kind: TokenKind;
  readonly payload: Uint8Array;
  readonly now: Date;
};

/**
 * Seals bytes to the deployment that published `keys`; only that deployment can open the token. Runs in a
 * browser (secure context) and in Node. Returns the token in Base64, 4/3 × (payload + 103 bytes) long.
 */
export const sealToken = async ({ keys, kind, payload, now }: Sealing): Promise<string> => {
  const key = keys.keys[0];
  if (key === undefined) {
    throw new Error("The deployment publishes no key to seal with");
  }
  const header = writeHeader({ kind, keyId: keyIdOf(key.kid), issuedAtMs: now.getTime() });
  const suite = makeSuite();
  const { kty, crv, x, y } = key;
  const recipientPublicKey = await suite.kem.importKey("jwk", { kty, crv, x, y }, true);
  const sealed = await suite.seal(
    { recipientPublicKey, info: ownBuffer(sealingInfo) },
    ownBuffer(payload),
    ownBuffer(header),
  );
  return encodeBase64([header, new Uint8Array(sealed.enc), new Uint8Array(sealed.ct)]);
};

/** The 8 bytes of the key id in a token's header. */
export const keyIdOf = (kid: string): Uint8Array => {
  const binary = atob(kid.replaceAll("-", "+").replaceAll("_", "/"));
  if (binary.length < keyIdBytes) {
    throw new Error("The key's kid is not an RFC 7638 thumbprint");
  }
  return Uint8Array.from(binary.slice(0, keyIdBytes), (character) => character.charCodeAt(0));
};

/**
 * Base64 of the joined parts without `Buffer`; in pieces, because a call accepts a limited number of
 * arguments.
 */
const encodeBase64 = (parts: readonly Uint8Array[]): string => {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  let binary = "";
  for (let start = 0; start < joined.length; start += pieceBytes) {
    binary += String.fromCharCode(...joined.subarray(start, start + pieceBytes));
  }
  return btoa(binary);
};

const pieceBytes = 8192;
