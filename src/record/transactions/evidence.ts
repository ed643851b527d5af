import { createHash } from "node:crypto";
import { canonicalJson } from "#contract/canonical-json";
import type { Json } from "#contract/json";

/** An entry as the chain of its tenant holds it. The body enters by its hash and stands beside the chain. */
export type EvidenceLink = {
  readonly tenantId: string;
  /** Position in the chain: 1, 2, 3 and so on, without gaps. */
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Made by {@link hashBody}. */
  readonly bodyHash: string;
  readonly prevHash: string;
};

/** An entry of a release that had no body hashes: its hash covers the body itself. */
export type FormerLink = Omit<EvidenceLink, "bodyHash"> & { readonly body: Json };

/** The previous hash of the first entry of a chain: 64 zeros. */
export const chainStart = "0".repeat(64);

/** Bytes of a body's random salt, so that a removed body cannot be guessed from its hash. */
export const saltBytes = 16;

/**
 * Kinds of entries whose bodies stay for ever: receipts of an erasure or of removed bodies. They name keys
 * and positions, and neither a person nor a call.
 */
export const receiptKinds = ["data_key_destroyed", "evidence_bodies_removed"] as const;

/** The kind of the entry that commits with every removal of bodies. */
export const bodiesRemoved = receiptKinds[1];

const sha256 = (...parts: readonly Uint8Array[]): string => {
  const hash = createHash("sha256");
  parts.forEach((part) => hash.update(part));
  return hash.digest("hex");
};

const sha256OfJson = (value: Json): string => sha256(Buffer.from(canonicalJson(value), "utf8"));

/** SHA-256 (hex) over the bytes of the salt (hex), then the bytes of the body's text as it is stored. */
export const hashBody = (salt: string, text: string): string =>
  sha256(Buffer.from(salt, "hex"), Buffer.from(text, "utf8"));

/**
 * SHA-256 (hex) over the canonical JSON of the whole link: every moved, changed or missing entry is detected.
 */
export const hashLink = ({ tenantId, seq, id, kind, at, bodyHash, prevHash }: EvidenceLink): string =>
  sha256OfJson({ tenantId, seq, id, kind, at, bodyHash, prevHash });

/** The hash of an entry of a former release. */
export const hashFormerLink = ({ tenantId, seq, id, kind, at, body, prevHash }: FormerLink): string =>
  sha256OfJson({ tenantId, seq, id, kind, at, body, prevHash });
