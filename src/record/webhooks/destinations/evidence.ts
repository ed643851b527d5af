import type { Json } from "#contract/json";
import type { EvidenceEntry } from "#record/transactions/record";

/** Kinds of evidence about destinations. */
export const destinationEvidenceKinds = [
  "destination_created",
  "destination_changed",
  "destination_paused",
  "destination_resumed",
  "destination_enabled",
  "destination_consented",
  "destination_secret_rotated",
  "destination_removed",
] as const;

export type DestinationEvidenceKind = (typeof destinationEvidenceKinds)[number];

/** An entry about a destination. Its body names ids, topics and fields, and never a URL or a secret. */
export const evidenceOf = (
  id: string,
  kind: DestinationEvidenceKind,
  at: Date,
  body: Readonly<Record<string, Json>>,
): EvidenceEntry => ({ id, kind, at, body });
