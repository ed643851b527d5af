import type { Owner } from "#record/operations/operation";
import type { BundleContent } from "./content.ts";

/** A file of a bundle. */
export type Attachment = {
  readonly name: string;
  readonly mediaType: string;
  readonly description: string;
  readonly bytes: Uint8Array;
};

/** What a bundle holds, and its files: first `evidence.json`, with the hashes of the others. */
export type CollectedBundle = {
  readonly content: BundleContent;
  readonly attachments: readonly Attachment[];
};

export type ImageFile = { readonly bytes: Uint8Array; readonly mediaType: string };

export type BundleRequest = {
  readonly owner: Owner & { readonly tenantName: string };
  readonly operation: string;
  readonly at: Date;
  /** Kept images become attachments. Without them the bundle holds their hashes. */
  readonly withImages: boolean;
  /** Faults are stated in the bundle. Without it they refuse the bundle. */
  readonly anyway: boolean;
};
