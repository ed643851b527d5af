/**
 * Text of a barcode's bytes: UTF-8 when they are well-formed UTF-8, else ISO-8859-1 (which Argentina's DNI
 * uses). The reader's own text guesses the character set; in tests it corrupted UTF-8.
 */
export const payloadText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString("latin1");
  }
};
