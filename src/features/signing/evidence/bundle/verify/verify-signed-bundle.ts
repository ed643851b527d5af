import { Failure } from "#contract/failure";
import type { Certificate } from "#trust/asn1/certificate";
import { readAttachments } from "../../../pdf/read-attachments.ts";
import { verifyPdf } from "../../../verify/verify-pdf.ts";
import { bundleLimits } from "../limits.ts";
import { judgeCertification } from "./judge-certification.ts";
import { type BundleReport, verifyBundle } from "./verify-bundle.ts";
import type { LinkDeps } from "./verify-links.ts";

/**
 * Verifies a bundle from its bytes alone: signature, attachments, chain and anchors. The attachments are read
 * from the bytes that the certification covers. A file that cannot be read is an invalid bundle. Never throws
 * for what a file holds.
 */
export const verifySignedBundle = async (
  deps: LinkDeps,
  pdf: Uint8Array,
  { roots, now }: { readonly roots: readonly Certificate[]; readonly now: Date },
): Promise<BundleReport> => {
  // A bundle names the roots of its deployment in one file: of the signer and of the time-stamps.
  const trusted = { roots: { signers: roots, stamps: roots }, now };
  try {
    const { signature, coveredBytes } = judgeCertification(await verifyPdf(pdf, trusted));
    const files = await readAttachments(pdf.subarray(0, coveredBytes), bundleLimits);
    return await verifyBundle(deps, files, signature);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return unreadable(error);
  }
};

const unreadable = ({ message, facts }: Failure): BundleReport => ({
  verdict: "invalid",
  signature: { verdict: "invalid", reasons: [] },
  faults: [{ place: "file", finding: `${message} (${JSON.stringify(facts)})` }],
});
