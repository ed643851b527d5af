import { Failure } from "#contract/failure";
import { type Steps, TooManySteps } from "../pdf/steps.ts";
import type { SignatureReport } from "./report.ts";
import { verifyPdf } from "./verify-pdf.ts";

const brokenReason = ({ integrity, changes, reasons }: SignatureReport): string | undefined => {
  const isChanged = changes.some(({ judgement }) => judgement === "forbidden");
  return integrity === "broken" || isChanged ? (reasons[0]?.text ?? "It is broken.") : undefined;
};

/**
 * Refuses a signed file of which a signature or a document time-stamp is broken, or was changed afterwards in
 * a way that it does not allow: another revision would only hide that. Whom its signers lead to does not
 * matter. Fails with pdf_signature_broken, which names the first one. A file whose signatures cannot be read
 * as this verification demands passes.
 */
export const refuseBroken = async (bytes: Uint8Array, now: Date, steps?: Steps): Promise<void> => {
  const { signatures } = await verifyPdf(bytes, {
    roots: { signers: [], stamps: [] },
    now,
    ...(steps && { steps }),
  }).catch((error: unknown) => {
    // A file that takes too many steps to verify could hide a broken signature so.
    const isTooLong = error instanceof Failure && error.cause instanceof TooManySteps;
    if (error instanceof Failure && error.code === "pdf_unreadable" && !isTooLong) return { signatures: [] };
    throw error;
  });
  for (const one of signatures) {
    const reason = brokenReason(one);
    if (reason !== undefined) throw new Failure("pdf_signature_broken", { field: one.field, reason });
  }
};
