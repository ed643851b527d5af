import type { BlobRow } from "#machine/storage/blob-store";
import type { TablesOf } from "#machine/storage/table";
import type { CaptureFacts, Holder } from "../capture-session.ts";
import type { captureFailureTable, captureTable, captureTokenTable } from "./capture-tables.ts";

export type CaptureTables = TablesOf<
  readonly [typeof captureTable, typeof captureTokenTable, typeof captureFailureTable]
>;

/** A session as the store has it. */
export type CaptureRow = CaptureFacts & {
  readonly sealed: Uint8Array;
  /** The objects that it holds. */
  readonly blobIds: readonly string[];
};

/** The credential of a page, as a hash. */
export type CaptureToken = { readonly hash: string; readonly holder: Holder };

/** A refusal that counts against a person or an address. */
export type CaptureFailure = { readonly id: string; readonly subject: string; readonly at: Date };

/** One change of a session, made to the revision that was read. */
export type CaptureChange = Pick<
  CaptureRow,
  "tenantId" | "id" | "revision" | "state" | "sealed" | "blobIds"
> & {
  /** Rows of new objects. */
  readonly added: readonly BlobRow[];
  /** Objects that the session held and holds no longer. */
  readonly removed: readonly string[];
  /** A new token for the telephone; it replaces the former one. */
  readonly token?: CaptureToken | undefined;
  readonly failures?: readonly CaptureFailure[];
  /** A subject, whose oldest refusal from `since` on is removed: one that still counts. */
  readonly forgiven?: { readonly subject: string; readonly since: Date };
};
