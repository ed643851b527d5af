/**
 * Bytes that are no readable PDF. It leaves this module only as a fact of a report, or as a Failure
 * (translate-error.ts).
 */
export class PdfError extends Error {
  override readonly name: string = "PdfError";
}

/**
 * The structure of a file is not what ISO 32000-2 demands; `message` says what. Open-pdf.ts repairs it or
 * refuses it.
 */
export class DamagedPdf extends PdfError {
  override readonly name = "DamagedPdf";
}

/** The file is encrypted for a password that was not given, or for certificates. */
export class NeedsPassword extends PdfError {
  override readonly name = "NeedsPassword";
}
