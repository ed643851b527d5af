/** The structure of a file is not what ISO 32000-2 demands; `message` says what. Open-pdf.ts repairs it or refuses it. */
export class DamagedPdf extends Error {
  override readonly name = "DamagedPdf";
}
