import type { BlobRow } from "#machine/storage/blob-store";
import type { Blobs } from "#machine/storage/blobs";
import type { TrackCall } from "#record/transactions/operation-step";
import { stepOf, transactionOf } from "#record/transactions/record-call";
import type { SignedDocumentCommands } from "../store/signed-document-store.ts";
import type { RecordSigning } from "./digital-sign.ts";
import { judgeExtension } from "./judge-extension.ts";

export type KeepDeps = {
  readonly store: Pick<SignedDocumentCommands, "recordSignedDocument">;
  readonly blobs: Pick<Blobs, "put">;
  readonly trackCall: TrackCall;
  readonly keptMs: number;
  readonly clock: () => Date;
};

/**
 * Bytes that are sealed at once. Sealing 4 MB holds the main thread for some 4 ms (AES-256-GCM at 1 GB/s), so
 * that a document of 50 MB does not stop other calls.
 */
const pieceBytes = 4 * 1024 * 1024;

/**
 * Stores bytes sealed, in pieces of some megabytes. Durable when it resolves; without a row they are orphans.
 */
export const putPieces = async (
  blobs: Pick<Blobs, "put">,
  tenantId: string,
  parts: readonly Uint8Array[],
  createdAt: Date,
): Promise<readonly BlobRow[]> => {
  const rows: BlobRow[] = [];
  for (const part of parts) {
    for (let from = 0; from < part.length; from += pieceBytes) {
      const put = await blobs.put(tenantId, part.subarray(from, from + pieceBytes));
      rows.push({ ...put, tenantId, kind: "signed-document", createdAt });
    }
  }
  return rows;
};

/**
 * Records a signing and keeps its document: sealed pieces first, then document, record, evidence and step in
 * one commit. A retry under an idempotency key whose answer is lost finds the record.
 */
export const makeKeepDocument =
  ({ store, blobs, trackCall, keptMs, clock }: KeepDeps): RecordSigning =>
  async (call, entry, signed) => {
    const { tenantId, environment } = call.caller;
    const now = clock();
    const pieces = await putPieces(blobs, tenantId, signed.parts, now);
    const operation = await trackCall(call, entry.endpoint);
    const { provableUntil, level, sha256 } = signed;
    const extendAt = judgeExtension({ now, provableUntil, keptUntil: new Date(now.getTime() + keptMs) });
    const document = {
      tenantId,
      environment,
      id: call.transactionId,
      createdAt: now,
      bytes: signed.parts.reduce((sum, part) => sum + part.length, 0),
      sha256,
      level,
      blobIds: pieces.map(({ id }) => id),
      revision: 1,
      ...(provableUntil && { provableUntil }),
      ...(extendAt && { extendAt }),
    };
    const step = stepOf({ evidence: entry.evidence, operation });
    await store.recordSignedDocument(document, pieces, transactionOf(call, entry), step);
  };
