const uuidShape = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/iu;

/**
 * The `codigo_verificacion` of a transaction: the 16 bytes of its UUID in URL-safe Base64 without padding,
 * always 22 characters. Undefined where the text is no UUID.
 */
export const verificationCodeOf = (transactionId: string): string | undefined =>
  uuidShape.test(transactionId)
    ? Buffer.from(transactionId.replaceAll("-", ""), "hex").toString("base64url")
    : undefined;
