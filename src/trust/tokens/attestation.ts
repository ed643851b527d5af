/**
 * The trailer of an attested token: how a capture session of this service took what the token holds. It
 * follows the ciphertext.
 *
 * | bytes | content |
 * |---|---|
 * | 0-15 | id of the session, a UUID |
 * | 16-19 | sequence of the token in its session, unsigned, big-endian |
 * | 20 | source: 1 camera, 2 upload, 3 handoff |
 * | 21 | level: 0 none, 1 passive, 2 active-turn |
 * | 22-53 | MAC: HMAC-SHA-256 over the mark of the tenant, header, encapsulated key, SHA-256 of the ciphertext, and bytes 0-21 |
 *
 * The key of the MAC is derived from the private key that opens the token, so every process of the deployment
 * can check it, and a party that only seals cannot make it.
 */
import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Envelope } from "./envelope.ts";
import type { TokenKey } from "./keys.ts";
import type { Attestation } from "./token.ts";

const factsBytes = 22;
const macBytes = 32;

/** Bytes of the trailer. */
export const trailerBytes = factsBytes + macBytes;

/** Never renumber: tokens exist outside of this deployment. */
const sourceNumbers = { camera: 1, upload: 2, handoff: 3 } as const satisfies Record<
  Attestation["source"],
  number
>;
const levelNumbers = { passive: 1, "active-turn": 2 } as const satisfies Record<
  NonNullable<Attestation["level"]>,
  number
>;

const sources = ["camera", "upload", "handoff"] as const;
const levels = ["passive", "active-turn"] as const;

/** The key of the MAC, of one key pair. */
export const attestationKeyOf = ({ d }: Pick<TokenKey, "d">): Uint8Array =>
  new Uint8Array(
    hkdfSync("sha256", Buffer.from(d, "base64url"), new Uint8Array(), "idem attestation v1", 32),
  );

type Sealed = Pick<Envelope, "headerRaw" | "encapsulated" | "ciphertext">;

const macOf = (key: Uint8Array, mark: Uint8Array, sealed: Sealed, facts: Uint8Array): Uint8Array =>
  createHmac("sha256", key)
    .update(mark)
    .update(sealed.headerRaw)
    .update(sealed.encapsulated)
    .update(createHash("sha256").update(sealed.ciphertext).digest())
    .update(facts)
    .digest();

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const writeFacts = ({ sessionId, sequence, source, level }: Attestation): Uint8Array => {
  if (!uuidShape.test(sessionId)) throw new Error("The id of a capture session is no UUID");
  const facts = Buffer.alloc(factsBytes);
  facts.write(sessionId.replaceAll("-", ""), "hex");
  facts.writeUInt32BE(sequence, 16);
  facts.writeUInt8(sourceNumbers[source], 20);
  facts.writeUInt8(level === undefined ? 0 : levelNumbers[level], 21);
  return facts;
};

/** The trailer for a sealed token; `mark` is that of its tenant. */
export const writeTrailer = (
  key: Uint8Array,
  mark: Uint8Array,
  sealed: Sealed,
  attestation: Attestation,
): Uint8Array => {
  const facts = writeFacts(attestation);
  return Buffer.concat([facts, macOf(key, mark, sealed, facts)]);
};

/**
 * What a trailer states; undefined where its MAC is not this deployment's for this token, or it states
 * nothing known.
 */
export const readTrailer = (
  key: Uint8Array,
  mark: Uint8Array,
  sealed: Sealed,
  trailer: Uint8Array,
): Attestation | undefined => {
  const facts = Buffer.from(trailer.subarray(0, factsBytes));
  const mac = trailer.subarray(factsBytes);
  if (mac.length !== macBytes || !timingSafeEqual(mac, macOf(key, mark, sealed, facts))) return undefined;
  const source = sources.find((name) => sourceNumbers[name] === facts[20]);
  const level = levels.find((name) => levelNumbers[name] === facts[21]);
  if (source === undefined || (level === undefined && facts[21] !== 0)) return undefined;
  const hex = facts.toString("hex", 0, 16);
  const sessionId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { sessionId, sequence: facts.readUInt32BE(16), source, ...(level && { level }) };
};
