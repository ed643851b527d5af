/** A signer that cannot be opened: the message says what is wrong and the next step, and holds no secret. */
export class SignerError extends Error {
  override readonly name = "SignerError";
}
