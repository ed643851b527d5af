import type { PdfReport, SignatureReport } from "../../../verify/report.ts";
import { statedHash } from "../stated-hash.ts";
import type { JudgedSignature } from "./verify-bundle.ts";

/** The judgement of the signature that certifies a bundle, and the bytes that it covers. */
export type JudgedCertification = {
  readonly signature: JudgedSignature;
  /** How many bytes from the start of the file are certified; all of them if nothing certifies it. */
  readonly coveredBytes: number;
};

const words: Readonly<Record<Exclude<PdfReport["verdict"], "unsigned">, JudgedSignature["verdict"]>> = {
  valid: "valid",
  unknown_signer: "untrusted",
  indeterminate: "indeterminate",
  invalid: "invalid",
};

const invalid = (reason: string, fileBytes: number): JudgedCertification => ({
  signature: { verdict: "invalid", reasons: [reason] },
  coveredBytes: fileBytes,
});

/**
 * Judges what the verification of all signatures found: the first signature of a bundle certifies it, allows
 * no change, and states the hash of `evidence.json`; nothing but time-stamps follows. Pure.
 */
export const judgeCertification = ({ verdict, signatures, fileBytes }: PdfReport): JudgedCertification => {
  const [first, ...later] = signatures;
  if (verdict === "unsigned" || first === undefined) return invalid("the file is not signed", fileBytes);
  if (first.kind !== "signature" || first.certification !== 1) {
    return invalid("the first signature does not certify the file without changes", fileBytes);
  }
  const stated = statedHash(first.claimed.reason ?? "");
  if (stated === undefined) return invalid("the signature states no hash of evidence.json", fileBytes);
  if (later.some(({ kind }) => kind === "signature")) {
    return invalid("another signature follows the certification", fileBytes);
  }
  return {
    signature: describe(first, words[verdict], stated, signatures),
    coveredBytes: first.coverage.bytes,
  };
};

const describe = (
  { signer, profile, provenAt: at }: SignatureReport,
  verdict: JudgedSignature["verdict"],
  stated: string,
  signatures: readonly SignatureReport[],
): JudgedSignature => {
  const until = signatures.at(-1)?.provableUntil;
  return {
    verdict,
    ...(signer && { signer: signer.name }),
    ...(at !== undefined && { at }),
    ...(until !== undefined && { until }),
    ...(profile.level !== undefined && { profile: profile.level }),
    reasons: signatures.flatMap(({ field, reasons }) => reasons.map(({ text }) => `${field}: ${text}`)),
    stated,
  };
};
