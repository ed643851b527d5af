/**
 * The reason in the signature dictionary of a bundle: a reader shows it, and a verifier compares the hash.
 */
export const reasonText = (operation: string, sha256: string): string =>
  `Idem evidence bundle of operation ${operation}; evidence-sha256=${sha256}`;

/** The SHA-256 (hex) of `evidence.json` that a reason states; undefined for another text. */
export const statedHash = (reason: string): string | undefined =>
  /; evidence-sha256=([0-9a-f]{64})$/u.exec(reason)?.[1];
