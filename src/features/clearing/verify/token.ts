import type { Keyring } from "#machine/storage/blobs";
import type { ClearingOwner } from "../store/clearing-token.ts";

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Letters of a token: 32 of 52 are 182 bits, and the interface's sample has as many. */
const lettersOfToken = 32;

/** Largest multiple of the number of letters in a byte: a byte above it would favour the first letters. */
const byteEnd = 256 - (256 % letters.length);

/** A verification token from random bytes: 32 letters, each as likely as any other. */
export const makeVerificationToken = (randomBytes: (count: number) => Uint8Array): string => {
  let token = "";
  while (token.length < lettersOfToken) {
    const usable = [...randomBytes(lettersOfToken)].filter((byte) => byte < byteEnd);
    token += usable.map((byte) => letters[byte % letters.length]!).join("");
  }
  return token.slice(0, lettersOfToken);
};

/**
 * Keyed hash of a token: it opens the certificate of this transaction alone. Made by {@link makeHashToken}.
 */
export type HashToken = (of: ClearingOwner, transactionId: string, token: string) => Promise<string>;

export const makeHashToken =
  ({ pseudonym }: Pick<Keyring, "pseudonym">): HashToken =>
  ({ tenantId, environment }, transactionId, token) =>
    pseudonym(tenantId, "clearing", JSON.stringify(["token", environment, transactionId, token]));
