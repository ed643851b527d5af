import { Failure } from "#contract/failure";
import type { Steps } from "../pdf/steps.ts";
import type { SignatureReport } from "./report.ts";
import { verifyPdf } from "./verify-pdf.ts";

/**
 * Why a signature is broken, or was changed in a way that it does not allow; undefined where it is neither.
 */
export const describeBreak = ({ integrity, changes, reasons }: SignatureReport): string | undefined => {
  const isChanged = changes.some(({ judgement }) => judgement === "forbidden");
  return integrity === "broken" || isChanged ? (reasons[0]?.text ?? "It is broken.") : undefined;
};

/**
 * Refuses a signed file of which a signature or a document time-stamp is broken, or was changed afterwards in
 * a way that it does not allow: another revision would only hide that. Whom its signers lead to does not
 * matter, and a signature that an editor cleared is none of the file any more. Fails with
 * pdf_signature_broken, which names the first one, and with pdf_unreadable for a file that the verification
 * cannot read.
 */
export const refuseBroken = async (bytes: Uint8Array, now: Date, steps?: Steps): Promise<void> => {
  const { signatures } = await verifyPdf(bytes, {
    roots: { signers: [], stamps: [] },
    now,
    ...(steps && { steps }),
  });
  for (const one of signatures) {
    const reason = describeBreak(one);
    if (reason !== undefined) throw new Failure("pdf_signature_broken", { field: one.field, reason });
  }
};
