import { Failure } from "#contract/failure";
import { attestationKeyOf, readTrailer } from "./attestation.ts";
import { type Envelope, readEnvelope, sealingInfo, tokenKinds } from "./envelope.ts";
import type { TokenKey, TokenKeys } from "./keys.ts";
import { acceptsOpenImage, isOpenImage, kindOfOpenImage, openImageToken } from "./open-image.ts";
import { keyIdOf } from "./seal.ts";
import { makeSuite, ownBuffer } from "./suite.ts";
import { markIn, unmarkPayload, withoutMark } from "./tenant-mark.ts";
import type { OpenedToken, OpenToken, TokenKind, TokenReader } from "./token.ts";

/** Limits for received tokens. */
export type TokenLimits = {
  /** Longest accepted token, in bytes; longer tokens are refused before any cryptography. */
  readonly tokenBytesMax: number;
  /** Age per kind in milliseconds after which a token is expired; null never expires. */
  readonly ageMsMax: Readonly<Record<TokenKind, number | null>>;
  /** Longest time by which the sealing device's clock may run ahead, in milliseconds. */
  readonly aheadMsMax: number;
  /**
   * Templates that name no tenant: of releases up to 0.1.0, or sealed outside Idem. Any tenant may use them.
   */
  readonly templateWithoutTenant: "accepted" | "refused";
  /** Plain images in the place of tokens, of live keys. Test keys may always send them. */
  readonly openImages: "accepted" | "refused";
};

/**
 * Opens tokens sealed to the deployment's current or previous key; templates, and face images that are
 * references, also sealed to any former key.
 * Without the key it asks `renew` for the current pairs: another process may have rotated them. Checks kind
 * and age only after the seal, so that a changed header is always `token_unreadable` and reveals nothing
 * more. Another tenant's token is the same as one with a broken seal.
 */
export const makeOpenToken = async (
  keys: TokenKeys,
  limits: TokenLimits,
  renew: (now: Date) => Promise<TokenKeys> = async () => keys,
): Promise<OpenToken> => {
  let keySet = await makeKeySet(keys);
  const findOpener = async ({ header }: Envelope, isKept: boolean, now: Date): Promise<Opener> => {
    const known = findIn(keySet, header.keyId, isKept);
    if (known !== undefined) {
      return known;
    }
    const renewed = await renew(now);
    if (renewed !== keySet.keys) {
      keySet = await makeKeySet(renewed);
    }
    const found = findIn(keySet, header.keyId, isKept);
    if (found === undefined) {
      throw unreadable("it was sealed to a key that this deployment does not hold");
    }
    return found;
  };
  return async (bytes, wanted, reader) => {
    const { receivedAt: now } = reader;
    if (bytes.length > limits.tokenBytesMax) {
      throw new Failure("token_unreadable", { reason: "it is too long", bytesMax: limits.tokenBytesMax });
    }
    const kinds = typeof wanted === "string" ? ([wanted] as const) : wanted;
    if (isOpenImage(bytes)) return judgeOpenImage(bytes, kinds, limits, reader);
    const envelope = readEnvelope(bytes);
    if (envelope === undefined) {
      throw unreadable("it is not a token of this service");
    }
    const { kind, issuedAtMs } = envelope.header;
    const isWanted = kinds.includes(kind);
    const opener = await findOpener(envelope, isKept(isWanted ? kind : kinds[0], reader), now);
    const opened = await opener.open(envelope);
    const payload = judgeTenant(envelope, opened, reader);
    const attestation = judgeTrailer(envelope, opened, opener.attestationKey);
    if (!isWanted) {
      throw new Failure("token_wrong_kind", { expected: kinds.join(" or "), found: kind });
    }
    judgeOrigin(envelope, limits, reader);
    judgeAge(issuedAtMs, limits, isKept(kind, reader) ? null : limits.ageMsMax[kind], now);
    const { namesTenant } = envelope;
    const hash = await sha256(bytes);
    const token = { kind, issuedAt: new Date(issuedAtMs), payload, namesTenant, isSealed: true, hash };
    return { ...token, ...(attestation && { attestation }) };
  };
};

/** Whether a caller keeps such tokens for years. */
const isKept = (kind: TokenKind, { isReference = false }: TokenReader): boolean =>
  kind === "template" || (isReference && kind === "face-image");

