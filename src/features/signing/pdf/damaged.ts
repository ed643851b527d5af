/**
 * Bytes that are no readable PDF. It leaves this module only as a fact of a report, or as a Failure
 * (translate-error.ts).
 */
export class PdfError extends Error {
  override readonly name: string = "PdfError";
}

/**
 * The structure of a file is not what ISO 32000-2 demands; `message` says what. Open-pdf.ts refuses it, or
 * repairs it where the operator allows that.
 */
export class DamagedPdf extends PdfError {
  override readonly name: string = "DamagedPdf";
}

/**
 * A whole state of the file stands before a part of a later one. A repair would mix both states, so none is
 * made.
 */
export class UpdateCutOff extends DamagedPdf {
  override readonly name = "UpdateCutOff";
}

/** The file is encrypted for a password that was not given, or for certificates. */
export class NeedsPassword extends PdfError {
  override readonly name = "NeedsPassword";
}
