/**
 * The signature of a container and the name of its key, by WebCrypto alone: browsers and the service use it.
 */
import type { Container, PageKey } from "./container.ts";

export const pageKeyAlgorithm = { name: "ECDSA", namedCurve: "P-256" } as const;
const signing = { name: "ECDSA", hash: "SHA-256" } as const;

/** The bytes that a page signs: its head, then the SHA-256 of each frame in order. */
const signedBytes = async (
  headBytes: Uint8Array,
  frames: readonly Uint8Array[],
): Promise<Uint8Array<ArrayBuffer>> => {
  const hashes = await Promise.all(frames.map((frame) => sha256(frame)));
  const bytes = new Uint8Array(headBytes.length + 32 * hashes.length);
  bytes.set(headBytes);
  for (const [i, hash] of hashes.entries()) bytes.set(hash, headBytes.length + 32 * i);
  return bytes;
};

/** The signature of head and frames: 64 bytes. */
export const signContainer = async (
  privateKey: CryptoKey,
  headBytes: Uint8Array,
  frames: readonly Uint8Array[],
): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.sign(signing, privateKey, await signedBytes(headBytes, frames)));

/**
 * Whether the key of this thumbprint signed head and frames. False also for a key that is no point of the
 * curve.
 */
export const verifySignature = async (
  { head, headBytes, frames, signature }: Omit<Container, "kind">,
  thumbprint: string,
): Promise<boolean> => {
  if ((await thumbprintOf(head.key)) !== thumbprint) return false;
  const key = await importPageKey(head.key);
  if (key === undefined) return false;
  return crypto.subtle.verify(signing, key, signature.slice(), await signedBytes(headBytes, frames));
};

/** Undefined for coordinates that are no point of the curve. */
const importPageKey = async (key: PageKey): Promise<CryptoKey | undefined> => {
  try {
    return await crypto.subtle.importKey("jwk", { ...key }, pageKeyAlgorithm, false, ["verify"]);
  } catch {
    return undefined;
  }
};

/** The thumbprint of a page's key (RFC 7638, 3.2: these members, in this order), in Base64url. */
export const thumbprintOf = async ({ kty, crv, x, y }: PageKey): Promise<string> =>
  base64url(await sha256(new TextEncoder().encode(JSON.stringify({ crv, kty, x, y }))));

const sha256 = async (bytes: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", owned(bytes)));

/** WebCrypto takes no view of shared memory. */
const owned = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : bytes.slice();

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
