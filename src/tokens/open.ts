import { createHash } from "node:crypto";
import { Failure } from "#contract/failure";
import { type Envelope, readEnvelope, sealingInfo, tokenKinds } from "./envelope.ts";
import type { TokenKey, TokenKeys } from "./keys.ts";
import { keyIdOf } from "./seal.ts";
import { makeSuite, ownBuffer } from "./suite.ts";
import type { OpenToken, TokenKind } from "./token.ts";

/** Bounds for tokens that arrive. */
export type TokenLimits = {
  /** Longest token accepted, in bytes; longer ones are refused before any cryptography. */
  readonly tokenBytesMax: number;
  /** Age per kind in milliseconds after which a token is expired; null never expires. */
  readonly ageMsMax: Readonly<Record<TokenKind, number | null>>;
  /** How far the sealing device's clock may run ahead, in milliseconds. */
  readonly aheadMsMax: number;
};

/**
 * Opens tokens sealed to the deployment's current or previous key, and templates sealed to any before it. Where it holds
 * no such key it asks `renew` for the pairs as they are now: another process may have rotated them. Kind and age are
 * judged after the seal held, so that a changed header is always `token_unreadable` and never tells more.
 */
export const makeOpenToken = async (
  keys: TokenKeys,
  limits: TokenLimits,
  renew: (now: Date) => Promise<TokenKeys> = async () => keys,
): Promise<OpenToken> => {
  let bunch = await makeBunch(keys);
  const findOpener = async ({ header }: Envelope, kind: TokenKind, now: Date): Promise<Opener> => {
    const known = findIn(bunch, header.keyId, kind);
    if (known !== undefined) {
      return known;
    }
    const renewed = await renew(now);
    if (renewed !== bunch.keys) {
      bunch = await makeBunch(renewed);
    }
    const found = findIn(bunch, header.keyId, kind);
    if (found === undefined) {
      throw unreadable("it was sealed to a key that this deployment does not hold");
    }
    return found;
  };
  return async (bytes, wanted, now) => {
    if (bytes.length > limits.tokenBytesMax) {
      throw new Failure("token_unreadable", { reason: "it is too long", bytesMax: limits.tokenBytesMax });
    }
    const envelope = readEnvelope(bytes);
    if (envelope === undefined) {
      throw unreadable("it is not a token of this service");
    }
    const { kind, issuedAtMs } = envelope.header;
    const kinds = typeof wanted === "string" ? ([wanted] as const) : wanted;
    const isWanted = kinds.includes(kind);
    const opener = await findOpener(envelope, isWanted ? kind : kinds[0], now);
    const payload = await opener.open(envelope);
    if (!isWanted) {
      throw new Failure("token_wrong_kind", { expected: kinds.join(" or "), found: kind });
    }
    judgeAge(issuedAtMs, limits, kind, now);
    return { kind, issuedAt: new Date(issuedAtMs), payload, hash: sha256(bytes) };
  };
};

/** The kind that a token claims, unproven: for tools that show a token to a person. */
export const claimedKind = (token: Uint8Array): TokenKind | undefined => {
  const envelope = readEnvelope(token);
  return tokenKinds.find((kind) => kind === envelope?.header.kind);
};

type Opener = {
  readonly keyId: Uint8Array;
  readonly open: (envelope: Envelope) => Promise<Uint8Array>;
};

/** What can be opened with the pairs `keys`; `former` are for templates alone. */
type Bunch = {
  readonly keys: TokenKeys;
  readonly openers: readonly Opener[];
  readonly former: readonly Opener[];
};

const makeBunch = async (keys: TokenKeys): Promise<Bunch> => {
  const { current, previous, former = [] } = keys;
  return {
    keys,
    openers: await Promise.all((previous ? [current, previous] : [current]).map(makeOpener)),
    former: await Promise.all(former.map(makeOpener)),
  };
};

const findIn = ({ openers, former }: Bunch, id: Uint8Array, kind: TokenKind): Opener | undefined =>
  (kind === "template" ? [...openers, ...former] : openers).find(({ keyId }) => sameBytes(keyId, id));

const makeOpener = async (key: TokenKey): Promise<Opener> => {
  const suite = makeSuite();
  const { x, y, d } = key;
  const recipientKey = await suite.kem.importKey("jwk", { kty: "EC", crv: "P-256", x, y, d }, false);
  const open = async (envelope: Envelope): Promise<Uint8Array> => {
    try {
      const plain = await suite.open(
        { recipientKey, enc: ownBuffer(envelope.encapsulated), info: ownBuffer(sealingInfo) },
        ownBuffer(envelope.ciphertext),
        ownBuffer(envelope.headerRaw),
      );
      return new Uint8Array(plain);
    } catch (cause) {
      throw unreadable("its seal is broken", cause);
    }
  };
  return { keyId: keyIdOf(key.kid), open };
};

const judgeAge = (issuedAtMs: number, limits: TokenLimits, kind: TokenKind, now: Date): void => {
  const ageMs = now.getTime() - issuedAtMs;
  const ageMsMax = limits.ageMsMax[kind];
  if (ageMsMax !== null && ageMs > ageMsMax) {
    throw new Failure("token_expired", { reason: "it is too old", ageSecondsMax: ageMsMax / 1000 });
  }
  if (ageMs < -limits.aheadMsMax) {
    throw new Failure("token_expired", {
      reason: "it was sealed by a clock that runs ahead of this service",
      aheadSecondsMax: limits.aheadMsMax / 1000,
    });
  }
};

const unreadable = (reason: string, cause?: unknown): Failure =>
  new Failure("token_unreadable", { reason }, cause === undefined ? undefined : { cause });

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