const judgeOpenImage = (
  bytes: Uint8Array,
  wanted: readonly TokenKind[],
  { openImages }: TokenLimits,
  reader: TokenReader,
): OpenedToken => {
  const kind = kindOfOpenImage(wanted);
  if (kind === undefined) {
    throw unreadable(
      wanted.includes("template")
        ? "it is an open image, and this field needs a template made by this service (registeredTemplateRaw of an answer)"
        : "it is an open image, and this field takes none",
    );
  }
  if (!acceptsOpenImage(reader, openImages)) {
    throw unreadable(
      "it is an open image of a live key: seal it, as the capture page does (or the operator sets IDEM_OPEN_IMAGES)",
    );
  }
  return openImageToken(bytes, kind, reader);
};

/** The kind that a token claims, unauthenticated: for tools that show a token to a person. */
export const claimedKind = (token: Uint8Array): TokenKind | undefined => {
  const envelope = readEnvelope(token);
  return tokenKinds.find((kind) => kind === envelope?.header.kind);
};

/**
 * When a token was sealed, as it claims, unauthenticated: for a token that this service stored. Undefined for
 * an open image.
 */
export const claimedSealing = (token: Uint8Array): Date | undefined => {
  const envelope = readEnvelope(token);
  return envelope && new Date(envelope.header.issuedAtMs);
};

type Opener = {
  readonly keyId: Uint8Array;
  readonly attestationKey: Uint8Array;
  readonly open: (envelope: Envelope) => Promise<Uint8Array>;
};

/** The key pairs of `keys`; `former` pairs open only tokens that callers keep. */
type KeySet = {
  readonly keys: TokenKeys;
  readonly openers: readonly Opener[];
  readonly former: readonly Opener[];
};

const makeKeySet = async (keys: TokenKeys): Promise<KeySet> => {
  const { current, previous, former = [] } = keys;
  return {
    keys,
    openers: await Promise.all((previous ? [current, previous] : [current]).map(makeOpener)),
    former: await Promise.all(former.map(makeOpener)),
  };
};

const findIn = ({ openers, former }: KeySet, id: Uint8Array, isKeptKind: boolean): Opener | undefined =>
  (isKeptKind ? [...openers, ...former] : openers).find(({ keyId }) => sameBytes(keyId, id));

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
      throw unreadable(brokenSeal, cause);
    }
  };
  return { keyId: keyIdOf(key.kid), attestationKey: attestationKeyOf(key), open };
};

/** The payload, if it is not another tenant's. */
const judgeTenant = ({ namesTenant }: Envelope, opened: Uint8Array, { caller }: TokenReader): Uint8Array => {
  if (!namesTenant) {
    return opened;
  }
  const payload = caller === undefined ? withoutMark(opened) : unmarkPayload(caller.tenantId, opened);
  if (payload === undefined) {
    throw unreadable(brokenSeal);
  }
  return payload;
};

/** What the trailer of an attested token states. Changed, or of another token, it is as a broken seal. */
const judgeTrailer = (
  envelope: Envelope,
  opened: Uint8Array,
  key: Uint8Array,
): OpenedToken["attestation"] => {
  const { trailer } = envelope;
  if (trailer === undefined) return undefined;
  const attestation = readTrailer(key, markIn(opened), envelope, trailer);
  if (attestation === undefined) throw unreadable(brokenSeal);
  return attestation;
};

const judgeOrigin = (
  { header, namesTenant }: Envelope,
  { templateWithoutTenant }: TokenLimits,
  { caller }: TokenReader,
): void => {
  const isFree = header.kind !== "template" || namesTenant || caller === undefined;
  if (!isFree && templateWithoutTenant === "refused") {
    throw unreadable("it names no tenant, and this deployment accepts only templates that do");
  }
};

const judgeAge = (issuedAtMs: number, limits: TokenLimits, ageMsMax: number | null, now: Date): void => {
  const ageMs = now.getTime() - issuedAtMs;
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

const brokenSeal = "its seal is broken";

const unreadable = (reason: string, cause?: unknown): Failure =>
  new Failure("token_unreadable", { reason }, cause === undefined ? undefined : { cause });

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

/** Computed beside the main thread: a token holds megabytes. */
const sha256 = async (bytes: Uint8Array): Promise<string> => {
  const { buffer, byteOffset, byteLength } = bytes;
  const own =
    buffer instanceof ArrayBuffer ? new Uint8Array(buffer, byteOffset, byteLength) : ownBuffer(bytes);
  return Buffer.from(await crypto.subtle.digest("SHA-256", own)).toString("hex");
};
