/** Reasons of refused PDFs in words: the commands that sign, extend and verify print the same. */
import type { SigningBar } from "#features/signing/pdf/judge-signing";
import type { Lost } from "#features/signing/pdf/repairs";

type PdfReason =
  | SigningBar
  | Lost["reason"]
  | "no_header"
  | "no_pages"
  | "damaged_and_encrypted"
  | "field_not_empty";

const words: Readonly<Record<PdfReason, string>> = {
  no_header: "the file has no header of a PDF",
  no_pages: "the file has no pages",
  damaged_and_encrypted: "the file is damaged and encrypted, and such a file is not repaired",
  page_content_missing: "what the page shows is missing",
  page_content_damaged: "what the page shows is damaged",
  pages_lost: "the file has fewer pages than it states",
  certified_no_changes: "its certification allows no change",
  certified_no_attachments: "its certification allows no attached file",
  already_certified: "the file is certified already",
  certified_after_signature: "only the first signature of a file may certify it",
  field_locked: "it locks the field of the new signature",
  field_not_empty: "the field of the new signature is not empty",
};

const isNamed = (reason: string): reason is PdfReason => Object.hasOwn(words, reason);

/** The reason of a failure in words. A reason that is no code is in words already. */
export const describePdfReason = (reason: string): string => (isNamed(reason) ? words[reason] : reason);
