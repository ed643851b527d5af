import type { Blobs } from "#machine/storage/blobs";
import type { Task } from "#record/jobs/schedule";
import { stepOf } from "#record/transactions/record-call";
import type { Gap } from "../pades/extend-pdf.ts";
import type { SignedDocumentRow } from "../store/signed-document.ts";
import type { SignedDocumentCommands } from "../store/signed-document-store.ts";
import { judgeExtension } from "./judge-extension.ts";
import { putPieces } from "./keep-document.ts";

/** A document with a further time-stamp: the bytes before, and what was appended. */
export type ExtendedDocument = {
  readonly appended: Uint8Array;
  /** SHA-256 (hex) of the whole. */
  readonly sha256: string;
  readonly provableUntil?: Date;
  readonly gaps: readonly Gap[];
};

/**
 * Appends fresh validation data and a document time-stamp in a thread of its own. Takes over the memory of
 * `file`. Fails with timestamp_failed, or as the reading of the file.
 */
export type ExtendDocument = (file: Uint8Array, signal: AbortSignal) => Promise<ExtendedDocument>;

export type ExtendDeps = {
  readonly store: Pick<SignedDocumentCommands, "leaseDueDocument" | "extendSignedDocument">;
  readonly blobs: Pick<Blobs, "get" | "put">;
  readonly extendDocument: ExtendDocument;
  readonly keptMs: number;
  readonly clock: () => Date;
  readonly newId: () => string;
  /** Reports a document that could not be extended: it is due again after its lease. */
  readonly onError: (error: unknown, documentId: string) => void;
  /** Reports an extension that lacks validation data. */
  readonly onGaps: (gaps: readonly Gap[], documentId: string) => void;
};

/**
 * How long one caller has a due document for itself. A process that dies in this time leaves it to the next
 * round.
 */
const leaseMs = 3_600_000;

/** The bytes of a kept document. Fails as {@link Blobs}. */
export const readDocument = async (
  blobs: Pick<Blobs, "get">,
  { tenantId, blobIds }: Pick<SignedDocumentRow, "tenantId" | "blobIds">,
): Promise<readonly Uint8Array[]> => {
  const pieces: Uint8Array[] = [];
  for (const id of blobIds) pieces.push(await blobs.get(tenantId, id));
  return pieces;
};

const extendOne = async (deps: ExtendDeps, row: SignedDocumentRow, signal: AbortSignal): Promise<void> => {
  const { tenantId, id, revision, createdAt, blobIds } = row;
  const file = new Uint8Array(Buffer.concat(await readDocument(deps.blobs, row)));
  const before = file.length;
  const { appended, sha256, provableUntil, gaps } = await deps.extendDocument(file, signal);
  const now = deps.clock();
  const pieces = await putPieces(deps.blobs, tenantId, [appended], now);
  const keptUntil = new Date(createdAt.getTime() + deps.keptMs);
  const extendAt = judgeExtension({
    now,
    provableUntil,
    keptUntil,
    ...(gaps.some(({ mayClose }) => mayClose) && { gapsUntil: row.provableUntil }),
  });
  const extension = {
    tenantId,
    id,
    revision,
    bytes: before + appended.length,
    sha256,
    blobIds: [...blobIds, ...pieces.map(({ id: piece }) => piece)],
    at: now,
    ...(provableUntil && { provableUntil }),
    ...(extendAt && { extendAt }),
  };
  const body = { transaction: id, signed: sha256 };
  const evidence = [{ id: deps.newId(), kind: "document_extended", at: now, body }];
  const isWritten = await deps.store.extendSignedDocument(extension, pieces, stepOf({ evidence }));
  if (isWritten && gaps.length > 0) deps.onGaps(gaps, id);
};

/**
 * Extends every kept document whose time has come, one after the other. Each is leased before the work, and
 * written on the ground of the version that was read: after a crash, or in two processes at once, a document
 * has no lost and no doubled part.
 */
export const makeExtendDocuments =
  (deps: ExtendDeps): Task =>
  async (signal) => {
    while (!signal.aborted) {
      const now = deps.clock();
      const row = await deps.store.leaseDueDocument(now, new Date(now.getTime() + leaseMs));
      if (row === undefined) return;
      await extendOne(deps, row, signal).catch((error: unknown) => deps.onError(error, row.id));
    }
  };
