/**
 * Text of a symbol's bytes: UTF-8 where the bytes are well-formed UTF-8, else ISO-8859-1 (as Argentina's DNI
 * writes). The reader's own text guesses the character set and turned UTF-8 into mojibake in tests.
 */
export const payloadText = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString("latin1");
  }
};
