import type { Caller } from "#contract/endpoint";
import type { SealedTemplate } from "./person.ts";
import type { EvidenceEntry, Step } from "./store.ts";

/** Who is searched one-to-many: the registered users, or those whom the operator has blocked. */
export type FaceList = "people" | "blocked";

/** A face of a list, sealed as registered templates are. */
export type KeptFace = SealedTemplate & {
  readonly tenantId: string;
  readonly id: string;
  readonly world: Caller["world"];
  /** When this template came. */
  readonly at: Date;
  /** Of a registered user: whom it belongs to, as the store knows it. */
  readonly pseudonym?: string;
};

/** A blocked face, with the operator's own words on it, sealed. */
export type BlockedFace = Omit<KeptFace, "pseudonym"> & { readonly sealedNote: Uint8Array };

/** An entry of the tenant's evidence in its place. */
export type PlacedEvidence = EvidenceEntry & { readonly seq: number };

/** How far a tenant's evidence goes. */
export type EvidenceHead = { readonly tenantId: string; readonly seq: number };

/** Kinds of evidence that add a face to a list, or put another in its place. */
export const faceAddingKinds = ["person_enrolled", "person_template_replaced", "face_blocked"] as const;

/** The store's commands for one-to-many search; see `Store`. The tenant's evidence tells what has changed in a list. */
export type FaceListCommands = {
  /** Up to `limit` faces with ids above `after`, in their order. */
  readonly listFaces: (
    list: FaceList,
    tenantId: string,
    after: string,
    limit: number,
  ) => Promise<readonly KeptFace[]>;
  /** Those of up to 1000 ids that are there. */
  readonly findFaces: (
    list: FaceList,
    tenantId: string,
    ids: readonly string[],
  ) => Promise<readonly KeptFace[]>;
  /** All in one commit. Fails with store_unavailable when the tenant's data key was destroyed meanwhile. */
  readonly blockFaces: (
    tenantId: string,
    faces: readonly Omit<BlockedFace, "tenantId">[],
    step: Step,
  ) => Promise<void>;
  /** False, and nothing written, when there is no such face. The template's key goes with its row. */
  readonly unblockFace: (tenantId: string, id: string, step: Step) => Promise<boolean>;
  /** Up to 1000 with ids above `after`. */
  readonly listBlocked: (tenantId: string, after: string) => Promise<readonly BlockedFace[]>;
  /** Of every tenant; 0 where it has no evidence yet. */
  readonly listEvidenceHeads: () => Promise<readonly EvidenceHead[]>;
  /** Up to 1000 entries that came after `seq`, in their order. */
  readonly listEvidence: (tenantId: string, seq: number) => Promise<readonly PlacedEvidence[]>;
  /** Removes up to 1000 blocked faces whose tenant's data key was destroyed. Says how many. */
  readonly purgeBlocked: () => Promise<number>;
};
