import type { Caller } from "#contract/endpoint";
import type { EvidenceEntry } from "#record/transactions/record";
import type { SealedTemplate } from "./user.ts";

/** The lists of one-to-many search: the registered users, and the faces that the operator blocked. */
export type FaceList = "people" | "blocked";

/** A face of a list, sealed as registered templates are. */
export type KeptFace = SealedTemplate & {
  readonly tenantId: string;
  readonly id: string;
  readonly environment: Caller["environment"];
  /** When this template was stored. */
  readonly at: Date;
  /** The pseudonym in the store, for a registered user. */
  readonly pseudonym?: string;
};

/** A blocked face, with the operator's sealed note. */
export type BlockedFace = Omit<KeptFace, "pseudonym"> & {
  readonly sealedNote: Uint8Array;
  /**
   * True where it was added or changed past the service. A list for the operator names it; no search takes
   * it.
   */
  readonly isForged?: true;
};

/** An entry of the tenant's evidence with its position. */
export type PlacedEvidence = EvidenceEntry & { readonly seq: number };

/** The last position of a tenant's evidence. */
export type EvidenceHead = { readonly tenantId: string; readonly seq: number };

/** Kinds of evidence that add or replace a face of a list. */
export const faceAddingKinds = ["person_enrolled", "person_template_replaced", "face_blocked"] as const;
