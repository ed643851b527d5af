import { Base64Parts } from "#contract/base64";
import { type Call, type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { Failure } from "#contract/failure";
import { readPagePlace, writePagePlace } from "#contract/page-place";
import { listSignedDocumentsRoute, showSignedDocumentRoute } from "#contract/signed-document.routes";
import type { Blobs } from "#machine/storage/blobs";
import { readDocument } from "../documents/extend-documents.ts";
import type { SignedDocumentRow } from "../store/signed-document.ts";
import type { SignedDocumentCommands } from "../store/signed-document-store.ts";

export type SignedDocumentDeps = {
  readonly store: Pick<SignedDocumentCommands, "findSignedDocument" | "listSignedDocuments">;
  readonly blobs: Pick<Blobs, "get">;
};

const pageRowsMax = 50;

const stamp = (call: Call<unknown>): string => answeredAt(call).toISOString();

const wireDocument = ({
  id,
  createdAt,
  bytes,
  sha256,
  level,
  extendedAt,
  provableUntil,
}: SignedDocumentRow) => ({
  id,
  signedAt: createdAt.toISOString(),
  bytes,
  sha256,
  level,
  extendedAt: extendedAt?.toISOString() ?? null,
  provableUntil: provableUntil?.toISOString() ?? null,
});

/** Kept signed documents for an operator's console. */
export const signedDocumentEndpoints = ({ store, blobs }: SignedDocumentDeps): readonly Endpoint[] => [
  implement(listSignedDocumentsRoute, async (call) => {
    const after = readPagePlace(call.request.after);
    const place = after && { createdAt: after.at, id: after.id };
    const rows = await store.listSignedDocuments(call.caller, pageRowsMax + 1, place);
    const shown = rows.slice(0, pageRowsMax);
    const last = rows.length > pageRowsMax ? shown.at(-1) : undefined;
    return {
      timestamp: stamp(call),
      documents: shown.map(wireDocument),
      next: last === undefined ? null : writePagePlace({ at: last.createdAt, id: last.id }),
    };
  }),
  implement(showSignedDocumentRoute, async (call) => {
    const row = await store.findSignedDocument(call.caller, call.request.id);
    if (row === undefined) throw new Failure("not_found");
    const document = new Base64Parts(await readDocument(blobs, row));
    return { timestamp: stamp(call), ...wireDocument(row), document };
  }),
];
