import type { PdfFile, PdfLimits } from "./types.ts";

/** Opens a PDF for signing. */
export const openPdf = async (
  _bytes: Uint8Array,
  _options: { readonly password?: string; readonly limits?: Partial<PdfLimits> } = {},
): Promise<PdfFile> => {
  throw new Error("not yet");
};
