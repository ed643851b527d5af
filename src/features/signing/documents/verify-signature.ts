import type { Call } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { RecordCall } from "#record/transactions/record-call";
import type { PdfReport } from "../verify/report.ts";

/**
 * Verifies a file with the deployment's roots. Its memory is handed over. Fails with pdf_unreadable,
 * engine_busy, engine_failed.
 */
export type VerifyDocument = (file: Uint8Array, signal?: AbortSignal) => Promise<PdfReport>;

export type VerifySignatureDeps = {
  readonly verifyDocument: VerifyDocument;
  readonly recordCall: RecordCall;
  /** Largest file. */
  readonly bytesMax: number;
};

/** The call that the use case answers. */
export type VerifyingCall = Parameters<RecordCall>[0] & Pick<Call<unknown>, "signal">;

/** Version of the rules of the verdict. */
const policyVersion = "verify-1";

/**
 * Verifies the signatures of a PDF and records the verdict with the hash of the file; the file is not kept.
 * Fails with pdf_too_large or as {@link VerifyDocument}; a failure is no record.
 */
export const makeVerifySignature =
  ({ verifyDocument, recordCall, bytesMax }: VerifySignatureDeps) =>
  async (call: VerifyingCall, file: Uint8Array): Promise<PdfReport> => {
    if (file.length > bytesMax) throw new Failure("pdf_too_large", { bytes: file.length, bytesMax });
    const report = await verifyDocument(file, call.signal);
    const { verdict, sha256, fileBytes, signatures } = report;
    await recordCall(call, {
      endpoint: "verifySignature",
      result: { code: 0, verdict },
      measurements: { document: { sha256, bytes: fileBytes }, signatures: signatures.length },
      policyVersion,
    });
    return report;
  };

export type VerifySignature = ReturnType<typeof makeVerifySignature>;
