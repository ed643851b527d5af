import { createHash } from "node:crypto";
import type { EvidenceEntry, Json } from "./store.ts";

/** An entry in its place in the tenant's chain. */
export type EvidenceLink = {
  readonly tenantId: string;
  readonly seq: number;
  readonly entry: EvidenceEntry;
  readonly prevHash: string;
};

/** What the first entry of a chain names as its forerunner: 64 zeros. */
export const chainStart = "0".repeat(64);

/**
 * JSON text with object keys in UTF-16 order and no spaces (RFC 8785, 3.2), so that equal values have equal bytes.
 * Throws on a number that JSON cannot carry: evidence that reads back as null would be a lie.
 */
export const canonicalJson = (value: Json): string => {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new Error("Evidence holds a number that is not finite");
  }
  if (value === null || typeof value !== "object") {
    return JSON.stringify(value);
  }
  if (isList(value)) {
    return `[${value.map(canonicalJson).join(",")}]`;
  }
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(",")}}`;
};

// Array.isArray does not narrow readonly arrays.
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** SHA-256 (hex) over the canonical JSON of the whole link: an entry cannot be moved, changed or left out unseen. */
export const hashEvidence = ({ tenantId, seq, entry, prevHash }: EvidenceLink): string => {
  const { id, kind, at, body } = entry;
  const bytes = canonicalJson({ at: at.getTime(), body, id, kind, prevHash, seq, tenantId });
  return createHash("sha256").update(bytes, "utf8").digest("hex");
};
