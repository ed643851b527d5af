import { createHash } from "node:crypto";
import type { PublishedKey, PublishedKeys } from "./seal.ts";
import { makeSuite } from "./suite.ts";

/** One key pair of the deployment. `d` is the private scalar: it leaves memory only sealed. */
export type TokenKey = {
  readonly kid: string;
  readonly createdAt: Date;
  readonly x: string;
  readonly y: string;
  readonly d: string;
};

/**
 * The current pair, which seals; the previous pair, which still opens its tokens; and all former pairs,
 * newest first, which open only templates: integrators keep those for years, and templates cannot be made
 * again.
 */
export type TokenKeys = {
  readonly current: TokenKey;
  readonly previous?: TokenKey;
  readonly former?: readonly TokenKey[];
};

/** A fresh P-256 pair. */
export const createTokenKey = async (now: Date): Promise<TokenKey> => {
  const pair = await makeSuite().kem.generateKeyPair();
  const { x, y, d } = await crypto.subtle.exportKey("jwk", pair.privateKey);
  if (x === undefined || y === undefined || d === undefined) {
    throw new Error("The runtime exported an incomplete P-256 key");
  }
  return { kid: thumbprint(x, y), createdAt: now, x, y, d };
};

/**
 * Rotation: the current pair becomes the previous pair, and the former previous pair is kept for templates.
 */
export const rotateTokenKeys = async (
  { current, previous, former = [] }: TokenKeys,
  now: Date,
): Promise<TokenKeys> => ({
  current: await createTokenKey(now),
  previous: current,
  ...(previous && { former: [previous, ...former] }),
});

/** The public halves, as in `/.well-known/idem-keys.json`. */
export const publishKeys = (keys: TokenKeys): PublishedKeys => ({
  keys: keys.previous ? [publish(keys.current), publish(keys.previous)] : [publish(keys.current)],
});

const publish = ({ kid, x, y }: TokenKey): PublishedKey => ({
  kty: "EC",
  crv: "P-256",
  x,
  y,
  kid,
  use: "enc",
});

/** RFC 7638, 3: SHA-256 over the required members in lexicographic order, base64url. */
const thumbprint = (x: string, y: string): string =>
  createHash("sha256")
    .update(JSON.stringify({ crv: "P-256", kty: "EC", x, y }))
    .digest("base64url");
