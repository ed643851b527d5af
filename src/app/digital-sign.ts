/**
 * Composition of signed documents: the endpoints of signing, the documents that are kept, and their
 * extension.
 */
import { createHash, randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { Failure } from "#contract/failure";
import { makeDigitalSign, type RecordSigning } from "#features/signing/documents/digital-sign";
import { type ExtendDocument, makeExtendDocuments } from "#features/signing/documents/extend-documents";
import { makeKeepDocument } from "#features/signing/documents/keep-document";
import { makeReadAuthentication } from "#features/signing/documents/read-authentication";
import type { SignDocument } from "#features/signing/evidence/sign-document";
import { digitalSignEndpoint } from "#features/signing/http/digital-sign.endpoint";
import { signedDocumentEndpoints } from "#features/signing/http/signed-document.endpoint";
import type { Gap } from "#features/signing/pades/extend-pdf";
import { isPositive, makeCheckAuthentication } from "#record/transactions/authentication-hash";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";

/** The part of the signing service that documents need. Made by `openSigning` (signing.ts). */
export type DocumentSigner = {
  readonly signDocument: SignDocument;
  readonly extendPdf: (
    document: Uint8Array,
    signal?: AbortSignal,
  ) => Promise<{
    readonly parts: readonly Uint8Array[];
    readonly provableUntil?: Date;
    readonly gaps: readonly Gap[];
  }>;
};

type DocumentParts = Pick<
  Parts,
  "config" | "storage" | "recordCall" | "hashAuthentication" | "trackCall" | "clock" | "report"
>;

const noSigner: SignDocument = () =>
  Promise.reject(new Failure("signer_unusable", { reason: "the deployment has no signer" }));

/** Bytes that are hashed at once: some 4 ms, so that other calls go on. */
const hashedBytes = 4 * 1024 * 1024;

const hashParts = async (parts: readonly Uint8Array[]): Promise<string> => {
  const hash = createHash("sha256");
  for (const part of parts) {
    for (let from = 0; from < part.length; from += hashedBytes) {
      hash.update(part.subarray(from, from + hashedBytes));
      await setImmediate();
    }
  }
  return hash.digest("hex");
};

/** The first part of an extended file is the file as it was. */
const makeExtendDocument =
  ({ extendPdf }: DocumentSigner): ExtendDocument =>
  async (file, signal) => {
    const { parts, provableUntil, gaps } = await extendPdf(file, signal);
    const appended = new Uint8Array(Buffer.concat(parts.slice(1)));
    return { appended, sha256: await hashParts(parts), gaps, ...(provableUntil && { provableUntil }) };
  };

const makeRecordSigning = ({
  config,
  storage,
  recordCall,
  trackCall,
  clock,
}: DocumentParts): RecordSigning => {
  const { documentsKeptMs: keptMs } = config.signing;
  const { store, blobs } = storage;
  return keptMs > 0
    ? makeKeepDocument({ store, blobs, trackCall, keptMs, clock })
    : (call, entry) => recordCall(call, entry);
};

/**
 * Endpoints and background work of signed documents. Without a signer, `digitalSign` answers signer_unusable.
 */
export const openSignedDocuments = (
  parts: DocumentParts,
  signer: DocumentSigner | undefined,
): Pick<Module, "endpoints" | "tidying"> => {
  const { config, storage, hashAuthentication, clock, report } = parts;
  const { store, blobs } = storage;
  const { authenticationMsMax: ageMsMax, bytesMax, documentsKeptMs: keptMs } = config.signing;
  const readAuthentication = makeReadAuthentication({
    findTransaction: store.findTransaction,
    isPositive,
    checkAuthentication: makeCheckAuthentication(hashAuthentication),
    ageMsMax,
  });
  const digitalSign = makeDigitalSign({
    readAuthentication,
    signDocument: signer?.signDocument ?? noSigner,
    recordSigning: makeRecordSigning(parts),
    bytesMax,
    newId: randomUUID,
    clock,
  });
  const onError = (error: unknown, id: string): void =>
    report("signing", "A kept document could not be extended. The next round tries again", error, id);
  const onGaps = (gaps: readonly Gap[], id: string): void => {
    const reasons = gaps.map(({ fieldName, reason }) => `${fieldName}: ${reason}`).join("; ");
    report("signing", "An extended document lacks validation data", new Error(reasons), id);
  };
  return {
    endpoints: [
      digitalSignEndpoint(digitalSign, config.images.bytesMax),
      ...signedDocumentEndpoints({ store, blobs }),
    ],
    tidying:
      signer === undefined
        ? []
        : [
            makeExtendDocuments({
              store,
              blobs,
              extendDocument: makeExtendDocument(signer),
              keptMs,
              clock,
              newId: randomUUID,
              onError,
              onGaps,
            }),
          ],
  };
};
