import { createHash } from "node:crypto";
import { openPdf } from "#features/signing/pdf/open-pdf";
import type { PdfFile, SignatureRevision } from "#features/signing/pdf/types";

/** A signature without a look, on 2026-01-02. */
export const plainSignature: SignatureRevision = {
  subFilter: "ETSI.CAdES.detached",
  at: new Date("2026-01-02T03:04:05Z"),
  reservedBytes: 64,
};

/** The bytes of the whole file. */
export const wholeFile = (file: PdfFile): Buffer => Buffer.concat([file.original, ...file.revisions()]);

/** Signs with bytes that stand for a CMS. */
export const signWith = (file: PdfFile, revision: Partial<SignatureRevision> = {}) => {
  const reserved = file.appendSignature({ ...plainSignature, ...revision });
  const digest = reserved.digest("sha256");
  const contents = reserved.place(Buffer.from("3003020107", "hex"));
  return { digest, contents, fieldName: reserved.fieldName };
};

/** Opens the appended file anew. */
export const reopen = (file: PdfFile, password?: string): Promise<PdfFile> =>
  openPdf(wholeFile(file), password === undefined ? {} : { password });

/** SHA-256 over the ranges of a signature, as a verifier computes it. */
export const hashRanges = (bytes: Uint8Array, range: readonly number[]): Buffer => {
  const hash = createHash("sha256");
  for (let pair = 0; pair + 1 < range.length; pair += 2)
    hash.update(bytes.subarray(range[pair], range[pair]! + range[pair + 1]!));
  return hash.digest();
};
